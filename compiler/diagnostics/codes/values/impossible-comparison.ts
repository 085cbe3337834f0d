/** `impossible-comparison`: two values that can never be equal. */
import { message } from '../../diagnostic.ts'
import { a, upper } from '../../words.ts'

export const impossibleComparison = message(
  'impossible-comparison',
  'warning',
  'WS19',
  (left: string, right: string) => ({
    text: `${upper(a(left))} never equals ${a(right)}.`,
    hint: [left, right].includes('text')
      ? 'Compare text with text: write the other value in quotes.'
      : 'Bring both to one type before: `plus: 0` makes a number of a text.',
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n == '1' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n == 1 %}yes{% endif %}`,
  },
)
