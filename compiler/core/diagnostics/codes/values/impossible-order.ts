/** `impossible-order`: text and a number cannot be ordered; the comparison raises an error. */
import { message } from '../../diagnostic.ts'
import { a, upper } from '../../words.ts'

export const impossibleOrder = message(
  'impossible-order',
  'error',
  'WS20',
  /** `written`: a number that stands in quotes. */
  (left: string, right: string, written: string | null = null) => ({
    text: `${upper(a(left))} cannot be ordered with ${a(right)}: this raises an error.`,
    hint:
      written === null
        ? 'Turn the text into a number first, with `plus: 0`.'
        : `Write \`${written.slice(1, -1)}\`, without quotes.`,
    change: written === null ? undefined : { edits: [{ part: written, text: written.slice(1, -1) }] },
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n > '0' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n > 0 %}yes{% endif %}`,
  },
)
