/** `stray-markup`: text in a tag or an output that nothing reads. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const strayMarkup = message(
  'stray-markup',
  'warning',
  'LiquidHTMLSyntaxError',
  (text: string, tag: string) => ({
    text: `${quoted(text)} is not read by \`${tag}\`.`,
    hint: 'Take it away.',
    change: { edits: [{ text: '' }] },
  }),
  {
    wrong: '{% for i in (1..3) %}{{ i }}{% break now %}{% endfor %}',
    right: '{% for i in (1..3) %}{{ i }}{% break %}{% endfor %}',
  },
)
