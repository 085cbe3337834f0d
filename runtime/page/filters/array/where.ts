/** `where`: the elements that have a property, or a given value of it. */
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { selectMatching } from './property.ts'

/**
 * The elements whose property equals the target, or is true when there is no target. The result is nil when an
 * element has no properties.
 * @throws ArgumentFault for an integer element
 */
export function where(input: List, property: Value, target: Value = null): readonly unknown[] | null {
  return selectMatching(items(input), property, target, true)
}
