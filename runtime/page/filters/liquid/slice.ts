/** `slice` of base Liquid, which inspects hashes. */
import { isHash } from '../../values/access.ts'
import { inspect } from '../../values/text.ts'
import type { Numeric, Value } from '../types.ts'
import { slice as platformSlice } from '../text/slice.ts'

export const dialect = 'liquid'

/**
 * `length` characters or elements (by default one) from `offset`; a negative offset counts from the end.
 * @throws ArgumentFault `invalid integer`
 */
export function slice(input: Value, offset: Numeric, length: Numeric = null): string | readonly unknown[] {
  return platformSlice(isHash(input) ? inspect(input) : input, offset, length)
}
