/** Rate limit: an address that sends too many requests is refused for a while. Each process counts separately. */
import { LRUCache } from 'lru-cache'
import { network } from './network.ts'

export interface Rate {
  /** Whether anything is counted. */
  readonly isOn: boolean
  /**
   * Counts a request.
   * @param from IP address of the client
   * @returns seconds until the next allowed request, 0 when it is allowed now
   */
  count(from: string): number
  /** Returns whether an address is refused now, without counting. */
  isBlocked(from: string): boolean
}

interface RequestCount {
  count: number
  /** End of the window, as a value of `now`. */
  until: number
  blocked: boolean
}

/** Milliseconds in which requests are counted, and for which further requests are refused. */
const WINDOW = 300_000
const BLOCK = 600_000
/** Most addresses remembered at once; the least recently seen is forgotten first. */
const MAX_ADDRESSES = 50_000

/**
 * @param most requests of an address in five minutes; 0 disables the limit
 * @param now monotonic time in milliseconds, so that setting the clock neither admits nor locks out anyone
 */
export function createRate(most: number, now: () => number = performance.now.bind(performance)): Rate {
  if (most === 0) return { isOn: false, count: () => 0, isBlocked: () => false }
  const known = new LRUCache<string, RequestCount>({ max: MAX_ADDRESSES })
  return {
    isOn: true,
    isBlocked(from) {
      const seen = known.get(from.includes(':') ? network(from) : from)
      return seen?.blocked === true && seen.until > now()
    },
    count(from) {
      // An IPv4 address is its own network.
      const key = from.includes(':') ? network(from) : from
      const time = now()
      const seen = known.get(key)
      if (seen === undefined || seen.until <= time) {
        known.set(key, { count: 1, until: time + WINDOW, blocked: false })
        return 0
      }
      if (!seen.blocked && ++seen.count > most) {
        seen.blocked = true
        seen.until = time + BLOCK
      }
      // The sum of two times may be longer than either by less than a nanosecond.
      return seen.blocked ? Math.max(1, Math.ceil(Math.round(seen.until - time) / 1000)) : 0
    },
  }
}
