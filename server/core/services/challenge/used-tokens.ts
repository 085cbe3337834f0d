/** Remembers used tokens. Providers do too; this covers a provider that forgets, and two concurrent requests. */
import { createHash } from 'node:crypto'

/** Milliseconds to remember a token; providers accept it for two minutes. */
const LIFETIME = 600_000
const MAX_TOKENS = 100_000

export interface UsedTokens {
  /** Marks a token as used. Returns false when it already was. */
  markUsed(token: string): boolean
  /** Removes the mark, because the token was not verified. */
  release(token: string): void
}

/**
 * Creates an empty list of used tokens.
 * @param now returns milliseconds since 1970
 */
export function createUsedTokens(now: () => number): UsedTokens {
  // Sorted by time, oldest first.
  const usedAt = new Map<string, number>()

  function removeExpired(): void {
    const oldest = now() - LIFETIME
    for (const [key, at] of usedAt) {
      if (at > oldest && usedAt.size < MAX_TOKENS) return
      usedAt.delete(key)
    }
  }

  return {
    markUsed(token) {
      const key = tokenKey(token)
      removeExpired()
      if (usedAt.has(key)) return false
      usedAt.set(key, now())
      return true
    },
    release: (token) => void usedAt.delete(tokenKey(token)),
  }
}

function tokenKey(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
