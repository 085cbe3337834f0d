/** `find`: the first element that has a property, or a given value of it. */
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { matchIndex } from './property.ts'

/**
 * The first element whose property equals the target, or is true when no target is given; nil when there is none.
 * @throws ArgumentFault for an integer element
 */
export function find(input: List, property: Value, target: Value = null): unknown {
  const list = items(input)
  const index = matchIndex(list, property, target)
  return index === null || index < 0 ? null : (list[index] ?? null)
}
