/** `array_uniq`: a list without duplicates. Nested arrays are compared as a whole. */
import { at } from '../../values/access.ts'
import type { List, Value } from '../types.ts'
import { distinct } from './distinct.ts'
import { toPropertyName } from './property.ts'

export const dialect = 'platform'

/**
 * The elements without those that equal an earlier one, or have the same value under a key or index. A single value
 * is treated as a list of one element.
 * @throws ArgumentFault for values nested without end
 */
export function array_uniq(input: List, property: Value = null): readonly unknown[] {
  const list = Array.isArray(input) ? input : input === null || input === undefined ? [] : [input]
  if (property === null || property === undefined) return distinct(list, (item) => item)
  const name = toPropertyName(property)
  return distinct(list, (item) => at(item, name))
}
