/** Tokens that have been used. Providers know it too; this holds where one of them forgets, or two requests come at once. */
import { createHash } from 'node:crypto'

/** Milliseconds; providers let a token live for two minutes. */
const LIFE = 600_000
const MOST = 100_000

export interface UsedTokens {
  /** Takes a token. False: it was taken before. */
  take(token: string): boolean
  /** Gives it back: nobody has judged it. */
  release(token: string): void
}

/** @param now milliseconds since the epoch */
export function createUsedTokens(now: () => number): UsedTokens {
  // In the order of their times, the oldest first.
  const taken = new Map<string, number>()

  function forget(): void {
    const oldest = now() - LIFE
    for (const [key, at] of taken) {
      if (at > oldest && taken.size < MOST) return
      taken.delete(key)
    }
  }

  return {
    take(token) {
      const key = keyOf(token)
      forget()
      if (taken.has(key)) return false
      taken.set(key, now())
      return true
    },
    release: (token) => void taken.delete(keyOf(token)),
  }
}

function keyOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
