/** `symbol-operator`: `&&` or `||` instead of a word. */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const symbolOperator = message(
  'symbol-operator',
  'error',
  'LiquidHTMLSyntaxError',
  (written: string, word: string) => ({
    text: `${quote(written)} is not an operator in Liquid.`,
    hint: `Write \`${word}\`.`,
    change: { edits: [{ part: written, text: word }] },
  }),
  {
    wrong: '{% if context.params.a && context.params.b %}yes{% endif %}',
    right: '{% if context.params.a and context.params.b %}yes{% endif %}',
  },
)
