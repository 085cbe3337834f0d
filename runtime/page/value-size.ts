/**
 * Measures the sizes of assigned values for the limits of the host, as the reference of base Liquid measures them.
 */
import { LimitFault } from './fault.ts'
import { BoxedText } from './values/boxed.ts'
import { entries, isHash } from './values/hash.ts'
import { MAX_DEPTH } from './values/value-limits.ts'

/** Returns the fault for an exceeded limit of the host. It ends the render. */
export function limitsExceeded(): LimitFault {
  return new LimitFault('Memory limits exceeded', 'score')
}

/** Returns the size of a value: the bytes of a text, otherwise 1 plus the sizes of its items. */
export function measureSize(value: unknown, depth = 0): number {
  if (typeof value === 'string') return byteLength(value)
  if (value instanceof BoxedText) return byteLength(value.$text)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 1
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + measureSize(item, depth + 1), 1)
  if (!isHash(value)) return 1
  return entries(value).reduce((sum, [key, item]) => sum + byteLength(key) + measureSize(item, depth + 1), 1)
}

/** Returns the number of bytes of a text as UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    // A pair of surrogates is one character of four bytes, so each surrogate counts as two bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}
