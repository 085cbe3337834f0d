/** Short digests of texts, which identify derived values. They protect against accidents, not against an attacker. */

/** Returns a digest of 64 bits as a text. */
export function digest(text: string): string {
  let [low, high] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 15), 0x5bd1e995)
  }
  low = Math.imul(low ^ (low >>> 16) ^ (high >>> 13), 0xc2b2ae35)
  high = Math.imul(high ^ (high >>> 16) ^ (low >>> 13), 0x27d4eb2f)
  return (low >>> 0).toString(36) + (high >>> 0).toString(36).padStart(7, '0')
}
