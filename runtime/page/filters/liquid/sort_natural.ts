/** `sort_natural` of base Liquid: a list in ascending order, small and capital letters alike. */
import { compareText } from '../../values/compare.ts'
import { items } from '../../values/items.ts'
import { inspected, str } from '../../values/text.ts'
import type { List, Value } from '../types.ts'
import { sortBy } from '../array/sorting.ts'

export const dialect = 'liquid'

/**
 * The elements ordered by their text without regard to case, or by that of a property; nil comes last.
 * @throws ArgumentFault for an integer element when a property is named
 */
export function sort_natural(input: List, property: Value = null): readonly unknown[] | null {
  return sortBy(items(input), property, compareFolded)
}

function compareFolded(a: unknown, b: unknown): number {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1
  if (b === null || b === undefined) return -1
  return compareText(folded(a), folded(b))
}

/** Only ASCII letters have no case here, as in the reference. */
function folded(v: unknown): string {
  return str(inspected(v)).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
