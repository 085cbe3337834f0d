/** CSRF tokens as Rails masks them: each time another text, so that the size of a compressed answer tells nothing of it. */
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** Bytes of the secret that a session's tokens are made of. */
export const SECRET_BYTES = 32
/** Characters of a token. */
const LENGTH = Math.ceil((SECRET_BYTES * 2 * 4) / 3)

/** A token for a session's secret. */
export function maskedToken(secret: Uint8Array): string {
  const bytes = Buffer.alloc(SECRET_BYTES * 2)
  randomBytes(SECRET_BYTES).copy(bytes)
  for (let at = 0; at < SECRET_BYTES; at++) bytes[SECRET_BYTES + at] = (bytes[at] ?? 0) ^ (secret[at] ?? 0)
  return bytes.toString('base64url')
}

/** Whether a text is a token for a session's secret, in a time that tells nothing of where it differs. */
export function isTokenOf(secret: Uint8Array, token: unknown): boolean {
  if (typeof token !== 'string' || token.length !== LENGTH || !/^[\w-]+$/.test(token)) return false
  const bytes = Buffer.from(token, 'base64url')
  // The last character has bits to spare.
  if (bytes.toString('base64url') !== token) return false
  const found = Buffer.alloc(SECRET_BYTES)
  for (let at = 0; at < SECRET_BYTES; at++) found[at] = (bytes[at] ?? 0) ^ (bytes[SECRET_BYTES + at] ?? 0)
  return timingSafeEqual(found, secret)
}
