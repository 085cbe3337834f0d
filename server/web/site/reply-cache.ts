/** `static_cache`: caches whole replies in this process's memory. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../runtime/page/services.ts'
import type { Reply } from '../http/message.ts'

export interface ReplyCache {
  reply(key: string): Reply | null
  storeReply(key: string, reply: Reply, seconds: number): void
}

interface CachedReply {
  readonly reply: Reply
  readonly until: number
  readonly size: number
}

/**
 * Creates an empty cache.
 * @param maxBytes memory limit, counted at two bytes a character; the least recently used answers are dropped first
 */
export function createReplyCache(clock: Pick<Clock, 'now'>, maxBytes = 64 * 1024 * 1024): ReplyCache {
  const replies = new LRUCache<string, CachedReply>({ maxSize: maxBytes, sizeCalculation: (entry) => entry.size })
  return {
    reply(key) {
      const entry = replies.get(key)
      return entry === undefined || entry.until <= clock.now() ? null : entry.reply
    },
    storeReply(key, reply, seconds) {
      const { body } = reply
      // Bytes are those of a PDF page.
      if (typeof body !== 'string' && !(body instanceof Uint8Array)) return
      replies.set(key, { reply, until: clock.now() + seconds * 1000, size: (key.length + body.length) * 2 + 512 })
    },
  }
}
