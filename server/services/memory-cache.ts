/** Cached fragments in this process's memory. Of several renders that miss one key at once, one computes and the others wait. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import type { CachePort, Clock } from '../../runtime/services.ts'

export interface MemoryCache extends CachePort {
  clear(): void
}

/** @param maxBytes memory to keep, counted at two bytes a character; the least recently used fragments go first */
export function memoryCache(clock: Pick<Clock, 'now'>, maxBytes = 64 * 1024 * 1024): MemoryCache {
  const kept = new LRUCache<string, { text: string; until: number }>({
    maxSize: maxBytes,
    sizeCalculation: (entry, key) => (entry.text.length + key.length) * 2 + 64,
  })
  const running = new Map<string, Promise<string>>()
  const computing = new AsyncLocalStorage<true>()

  async function compute(key: string, expire: number | null, work: () => Promise<string>): Promise<string> {
    const text = await computing.run(true, work)
    if (expire === null || expire > 0) {
      kept.set(key, { text, until: expire === null ? Number.POSITIVE_INFINITY : clock.now() + expire * 1000 })
    }
    return text
  }

  return {
    async fragment(key, expire, work) {
      const entry = kept.get(key)
      if (entry !== undefined && entry.until > clock.now()) return entry.text
      // A body that is being cached never waits for another one: two that wait for each other would wait for ever.
      if (computing.getStore() === true) return compute(key, expire, work)
      const other = running.get(key)
      if (other !== undefined) return other.catch(() => compute(key, expire, work))
      const flight = compute(key, expire, work).finally(() => {
        if (running.get(key) === flight) running.delete(key)
      })
      running.set(key, flight)
      return flight
    },
    clear() {
      kept.clear()
      running.clear()
    },
  }
}
