/**
 * Makes cached fragments independent of the visitor: CSRF tokens in them are stored as placeholders, which are replaced
 * by each visitor's own token.
 */
import type { CachePort, Fragment } from '../../../runtime/page/services.ts'
import type { Request } from '../http/message.ts'
import type { SiteHost } from './host.ts'
import { parseCookies } from './request-fields.ts'
import type { Session } from './session.ts'

/** Minimum length of a cookie's value that is assumed to identify its visitor. */
const IDENTIFYING_LENGTH = 20

/**
 * Creates the fragment cache of a visit.
 * @param placeholder placeholder for a token
 * @param lastingHost see `HostNames.lasting`. If the visitor may have invented the host, entries are used for requests to
 * that host only, because they may contain links to it.
 * @param session null without a visitor, as in jobs. Forms then contain no token, so visitors must not get these entries
 */
export function visitorCache(
  cache: CachePort,
  placeholder: string,
  request: Request,
  session: Session | null,
  lastingHost: SiteHost['lastingHost'],
): CachePort {
  const space = hostSpace(request, lastingHost)
  if (session === null)
    return { fragment: (key, expire, compute) => cache.fragment(`${space}nobody ${key}`, expire, compute) }
  return {
    async fragment(key, expire, compute) {
      const text = await cache.fragment(`${space}visitor ${key}`, expire, () =>
        withPlaceholders(placeholder, request, session, compute),
      )
      return text.includes(placeholder) ? text.replaceAll(placeholder, () => session.csrfToken()) : text
    },
  }
}

/** Returns the beginning of cache keys, so that an invented host has a separate cache; '' for the site's own hosts. */
export function hostSpace({ host }: Request, lastingHost: SiteHost['lastingHost']): string {
  return lastingHost(host) === host ? '' : `host ${host} `
}

/**
 * Renders a fragment and replaces tokens by placeholders. The result must not be cached when it contains an altered
 * token or other data of this visitor.
 */
async function withPlaceholders(
  placeholder: string,
  request: Request,
  session: Session,
  compute: () => Promise<Fragment>,
): Promise<Fragment> {
  const tokenCount = session.tokens.length
  const { text, keep } = await compute()
  const hasChanged = session.tokens.slice(tokenCount).some((token) => !text.includes(token))
  // Tokens issued earlier are replaced too, because a variable may have stored one.
  let maskedText = text
  for (const token of session.tokens) maskedText = maskedText.replaceAll(token, placeholder)
  return { text: maskedText, keep: keep && !hasChanged && !identifiesVisitor(text, request, session) }
}

/** Returns whether a text contains something that identifies the visitor's session. */
export function identifiesVisitor(text: string, request: Request, session: Session): boolean {
  if (session.tokens.length > 0 && text.includes(session.id())) return true
  const cookies = Object.values(parseCookies(request.cookie))
  return cookies.some(
    (value) => typeof value === 'string' && value.length >= IDENTIFYING_LENGTH && text.includes(value),
  )
}
