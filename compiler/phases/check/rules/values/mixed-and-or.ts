/** `mixed-and-or`: `and` and `or` in one condition, where the order of evaluation changes the result. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const mixedAndOr = message(
  'mixed-and-or',
  'warning',
  'WS21',
  (reading: string) => ({
    text: `This condition mixes \`and\` with \`or\`, which are evaluated from right to left: ${quote(reading)}.`,
    hint: 'Nest two `if` tags to make the order explicit.',
  }),
  {
    wrong: '{% if context.params.a and context.params.b or context.params.c %}yes{% endif %}',
    right: '{% if context.params.a %}{% if context.params.b or context.params.c %}yes{% endif %}{% endif %}',
  },
)
