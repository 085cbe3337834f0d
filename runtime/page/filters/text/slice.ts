/** `slice`: a part of a text or of an array. */
import { toInteger } from '../../values/number.ts'
import { sliceCharacters, countCharacters, hasNoSurrogates, str } from '../../values/text.ts'
import type { Numeric, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * `length` characters or elements (by default one) from `offset`; a negative offset counts from the end.
 * @throws ArgumentFault `invalid integer`
 */
export function slice(input: string, offset: Numeric, length?: Numeric): string
export function slice(input: Value, offset: Numeric, length?: Numeric): string | readonly unknown[]
export function slice(input: Value, offset: Numeric, length: Numeric = null): string | readonly unknown[] {
  const from = toInteger(offset)
  const count = length === null || length === undefined || length === false ? 1 : toInteger(length)
  if (Array.isArray(input)) {
    const start = from < 0 ? input.length + from : from
    return start < 0 || count < 0 ? [] : input.slice(start, start + count)
  }
  const text = str(input)
  const units = hasNoSurrogates(text)
  const start = from < 0 ? (units ? text.length : countCharacters(text)) + from : from
  if (start < 0 || count < 0) return ''
  return units ? text.slice(start, start + count) : sliceCharacters(text, start, start + count)
}
