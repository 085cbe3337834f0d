/**
 * Wraps a store that may be unavailable: calls time out, a failing store is skipped for a while, and each outage is
 * logged once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CacheStore } from './model.ts'

export interface StoreLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/**
 * Runs one call of the store; resolves to null while the store is unavailable.
 * @param longest timeout in milliseconds
 */
export type CallStore = <T>(call: (store: CacheStore) => Promise<T>, longest?: number) => Promise<T | null>

/** Milliseconds: the timeout of a call, and the pause after a failed call. */
const TIMEOUT = 1_000
const PAUSE = 2_000

/**
 * Wraps a store.
 * @param name of the store in log messages
 */
export function resilientCalls(store: CacheStore, name: string, log: StoreLog): CallStore {
  let unavailable = false
  let retryAt = 0

  return async (call, longest = TIMEOUT) => {
    if (unavailable && performance.now() < retryAt) return null
    // Only one call at a time probes an unavailable store; the others skip it.
    if (unavailable) retryAt = performance.now() + PAUSE
    const late = new AbortController()
    try {
      const asked = call(store)
      // The race below listens to whichever settles first; a later rejection of the other must not be unhandled.
      asked.catch(() => undefined)
      const timer = sleep(longest, null, { signal: late.signal }).then(() => {
        throw new Error(`no answer within ${longest} ms`)
      })
      timer.catch(() => undefined)
      const answer = await Promise.race([asked, timer])
      if (unavailable) log.info({}, `the cache is shared again (${name})`)
      unavailable = false
      return answer
    } catch (error) {
      retryAt = performance.now() + PAUSE
      if (!unavailable) {
        const why = error instanceof Error ? error.message : String(error)
        log.warn({}, `fragments are kept by this process alone for now: ${name} cannot be used (${why})`)
      }
      unavailable = true
      return null
    } finally {
      late.abort()
    }
  }
}
