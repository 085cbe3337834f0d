/** `array_index_of`: the index of a value in a list. */
import { arrayArgument } from '../arguments.ts'
import { eq } from '../../values/compare.ts'
import type { List, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * The index of the first element that equals the value; nil when there is none.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_index_of(input: List, value: Value): number | null {
  const index = arrayArgument(input, 'array_index_of').findIndex((item) => eq(item, value))
  return index < 0 ? null : index
}
