/** `where`: the elements that have a property, or a certain value of it. */
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { matching } from './property.ts'

/**
 * The elements whose property equals the target, or is true when no target is given; nil when an element has no properties.
 * @throws ArgumentFault for an integer element
 */
export function where(input: List, property: Value, target: Value = null): readonly unknown[] | null {
  return matching(items(input), property, target, true)
}
