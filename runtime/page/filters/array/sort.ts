/** `sort`: a list in ascending order. */
import { compareItems } from '../../values/compare.ts'
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { sortBy } from './sort-items.ts'

/**
 * The elements in ascending order, by a property when one is named. Nil comes last. The result is nil when an
 * element has no properties.
 * @throws ArgumentFault `cannot sort values of incompatible types`
 */
export function sort(input: List, property: Value = null): readonly unknown[] | null {
  return sortBy(items(input), property, compareItems)
}
