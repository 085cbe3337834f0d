/**
 * Keeps a host that a visitor may have invented out of what outlives the request. A template that reads `context.location.host` and
 * passes it to a job or a mail would otherwise send its recipient a link to another server, with a token in it.
 */
import type { LinkHost } from '../../../runtime/data/jobs.ts'

/**
 * A function that replaces the request's host in a text, with any port and in any case; null where the host is the site's. The domain of
 * an e-mail address stays, since a mail to that domain has to arrive.
 */
export function linkTexts({ host, unvouched }: LinkHost): ((text: string) => string) | null {
  if (unvouched === undefined) return null
  const name = unvouched.replace(/:\d+$/, '').replace(/[.[\]]/g, '\\$&')
  const pattern = new RegExp(`@[\\w.-]*|${name}(?::\\d+)?`, 'gi')
  return (text) => text.replace(pattern, (found) => (found.startsWith('@') ? found : host))
}
