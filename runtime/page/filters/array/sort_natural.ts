/** `sort_natural`: a list in ascending order without regard to case. */
import { items } from '../../values/items.ts'
import { str } from '../../values/text.ts'
import type { List, Value } from '../types.ts'
import { foldedOrder, sortBy } from './sorting.ts'

export const dialect = 'platform'

const ORDER = foldedOrder(str)

/**
 * The elements ordered by their text without regard to case, or by that of a property; nil comes last.
 * @throws ArgumentFault for an integer element when a property is named
 */
export function sort_natural(input: List, property: Value = null): readonly unknown[] | null {
  return sortBy(items(input), property, ORDER)
}
