/** Checks for true, empty and blank values. */
import { hashSize, isHash } from './hash.ts'
import { BoxedText } from './boxed.ts'

/** Checks whether a value is true: all values except nil and false are. */
export function truthy(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined
}

/** Checks for a text, array or hash of size 0. Nil, false and whitespace are not empty. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value === ''
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length === 0
  return isHash(value) ? hashSize(value) === 0 : value instanceof BoxedText && value.$text === ''
}

/** Checks for nil, false, empty values, and text of whitespace only. Numbers and true are never blank. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' ? isSpace(value) : isBlankSlow(value)
}

function isBlankSlow(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true
  return value instanceof BoxedText ? isSpace(value.$text) : isEmpty(value)
}

function isSpace(text: string): boolean {
  const code = text.charCodeAt(0)
  // A fast path: most texts begin with a letter.
  return !(code > 32 && code < 128) && text.trim() === ''
}
