/**
 * Caches answers of pages that depend on their URL only, in the memory of this process. Such a page does not read the
 * visitor, the database or the clock. So its text stays the same until the site or its translations change.
 */
import { LRUCache } from 'lru-cache'
import type { Reply, Request } from '../http/message.ts'
import { prepareAnswer } from '../http/text-answer.ts'
import type { RequestLog } from '../http/request-log.ts'

export interface KeptPages {
  /** Returns the cached answer to a request, or null. Drops all answers when the translations have changed. */
  find(request: Request): Reply | null
  /** Caches an answer that depends on the URL only, once its URL is requested a second time. */
  offer(request: Request, reply: Reply): void
}

/** Maximum size in bytes of all answers together, and of one answer. */
const MAX_TOTAL = 32 * 1024 * 1024
const MAX_ANSWER = 512 * 1024
/** Maximum length of a key in characters. */
const MAX_KEY = 1_000
/**
 * Maximum number of remembered keys that were requested only once. Most URLs with a query are never requested again.
 */
const MAX_REQUESTED_KEYS = 2_000

/**
 * Creates an empty store of answers.
 * @param revision returns the revision of the translations
 * @param sessionCookie name of the server's session cookie. Only pages read other cookies
 */
export function createKeptPages(revision: () => string, log: RequestLog, sessionCookie: string): KeptPages {
  const replies = new LRUCache<string, Reply>({ maxSize: MAX_TOTAL, maxEntrySize: MAX_ANSWER })
  const requestedKeys = new LRUCache<string, true>({ max: MAX_REQUESTED_KEYS })
  let currentRevision = revision()

  return {
    find({ pageKey, cookie }) {
      const now = revision()
      if (now !== currentRevision) {
        currentRevision = now
        replies.clear()
      }
      if (pageKey === null || replies.size === 0 || cookie.includes(sessionCookie)) return null
      return replies.get(pageKey) ?? null
    },
    offer(request, reply) {
      const { pageKey, cookie } = request
      if (pageKey === null || pageKey.length > MAX_KEY || cookie.includes(sessionCookie)) return
      // The translations may have changed while the page was rendered.
      if (typeof reply.body !== 'string' || revision() !== currentRevision) return
      if (!requestedKeys.has(pageKey)) {
        requestedKeys.set(pageKey, true)
        return
      }
      requestedKeys.delete(pageKey)
      prepareAnswer(request, reply, log)
      // A text may need two bytes per character. The prepared bytes are stored too.
      replies.set(pageKey, reply, { size: (pageKey.length + reply.body.length) * 3 + 1_000 })
    },
  }
}
