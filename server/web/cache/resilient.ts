/**
 * Wraps a store that may be unavailable. Calls time out, a failing store is skipped for a while, and each outage is
 * logged once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CacheStore } from './model.ts'

/** The log for outages. */
export interface StoreLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/**
 * Runs one call of the store. Resolves to null while the store is unavailable.
 * @param longest timeout of the call in milliseconds
 */
export type CallStore = <T>(call: (store: CacheStore) => Promise<T>, longest?: number) => Promise<T | null>

/** Timeout of a call, and the pause after a failed call, in milliseconds. */
const TIMEOUT = 1_000
const PAUSE = 2_000

/**
 * Wraps a store.
 * @param name the store's name in log messages
 */
export function resilientCalls(store: CacheStore, name: string, log: StoreLog): CallStore {
  let unavailable = false
  let retryAt = 0

  return async (call, timeout = TIMEOUT) => {
    if (unavailable && performance.now() < retryAt) return null
    // Only one call at a time tests an unavailable store. The other calls skip it.
    if (unavailable) retryAt = performance.now() + PAUSE
    const timerAbort = new AbortController()
    try {
      const result = call(store)
      // The race handles the promise that settles first. A later rejection of the other promise must not be unhandled.
      result.catch(() => undefined)
      const timer = sleep(timeout, null, { signal: timerAbort.signal }).then(() => {
        throw new Error(`no answer within ${timeout} ms`)
      })
      timer.catch(() => undefined)
      const outcome = await Promise.race([result, timer])
      if (unavailable) log.info({}, `the cache is shared between servers again (${name})`)
      unavailable = false
      return outcome
    } catch (error) {
      retryAt = performance.now() + PAUSE
      if (!unavailable) {
        const reason = error instanceof Error ? error.message : String(error)
        log.warn(
          {},
          `${name} cannot be used for the cache (${reason}): this process caches fragments in its own memory until it is available again`,
        )
      }
      unavailable = true
      return null
    } finally {
      timerAbort.abort()
    }
  }
}
