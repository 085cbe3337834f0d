/** `shown-secret`: a constant that is a secret by its name, or the session's token, is printed or logged. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

export const shownSecret = message(
  'shown-secret',
  'warning',
  'WS27',
  (words: string, how: 'printed' | 'logged', source: Span | null) => ({
    text: `${words} is a secret and is ${how} here, where others can read it.`,
    hint:
      how === 'logged'
        ? 'Log whether it is set, not what it is.'
        : 'Use it on the server only: in the headers of an API call, or for a signature.',
    related: source === null ? [] : [{ span: source, message: 'it is read here' }],
  }),
  {
    wrong: '<p>{{ context.constants.PAYMENT_SECRET }}</p>',
    right: `{% assign signature = 'text' | compute_hmac: context.constants.PAYMENT_SECRET %}<p>{{ signature }}</p>`,
  },
)
