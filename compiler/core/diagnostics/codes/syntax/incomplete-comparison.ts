/** `incomplete-comparison`: an operator without a value on its right. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const incompleteComparison = message(
  'incomplete-comparison',
  'error',
  'LiquidHTMLSyntaxError',
  (operator: string) => ({
    text: `Nothing stands on the right of ${quoted(operator)}.`,
    hint: "Write the value to compare with; an empty text is written `''`.",
    change: { edits: [{ match: '$', text: " ''" }], safe: false },
  }),
  {
    wrong: '{% if context.params.a == %}yes{% endif %}',
    right: `{% if context.params.a == '' %}yes{% endif %}`,
  },
)
