/** `overlapping-when`: a value that is listed in two `when` tags. Both bodies run. Reported by `checkOverlap` (language/tags/case.ts). */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const overlappingWhen = message(
  'overlapping-when',
  'warning',
  'WS22',
  (value: string, firstSpan: Span) => ({
    text: `${quote(value)} also matches an earlier \`when\`, so both bodies run.`,
    hint: 'Remove the value from one `when`, unless both should run.',
    related: [{ span: firstSpan, message: 'the value is first listed here' }],
  }),
  {
    wrong: `{% case context.params.a %}{% when 'x', 'y' %}1{% when 'y' %}2{% endcase %}`,
    right: `{% case context.params.a %}{% when 'x' %}1{% when 'y' %}2{% endcase %}`,
  },
)
