/** Remembered answers: whole replies (`static_cache`) and rendered bodies (`dynamic_cache`), in this process's memory. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../runtime/services.ts'
import type { Reply } from '../http/message.ts'

/** What a page printed, with what its layout and its answer need of it. */
export interface RenderedBody {
  readonly text: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly blocks: ReadonlyMap<string, string>
}

export interface ReplyCache {
  reply(key: string): Reply | null
  keepReply(key: string, reply: Reply, seconds: number): void
  body(key: string): RenderedBody | null
  /** @param seconds null keeps it until the site changes */
  keepBody(key: string, body: RenderedBody, seconds: number | null): void
}

interface Entry {
  readonly value: Reply | RenderedBody
  readonly until: number
  readonly size: number
}

/** @param maxBytes memory to keep, counted at two bytes a character; the least recently used answers go first */
export function createReplyCache(clock: Pick<Clock, 'now'>, maxBytes = 64 * 1024 * 1024): ReplyCache {
  const kept = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: (entry) => entry.size })

  function keep(key: string, value: Reply | RenderedBody, length: number, seconds: number | null): void {
    const until = seconds === null ? Number.POSITIVE_INFINITY : clock.now() + seconds * 1000
    kept.set(key, { value, until, size: (key.length + length) * 2 + 512 })
  }

  function find(key: string): Entry['value'] | null {
    const entry = kept.get(key)
    return entry === undefined || entry.until <= clock.now() ? null : entry.value
  }

  return {
    reply: (key) => find(`reply ${key}`) as Reply | null,
    keepReply(key, reply, seconds) {
      if (typeof reply.body === 'string') keep(`reply ${key}`, reply, reply.body.length, seconds)
    },
    body: (key) => find(`body ${key}`) as RenderedBody | null,
    keepBody(key, body, seconds) {
      let length = body.text.length
      for (const text of body.blocks.values()) length += text.length
      keep(`body ${key}`, body, length, seconds)
    },
  }
}
