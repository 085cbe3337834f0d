/** `array_delete_at`: a list without the element at an index. */
import { ArgumentFault } from '../../fault.ts'
import { arrayArgument } from '../arguments.ts'
import type { List, Numeric } from '../types.ts'

export const dialect = 'platform'

/**
 * A new array without one element; a negative index counts from the end.
 * @throws ArgumentFault when the input is neither an array nor nil
 * @throws ArgumentFault for an index outside the array
 */
export function array_delete_at(input: List, index: Numeric): readonly unknown[] {
  const list = arrayArgument(input, 'array_delete_at')
  const at = typeof index === 'number' && index < 0 ? list.length + index : index
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= list.length) {
    throw new ArgumentFault('array_delete_at filter - index must be an integer inside the array')
  }
  return list.toSpliced(at, 1)
}
