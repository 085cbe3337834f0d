/**
 * Removes a host that a visitor may have forged from texts that outlive the request. Otherwise a template that passes
 * `context.location.host` to a job or a mail could send a link to another server, with a token in it.
 */
import type { LinkHost } from '../../../runtime/data/jobs.ts'

/**
 * Returns a function that replaces the request's host in a text, with any port and in any case. Returns null when the host belongs to the
 * site. The domain of an e-mail address is not replaced, because the mail must reach that domain.
 */
export function createHostReplacer({ host, unverifiedHost: unvouched }: LinkHost): ((text: string) => string) | null {
  if (unvouched === undefined) return null
  const escapedHost = unvouched.replace(/:\d+$/, '').replace(/[.[\]]/g, '\\$&')
  const pattern = new RegExp(`@[\\w.-]*|${escapedHost}(?::\\d+)?`, 'gi')
  return (text) => text.replace(pattern, (match) => (match.startsWith('@') ? match : host))
}
