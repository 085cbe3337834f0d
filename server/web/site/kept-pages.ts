/**
 * Keeps answers of pages that depend on their URL only. A page that reads nothing of the visitor, the database or the
 * clock prints the same text until the site or its translations change. Answers are kept in the memory of this process.
 */
import { LRUCache } from 'lru-cache'
import type { Reply, Request } from '../http/message.ts'
import { prepareAnswer } from '../http/text-answer.ts'
import type { RequestLog } from '../http/request-log.ts'

export interface KeptPages {
  /** Returns the kept answer to a request; null when there is none. */
  find(request: Request): Reply | null
  /** Offers an answer that depends on the URL only. The answer is kept when its URL is requested a second time. */
  keep(request: Request, reply: Reply): void
}

/** Most bytes of all answers, and of one. */
const MAX_TOTAL = 32 * 1024 * 1024
const MAX_ANSWER = 512 * 1024
/** Most characters of a key. */
const MAX_KEY = 1_000
/** Most keys that were requested once. Most URLs with a query are never requested again. */
const MAX_SEEN = 2_000

/**
 * Creates an empty store of answers.
 * @param revision returns the revision of the translations
 * @param sessionCookie name of the cookie by which the server knows visitors. Other cookies are read by pages only.
 */
export function createKeptPages(revision: () => string, log: RequestLog, sessionCookie: string): KeptPages {
  const kept = new LRUCache<string, Reply>({ maxSize: MAX_TOTAL, maxEntrySize: MAX_ANSWER })
  const seen = new LRUCache<string, true>({ max: MAX_SEEN })
  let current = revision()

  /**
   * Returns the key of the answer: everything by which a page and its language are chosen. Null when the visitor may be
   * known by something else. Forgets all answers when the translations have changed.
   */
  function keyFor(request: Request): string | null {
    const { method, protocol, host, url, accept, acceptLanguage, authorization, contentType, cookie } = request
    if (method !== 'GET' || authorization !== '' || contentType !== '') return null
    if (cookie !== '' && cookie.includes(sessionCookie)) return null
    const now = revision()
    if (now !== current) {
      current = now
      kept.clear()
    }
    const key = `${url}\n${host}\n${protocol}\n${accept}\n${acceptLanguage}`
    return key.length > MAX_KEY ? null : key
  }

  return {
    find(request) {
      if (kept.size === 0) return null
      const key = keyFor(request)
      return key === null ? null : (kept.get(key) ?? null)
    },
    keep(request, reply) {
      const before = current
      const key = keyFor(request)
      if (key === null || typeof reply.body !== 'string') return
      if (current !== before || !seen.has(key)) {
        seen.set(key, true)
        return
      }
      seen.delete(key)
      prepareAnswer(request, reply, log)
      // A text may have two bytes a character, and the prepared bytes are kept as well.
      kept.set(key, reply, { size: (key.length + reply.body.length) * 3 + 1_000 })
    },
  }
}
