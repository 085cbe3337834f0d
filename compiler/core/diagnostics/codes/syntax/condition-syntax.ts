/** `condition-syntax`: text after a complete condition. Reported by `conditionDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const conditionSyntax = message(
  'condition-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `${quote(found)} follows a condition that is already complete.`,
    hint: 'Join conditions with `and` or `or`.',
  }),
  {
    wrong: `{% if context.params.a == 'x' 'y' %}yes{% endif %}`,
    right: `{% if context.params.a == 'x' or context.params.a == 'y' %}yes{% endif %}`,
  },
)
