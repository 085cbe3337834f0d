/** `incomplete-comparison`: an operator without a value on its right. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const incompleteComparison = message(
  'incomplete-comparison',
  'error',
  'LiquidHTMLSyntaxError',
  (operator: string) => ({
    text: `There is no value on the right of ${quote(operator)}.`,
    hint: "Add the value to compare with. An empty string is `''`.",
    change: { edits: [{ match: '$', text: " ''" }], safe: false },
  }),
  {
    wrong: '{% if context.params.a == %}yes{% endif %}',
    right: `{% if context.params.a == '' %}yes{% endif %}`,
  },
)
