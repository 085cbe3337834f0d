/** `dynamic-name`: a computed name. Every file that it can match must accept untyped calls. `units` is null if it can match any. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formatCount } from '../../../../core/diagnostics/words.ts'

export const dynamicName = message(
  'dynamic-name',
  'info',
  'DynamicName',
  (units: number | null) => ({
    text:
      units === null
        ? 'This computed name can match every partial, so calls of all partials are checked less strictly.'
        : `This computed name can match ${formatCount(units, 'partial')}, whose calls are checked less strictly.`,
    hint: 'Begin or end the name with fixed text, so that fewer partials match.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% include context.params.a %}{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)
