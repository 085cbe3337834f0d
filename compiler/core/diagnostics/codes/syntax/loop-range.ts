/** `loop-range`: a range without a first or last number. Reported by `explainError` (phases/parse/syntax-errors.ts). */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const loopRange = message(
  'loop-range',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string) => ({
    text: `The range ${quote(found)} is not complete.`,
    hint: 'Write a first and a last number: `(1..5)`.',
  }),
  {
    wrong: '{% for i in (1..) %}{{ i }}{% endfor %}',
    right: '{% for i in (1..3) %}{{ i }}{% endfor %}',
  },
)
