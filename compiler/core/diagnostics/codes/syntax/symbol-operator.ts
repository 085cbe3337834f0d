/** `symbol-operator`: `&&` or `||` for a word. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const symbolOperator = message(
  'symbol-operator',
  'error',
  'LiquidHTMLSyntaxError',
  (written: string, word: string) => ({
    text: `${quoted(written)} joins no conditions here.`,
    hint: `Write \`${word}\`.`,
    change: { edits: [{ part: written, text: word }] },
  }),
  {
    wrong: '{% if context.params.a && context.params.b %}yes{% endif %}',
    right: '{% if context.params.a and context.params.b %}yes{% endif %}',
  },
)
