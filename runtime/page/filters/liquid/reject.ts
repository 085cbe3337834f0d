/** `reject` of base Liquid: the elements that lack a property, or a certain value of it. */
import { items } from '../../values/items.ts'
import { matching } from '../array/property.ts'
import type { List, Value } from '../types.ts'

export const dialect = 'liquid'

/**
 * The elements whose property does not equal the target, or is not true when no target is given; nil when an element has no
 * properties.
 * @throws ArgumentFault for an integer element
 */
export function reject(input: List, property: Value, target: Value = null): readonly unknown[] | null {
  return matching(items(input), property, target, false)
}
