/**
 * The answers of pages that go by their address alone: who reads nothing of the visitor, the database or the clock prints the same
 * until the site or its translations change. Such an answer is kept in this process's memory with all that is sent of it.
 */
import { LRUCache } from 'lru-cache'
import type { Reply, Request } from '../http/message.ts'
import { prepare } from '../http/prepared.ts'
import type { RequestLog } from '../http/request-log.ts'

export interface KeptPages {
  /** The answer to a request; null where none is kept. */
  find(request: Request): Reply | null
  /** Takes an answer of which the request for it has nothing but the address. It is kept from its second request on. */
  keep(request: Request, reply: Reply): void
}

/** Bytes of all answers, and of the longest that is kept. */
const TOGETHER = 32 * 1024 * 1024
const LONGEST = 512 * 1024
/** Most characters of the address and headers by which an answer is found. */
const LONGEST_KEY = 1_000
/** Addresses that were asked for once: most of those with a query never come again. */
const MAX_SEEN = 2_000

/**
 * @param revision names the state of the translations
 * @param sessionCookie name of the cookie that the site itself knows visitors by; what else a visitor's browser sends only pages can read
 */
export function createKeptPages(revision: () => string, log: RequestLog, sessionCookie: string): KeptPages {
  const kept = new LRUCache<string, Reply>({ maxSize: TOGETHER, maxEntrySize: LONGEST })
  const seen = new LRUCache<string, true>({ max: MAX_SEEN })
  let current = revision()

  function isCurrent(): boolean {
    const now = revision()
    if (now === current) return true
    current = now
    kept.clear()
    return false
  }

  return {
    find(request) {
      if (kept.size === 0) return null
      const key = keyOf(request, sessionCookie)
      return key === null || !isCurrent() ? null : (kept.get(key) ?? null)
    },
    keep(request, reply) {
      const key = keyOf(request, sessionCookie)
      if (key === null || typeof reply.body !== 'string') return
      if (!isCurrent() || !seen.has(key)) {
        seen.set(key, true)
        return
      }
      seen.delete(key)
      prepare(request, reply, log)
      // A text may have two bytes a character, and those that are sent beside it.
      kept.set(key, reply, { size: (key.length + reply.body.length) * 3 + 1_000 })
    },
  }
}

/** By what an answer is found: all by which a page is chosen, and its language. Null for who is known by anything else. */
function keyOf({ method, protocol, host, url, headers }: Request, sessionCookie: string): string | null {
  if (method !== 'GET' || headers['authorization'] !== undefined) return null
  if (headers['cookie'] !== undefined && textOf(headers['cookie']).includes(sessionCookie)) return null
  if (headers['content-type'] !== undefined) return null
  const key = `${url}\n${host}\n${protocol}\n${textOf(headers['accept'])}\n${textOf(headers['accept-language'])}`
  return key.length > LONGEST_KEY ? null : key
}

function textOf(header: string | readonly string[] | undefined): string {
  return header === undefined ? '' : String(header)
}
