/** `find_index`: the index of the first element that has a property, or a given value of it. */
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { matchIndex } from './property.ts'

/**
 * The index of the first element whose property equals the target, or is true when there is no target; nil when
 * there is no such element.
 * @throws ArgumentFault for an integer element
 */
export function find_index(input: List, property: Value, target: Value = null): number | null {
  const index = matchIndex(items(input), property, target)
  return index === null || index < 0 ? null : index
}
