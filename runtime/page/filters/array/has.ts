/** `has`: whether some element has a property, or a given value of it. */
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { matchIndex } from './property.ts'

/**
 * Whether an element's property equals the target, or is true when there is no target. The result is nil when an
 * element has no properties.
 * @throws ArgumentFault for an integer element
 */
export function has(input: List, property: Value, target: Value = null): boolean | null {
  const index = matchIndex(items(input), property, target)
  return index === null ? null : index >= 0
}
