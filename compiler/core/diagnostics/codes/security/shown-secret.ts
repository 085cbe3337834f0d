/** `shown-secret`: a constant that is a secret by its name, a password, or what signs somebody in, is printed, logged or sent to others. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'

/** What shows it. */
export type Shown = keyof typeof SHOWN

const SHOWN = {
  output: 'printed',
  print: 'printed',
  log: 'logged',
  redirect: 'put into an address',
  header: 'sent in a header',
  sent: 'sent to another service',
} as const

export const shownSecret = message(
  'shown-secret',
  'warning',
  'WS27',
  (words: string, how: Shown, source: Span | null) => ({
    text: `${words} is a secret and is ${SHOWN[how]} here, where others can read it.`,
    hint:
      how === 'log'
        ? 'Log whether it is set, not what it is.'
        : how === 'sent'
          ? 'Send it to the service alone that gave it.'
          : 'Use it on the server only: in the headers of an API call, or for a signature.',
    related: source === null ? [] : [{ span: source, message: 'it is read here' }],
  }),
  {
    wrong: '<p>{{ context.constants.PAYMENT_SECRET }}</p>',
    right: `{% assign signature = 'text' | compute_hmac: context.constants.PAYMENT_SECRET %}<p>{{ signature }}</p>`,
  },
)
