/** `unused-partial`: a partial that is never called. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedPartial = message(
  'unused-partial',
  'info',
  'WS09',
  (name: string) => ({
    subject: { kind: 'partial', name },
    text: `The partial ${quote(name)} is never called.`,
    hint: 'Remove the file, unless a module or a computed name uses it.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/views/partials/old.liquid': 'y' },
    right: { 'app/views/pages/index.liquid': `{% render 'old' %}`, 'app/views/partials/old.liquid': 'y' },
  },
)
