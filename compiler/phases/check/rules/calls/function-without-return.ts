/** `function-without-return`: the result of a partial that returns nothing, which is always nil. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const functionWithoutReturn = message(
  'function-without-return',
  'error',
  'WS06',
  (partial: string) => ({
    subject: { kind: 'partial', name: partial },
    text: `The partial ${quote(partial)} never returns a value, so the result is always nil.`,
    hint: 'Add `{% return value %}` to the partial, or call it with `render`.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% function r = 'card' %}{{ r }}`,
      'app/views/partials/card.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)
