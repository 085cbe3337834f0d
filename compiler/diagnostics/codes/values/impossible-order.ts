/** `impossible-order`: text and a number cannot be ordered; the comparison raises an error. */
import { message } from '../../diagnostic.ts'
import { a, upper } from '../../words.ts'

export const impossibleOrder = message(
  'impossible-order',
  'error',
  'WS20',
  (left: string, right: string) => ({
    text: `${upper(a(left))} cannot be ordered with ${a(right)}: this raises an error.`,
    hint: 'Turn the text into a number first, with `plus: 0`.',
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n > '0' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n > 0 %}yes{% endif %}`,
  },
)
