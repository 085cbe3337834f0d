/** Checks for true, empty and blank values. */
import { hashSize, isHash } from './hash.ts'
import { BoxedText } from './boxed.ts'

/** Checks whether a value is true: all values except nil and false are. */
export function truthy(v: unknown): boolean {
  return v !== false && v !== null && v !== undefined
}

/** Checks for a text, array or hash of size 0. Nil, false and whitespace are not empty. */
export function isEmpty(v: unknown): boolean {
  if (typeof v === 'string') return v === ''
  if (typeof v !== 'object' || v === null) return false
  if (Array.isArray(v)) return v.length === 0
  return isHash(v) ? hashSize(v) === 0 : v instanceof BoxedText && v.$text === ''
}

/** Checks for nil, false, empty values, and text of whitespace only. Numbers and true are never blank. */
export function isBlank(v: unknown): boolean {
  return typeof v === 'string' ? isSpace(v) : isBlankSlow(v)
}

function isBlankSlow(v: unknown): boolean {
  if (v === null || v === undefined || v === false) return true
  return v instanceof BoxedText ? isSpace(v.$text) : isEmpty(v)
}

function isSpace(text: string): boolean {
  const code = text.charCodeAt(0)
  // A fast path: most texts begin with a letter.
  return !(code > 32 && code < 128) && text.trim() === ''
}
