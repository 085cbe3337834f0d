/** Cached fragments for one visitor: the CSRF tokens in them are kept as marks, in whose place each visitor gets their own. */
import { randomBytes } from 'node:crypto'
import type { CachePort } from '../../runtime/services.ts'
import type { Session } from './session.ts'

/** No text of a site or a visitor can hold it. */
const MARK = `\u{f8ff}csrf-${randomBytes(16).toString('hex')}\u{f8ff}`

/** A fragment that holds a token which was changed on its way into the text, and so must not be kept. */
class Personal extends Error {
  override readonly name = 'Personal'
  constructor(
    readonly text: string,
    readonly session: Session,
  ) {
    super('a fragment holds a token of its visitor')
  }
}

export function visitorCache(cache: CachePort | null, session: Session): CachePort | null {
  return cache === null ? null : new VisitorCache(cache, session)
}

class VisitorCache implements CachePort {
  readonly #cache: CachePort
  readonly #session: Session

  constructor(cache: CachePort, session: Session) {
    this.#cache = cache
    this.#session = session
  }

  async fragment(key: string, expire: number | null, compute: () => Promise<string>): Promise<string> {
    const session = this.#session
    try {
      const text = await this.#cache.fragment(key, expire, () => marked(session, compute))
      return text.includes(MARK) ? text.replaceAll(MARK, () => session.csrfToken()) : text
    } catch (error) {
      if (!(error instanceof Personal)) throw error
      // Visitors who waited for the same fragment make their own.
      return error.session === session ? error.text : compute()
    }
  }
}

async function marked(session: Session, compute: () => Promise<string>): Promise<string> {
  const before = session.tokens.length
  let text = await compute()
  // One that was given before may have been stored in a variable.
  for (const [index, token] of session.tokens.entries()) {
    if (index >= before && !text.includes(token)) throw new Personal(text, session)
    text = text.replaceAll(token, MARK)
  }
  return text
}
