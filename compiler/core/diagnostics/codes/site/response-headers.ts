/**
 * `response-headers`: response headers that are not a JSON object of strings. Reported by `checkHeaders` (language/settings/headers.ts)
 * and `checkHeaders` (phases/check/site/codes-of-other-phases.ts).
 */
import { message } from '../../diagnostic.ts'

export const responseHeaders = message(
  'response-headers',
  'error',
  'WS47',
  (reason: string) => ({
    text: `These response headers are not valid: ${reason}.`,
    hint: 'Write a JSON object: `{ "X-Name": "value" }`.',
  }),
  {
    wrong: `{% response_headers '{a:1}' %}`,
    right: `{% response_headers '{"X-A": "1"}' %}`,
  },
)
