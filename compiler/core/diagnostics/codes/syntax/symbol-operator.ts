/**
 * `symbol-operator`: `&&` or `||` instead of a word. Reported by `noteDiagnostic` (phases/parse/notes.ts) and `conditionDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const symbolOperator = message(
  'symbol-operator',
  'error',
  'LiquidHTMLSyntaxError',
  (writtenText: string, word: string) => ({
    text: `${quote(writtenText)} is not an operator in Liquid.`,
    hint: `Write \`${word}\`.`,
    change: { edits: [{ part: writtenText, text: word }] },
  }),
  {
    wrong: '{% if context.params.a && context.params.b %}yes{% endif %}',
    right: '{% if context.params.a and context.params.b %}yes{% endif %}',
  },
)
