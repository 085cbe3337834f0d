/** `sort_natural` of base Liquid: a list in ascending order, ignoring case. */
import { items } from '../../values/items.ts'
import { inspected, str } from '../../values/text.ts'
import type { List, Value } from '../types.ts'
import { createCaseInsensitiveOrder, sortBy } from '../array/sort-items.ts'

export const dialect = 'liquid'

const ORDER = createCaseInsensitiveOrder((value) => str(inspected(value)))

/**
 * The elements ordered by their text, or by the text of a property, ignoring case. Nil comes last.
 * @throws ArgumentFault for an integer element when a property is named
 */
export function sort_natural(input: List, property: Value = null): readonly unknown[] | null {
  return sortBy(items(input), property, ORDER)
}
