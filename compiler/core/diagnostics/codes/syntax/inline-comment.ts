/** `inline-comment`: a line of `{% # %}` without its own `#`. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const inlineComment = message(
  'inline-comment',
  'error',
  'LiquidHTMLSyntaxError',
  (line: string) => ({
    text: `This line of the comment does not begin with \`#\`: ${quoted(line)}.`,
    hint: 'Begin every line with `#`, or use the tag `comment`.',
    change: { edits: [{ match: '^', text: '# ' }] },
  }),
  {
    wrong: `{% # one
   two %}`,
    right: `{% # one
   # two %}`,
  },
)
