/**
 * `doc-syntax`: text in the opening `doc` tag, or a `doc` inside a `doc`. Reported by `TreeBuilder` (phases/parse/build-tree.ts) and
 * `leftoverDiagnostic` (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const docSyntax = message(
  'doc-syntax',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `${quote(found)} is not allowed in a \`doc\` tag.`,
    hint: 'A `doc` tag takes no arguments and contains only text.',
    change: { edits: [{ text: '' }], safe: false },
  }),
  {
    wrong: '{% doc about %}x{% enddoc %}',
    right: '{% doc %}x{% enddoc %}',
  },
)
