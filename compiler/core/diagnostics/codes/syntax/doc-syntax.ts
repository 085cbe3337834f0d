/** `doc-syntax`: words in the opening tag of `doc`, or a `doc` inside a `doc`. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const docSyntax = message(
  'doc-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `${quoted(found)} cannot stand in a \`doc\` tag.`,
    hint: 'A `doc` tag has no arguments and holds text only.',
    change: { edits: [{ text: '' }], safe: false },
  }),
  {
    wrong: '{% doc about %}x{% enddoc %}',
    right: '{% doc %}x{% enddoc %}',
  },
)
