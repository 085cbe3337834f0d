/** Rate limit: an address that sends too many requests is refused for a while. Each process counts separately. */
import { LRUCache } from 'lru-cache'
import { network } from './network.ts'

export interface Rate {
  /** Whether anything is counted. */
  readonly isOn: boolean
  /**
   * Counts a request.
   * @param address IP address of the client
   * @returns seconds until the next allowed request, 0 when it is allowed now
   */
  count(address: string): number
  /** Returns whether an address is refused now, without counting. */
  isBlocked(address: string): boolean
}

interface RequestCount {
  count: number
  /** End of the window, as a value of `now`. */
  windowEnd: number
  blocked: boolean
}

/** Milliseconds in which requests are counted, and for which further requests are refused. */
const WINDOW = 300_000
const BLOCK = 600_000
/** Maximum number of addresses remembered at once; the least recently seen is forgotten first. */
const MAX_ADDRESSES = 50_000

/**
 * Creates the limit.
 * @param maxRequests maximum number of requests of an address in five minutes; 0 disables the limit
 * @param now monotonic time in milliseconds, so that a change of the system clock has no effect
 */
export function createRate(maxRequests: number, now: () => number = performance.now.bind(performance)): Rate {
  if (maxRequests === 0) return { isOn: false, count: () => 0, isBlocked: () => false }
  // With `max` instead of `maxSize`, the cache would allocate all of its entries now, in every process.
  const counts = new LRUCache<string, RequestCount>({ maxSize: MAX_ADDRESSES, sizeCalculation: () => 1 })
  return {
    isOn: true,
    isBlocked(address) {
      const requestCount = counts.get(address.includes(':') ? network(address) : address)
      return requestCount?.blocked === true && requestCount.windowEnd > now()
    },
    count(address) {
      // An IPv4 address is its own network.
      const key = address.includes(':') ? network(address) : address
      const time = now()
      const requestCount = counts.get(key)
      if (requestCount === undefined || requestCount.windowEnd <= time) {
        counts.set(key, { count: 1, windowEnd: time + WINDOW, blocked: false })
        return 0
      }
      if (!requestCount.blocked && ++requestCount.count > maxRequests) {
        requestCount.blocked = true
        requestCount.windowEnd = time + BLOCK
      }
      // Rounded first, because floating-point errors could otherwise add a second.
      return requestCount.blocked ? Math.max(1, Math.ceil(Math.round(requestCount.windowEnd - time) / 1000)) : 0
    },
  }
}
