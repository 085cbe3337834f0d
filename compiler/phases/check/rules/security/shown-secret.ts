/** `shown-secret`: a secret (a constant with a secret name, a password or a sign-in token) that is printed, logged or sent to others. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'

/** How the secret is exposed. */
export type Exposure = keyof typeof EXPOSURES

const EXPOSURES = {
  output: 'printed',
  print: 'printed',
  log: 'logged',
  redirect: 'put into a URL',
  header: 'sent in a header',
  sent: 'sent to another service',
} as const

export const shownSecret = message(
  'shown-secret',
  'warning',
  'WS27',
  (words: string, how: Exposure, source: Span | null) => ({
    text: `${words} is a secret and is ${EXPOSURES[how]} here, where others can read it.`,
    hint:
      how === 'log'
        ? 'Log only whether the secret is set.'
        : how === 'sent'
          ? 'Send the secret only to the service that issued it.'
          : 'Use the secret on the server only: in the headers of an API call, or for a signature.',
    related: source === null ? [] : [{ span: source, message: 'the secret is read here' }],
  }),
  {
    wrong: '<p>{{ context.constants.PAYMENT_SECRET }}</p>',
    right: `{% assign signature = 'text' | compute_hmac: context.constants.PAYMENT_SECRET %}<p>{{ signature }}</p>`,
  },
)
