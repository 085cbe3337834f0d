/** `reject` of base Liquid: the elements that lack a property, or a given value of it. */
import { items } from '../../values/items.ts'
import { selectMatching } from '../array/property.ts'
import type { List, Value } from '../types.ts'

export const dialect = 'liquid'

/**
 * The elements whose property does not equal the target, or is not true when there is no target. The result is nil
 * when an element has no properties.
 * @throws ArgumentFault for an integer element
 */
export function reject(input: List, property: Value, target: Value = null): readonly unknown[] | null {
  return selectMatching(items(input), property, target, false)
}
