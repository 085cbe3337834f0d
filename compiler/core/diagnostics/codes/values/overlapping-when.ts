/** `overlapping-when`: a value that two `when` tags name; both bodies run. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const overlappingWhen = message(
  'overlapping-when',
  'warning',
  'WS22',
  (value: string, first: Span) => ({
    text: `${quoted(value)} matches an earlier \`when\` too, and both bodies run.`,
    hint: 'Leave it to one of them, unless both are meant.',
    related: [{ span: first, message: 'it is named here first' }],
  }),
  {
    wrong: `{% case context.params.a %}{% when 'x', 'y' %}1{% when 'y' %}2{% endcase %}`,
    right: `{% case context.params.a %}{% when 'x' %}1{% when 'y' %}2{% endcase %}`,
  },
)
