/** `response-headers`: headers that are not a JSON object of names and texts. */
import { message } from '../../diagnostic.ts'

export const responseHeaders = message(
  'response-headers',
  'error',
  'WS47',
  (reason: string) => ({
    text: `These headers cannot be sent: ${reason}.`,
    hint: 'Write a JSON object: `{ "X-Name": "value" }`.',
  }),
  {
    wrong: `{% response_headers '{a:1}' %}`,
    right: `{% response_headers '{"X-A": "1"}' %}`,
  },
)
