/** `loop-range`: a range without one of its ends. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const loopRange = message(
  'loop-range',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `The range ${quoted(found)} is not complete.`,
    hint: 'A range has a first and a last number: `(1..5)`.',
  }),
  {
    wrong: '{% for i in (1..) %}{{ i }}{% endfor %}',
    right: '{% for i in (1..3) %}{{ i }}{% endfor %}',
  },
)
