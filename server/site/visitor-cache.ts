/** Cached fragments for one visitor: the CSRF tokens in them are kept as marks, in whose place each visitor gets their own. */
import type { CachePort, Fragment } from '../../runtime/page/services.ts'
import { headerOf, type Request } from '../http/message.ts'
import { cookiesOf } from './request-fields.ts'
import type { Session } from './session.ts'

/** Characters from which on the value of a cookie is taken to tell its visitor from all others. */
const TELLING = 20

/**
 * @param mark stands for a token in what is kept
 * @param session null where there is no visitor, as in jobs: forms have no token there, so no visitor gets what is kept then
 */
export function visitorCache(cache: CachePort, mark: string, request: Request, session: Session | null): CachePort {
  if (session === null) return { fragment: (key, expire, compute) => cache.fragment(`nobody ${key}`, expire, compute) }
  return {
    async fragment(key, expire, compute) {
      const text = await cache.fragment(`visitor ${key}`, expire, () => marked(mark, request, session, compute))
      return text.includes(mark) ? text.replaceAll(mark, () => session.csrfToken()) : text
    },
  }
}

/** Runs the body. What holds a token that was changed, or something else that is this visitor's only, is not to be kept. */
async function marked(
  mark: string,
  request: Request,
  session: Session,
  compute: () => Promise<Fragment>,
): Promise<Fragment> {
  const before = session.tokens.length
  const { text, keep } = await compute()
  const changed = session.tokens.slice(before).some((token) => !text.includes(token))
  // One that was given before may have been stored in a variable.
  let kept = text
  for (const token of session.tokens) kept = kept.replaceAll(token, mark)
  return { text: kept, keep: keep && !changed && !tells(text, request, session) }
}

/** Whether a text names the visitor's session, which no other visitor is to see. */
export function tells(text: string, request: Request, session: Session): boolean {
  if (session.tokens.length > 0 && text.includes(session.id())) return true
  const cookies = Object.values(cookiesOf(headerOf(request, 'cookie')))
  return cookies.some((value) => typeof value === 'string' && value.length >= TELLING && text.includes(value))
}
