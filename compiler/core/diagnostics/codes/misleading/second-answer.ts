/** `second-answer`: a `redirect_to` or `response_status` that replaces the one before it on the same way. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const secondAnswer = message(
  'second-answer',
  'warning',
  'WS48',
  (first: string, before: Span) => ({
    text: `The request is answered a second time here: ${quoted(first)} before it does not end the template.`,
    hint: `Write \`{% return %}\` behind the first one, or take one of them out.`,
    change: { edits: [{ span: before, reach: 'behind markup', text: '{% return %}' }] },
    related: [{ span: before, message: 'the first answer is given here' }],
  }),
  {
    wrong: `{% if context.params.id == blank %}{% response_status 404 %}{% endif %}{% response_status 201 %}`,
    right: `{% if context.params.id == blank %}{% response_status 404 %}{% return %}{% endif %}{% response_status 201 %}`,
  },
)
