/** A store that may be away: it holds nobody up, is asked again after a while, and is missed once in the log. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CacheStore } from './model.ts'

export interface PatientLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Runs one call of a store; null where it is away. @param longest milliseconds that it may take */
export type CallStore = <T>(call: (store: CacheStore) => Promise<T>, longest?: number) => Promise<T | null>

/** Milliseconds: the longest time of a call, and the pause after a store has not answered. */
const LONGEST = 1_000
const REST = 2_000

/** @param name what the log calls the store */
export function patiently(store: CacheStore, name: string, log: PatientLog): CallStore {
  let away = false
  let again = 0

  return async (call, longest = LONGEST) => {
    if (away && performance.now() < again) return null
    // Until it has answered, one call tries it; the others go on without it.
    if (away) again = performance.now() + REST
    const late = new AbortController()
    try {
      const asked = call(store)
      // Only the first of the two is listened to below; what the other one says later is nobody's.
      asked.catch(() => undefined)
      const timer = sleep(longest, null, { signal: late.signal }).then(() => {
        throw new Error(`no answer within ${longest} ms`)
      })
      timer.catch(() => undefined)
      const answer = await Promise.race([asked, timer])
      if (away) log.info({}, `the cache is shared again (${name})`)
      away = false
      return answer
    } catch (error) {
      again = performance.now() + REST
      if (!away) {
        const why = error instanceof Error ? error.message : String(error)
        log.warn({}, `fragments are kept by this process alone for now: ${name} cannot be used (${why})`)
      }
      away = true
      return null
    } finally {
      late.abort()
    }
  }
}
