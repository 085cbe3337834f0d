/** `inline-comment`: a line of `{% # %}` without its own `#`. Reported by `commentDiagnostic` (phases/parse/parse-template.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const inlineComment = message(
  'inline-comment',
  'error',
  'LiquidHTMLSyntaxError',
  (line: string) => ({
    text: `This line of the comment does not begin with \`#\`: ${quote(line)}.`,
    hint: 'Begin every line with `#`, or use a `comment` block.',
    change: { edits: [{ match: '^', text: '# ' }] },
  }),
  {
    wrong: `{% # one
   two %}`,
    right: `{% # one
   # two %}`,
  },
)
