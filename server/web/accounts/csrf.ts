/**
 * CSRF tokens, masked in the same way as in Rails. A session's token has a different text each time, so that the size
 * of a compressed response does not reveal it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** Length of a session's CSRF secret in bytes. */
export const SECRET_BYTES = 32
/** Length of a token in characters. */
const LENGTH = Math.ceil((SECRET_BYTES * 2 * 4) / 3)

/** Returns a new masked token for a session's secret. */
export function maskToken(secret: Uint8Array): string {
  const bytes = Buffer.alloc(SECRET_BYTES * 2)
  randomBytes(SECRET_BYTES).copy(bytes)
  for (let at = 0; at < SECRET_BYTES; at++) bytes[SECRET_BYTES + at] = (bytes[at] ?? 0) ^ (secret[at] ?? 0)
  return bytes.toString('base64url')
}

/** Checks whether a token belongs to a session's secret. Compares in constant time. */
export function isTokenOf(secret: Uint8Array, token: unknown): boolean {
  if (typeof token !== 'string' || token.length !== LENGTH || !/^[\w-]+$/.test(token)) return false
  const bytes = Buffer.from(token, 'base64url')
  // Rejects other spellings of the same bytes, which exist because the last character has unused bits.
  if (bytes.toString('base64url') !== token) return false
  const unmasked = Buffer.alloc(SECRET_BYTES)
  for (let at = 0; at < SECRET_BYTES; at++) unmasked[at] = (bytes[at] ?? 0) ^ (bytes[SECRET_BYTES + at] ?? 0)
  return timingSafeEqual(unmasked, secret)
}
