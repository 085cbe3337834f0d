/** `mixed-and-or`: `and` and `or` in one condition, where the order of reading changes the result. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const mixedAndOr = message(
  'mixed-and-or',
  'warning',
  'WS21',
  (reading: string) => ({
    text: `This condition mixes \`and\` with \`or\`; it is read from the right: ${quoted(reading)}.`,
    hint: 'Nest two `if` tags to say which belongs together.',
  }),
  {
    wrong: '{% if context.params.a and context.params.b or context.params.c %}yes{% endif %}',
    right: '{% if context.params.a %}{% if context.params.b or context.params.c %}yes{% endif %}{% endif %}',
  },
)
