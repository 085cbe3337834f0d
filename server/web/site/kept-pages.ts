/**
 * Keeps answers of pages that depend on their URL only. A page that reads nothing of the visitor, the database or the
 * clock prints the same text until the site or its translations change. Answers are kept in the memory of this process.
 */
import { LRUCache } from 'lru-cache'
import type { Reply, Request } from '../http/message.ts'
import { prepareAnswer } from '../http/text-answer.ts'
import type { RequestLog } from '../http/request-log.ts'

export interface KeptPages {
  /** Returns the kept answer to a request; null when there is none. Forgets all answers when the translations changed. */
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

  return {
    find({ pageKey, cookie }) {
      const now = revision()
      if (now !== current) {
        current = now
        kept.clear()
      }
      if (pageKey === null || kept.size === 0 || cookie.includes(sessionCookie)) return null
      return kept.get(pageKey) ?? null
    },
    keep(request, reply) {
      const { pageKey, cookie } = request
      if (pageKey === null || pageKey.length > MAX_KEY || cookie.includes(sessionCookie)) return
      // The translations may have changed while the page was rendered.
      if (typeof reply.body !== 'string' || revision() !== current) return
      if (!seen.has(pageKey)) {
        seen.set(pageKey, true)
        return
      }
      seen.delete(pageKey)
      prepareAnswer(request, reply, log)
      // A text may have two bytes a character, and the prepared bytes are kept as well.
      kept.set(pageKey, reply, { size: (pageKey.length + reply.body.length) * 3 + 1_000 })
    },
  }
}
