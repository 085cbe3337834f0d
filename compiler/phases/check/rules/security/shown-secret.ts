/** `shown-secret`: a secret (a constant with a secret name, a password or a sign-in token) that is printed, logged or sent to others. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { type ReachedSink, sourceElsewhere, sourceOf } from '../../site/taint.ts'
import type { Site } from '../../../../core/model/site.ts'
import { type Taint, mayShow } from '../../../analyze/domains/taint/flow.ts'
import { isForAnotherService, isSeen } from '../../../analyze/domains/taint/secrets.ts'

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
    related: relatedAt(source, 'the secret is read here'),
  }),
  {
    wrong: '<p>{{ context.constants.PAYMENT_SECRET }}</p>',
    right: `{% assign signature = 'text' | compute_hmac: context.constants.PAYMENT_SECRET %}<p>{{ signature }}</p>`,
  },
)

/** Reports a secret at a place where others can see it, or where it is sent to a service other than its own. */
export function checkShownSecret(reached: ReachedSink): Diagnostic | null {
  const { site, sink, taints } = reached
  const { span, showing, format } = sink
  const address = showing === 'sent' ? addressOf(site, span.file) : ''
  const isShown = (taint: Taint) => {
    const { words = '', secret } = sourceOf(taint) ?? {}
    if (secret === undefined || !mayShow(taint)) return false
    return showing === 'sent' ? isForAnotherService(words, address) : isSeen(secret, showing, format)
  }
  const secret = sourceOf(taints.find(isShown))
  return secret === null ? null : shownSecret(span, secret.words, showing, sourceElsewhere(reached, secret))
}

/** Returns the literal address that an API call is sent to; empty if the address is computed. */
function addressOf(site: Site, path: string): string {
  const { settings } = site.byFile.get(path) ?? {}
  const text = settings?.kind === 'api_call' ? (settings.to?.text ?? '') : ''
  return text.includes('{') ? '' : text
}
