/** `concat`: two lists as one. */
import { ArgumentFault } from '../../fault.ts'
import { items } from '../../values/items.ts'
import { MAX_ITEMS, tooMany } from '../../values/value-limits.ts'
import type { List } from '../types.ts'

/**
 * The elements of the input, flattened, and then those of the array.
 * @throws ArgumentFault `concat filter requires an array argument`
 */
export function concat(input: List, array: List): readonly unknown[] {
  if (!Array.isArray(array)) throw new ArgumentFault('concat filter requires an array argument')
  const list = items(input)
  if (list.length + array.length > MAX_ITEMS) throw tooMany()
  return list.concat(array)
}
