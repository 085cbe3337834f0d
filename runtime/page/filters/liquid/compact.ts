/** `compact` of base Liquid: a list without nil. */
import { items } from '../../values/items.ts'
import { NO_PROPERTIES, nameOf, property as propertyOf } from '../array/property.ts'
import type { List, Value } from '../types.ts'

export const dialect = 'liquid'

/**
 * The elements that are not nil, or whose property is not; nil when one has no properties.
 * @throws ArgumentFault for an integer element
 */
export function compact(input: List, property: Value = null): readonly unknown[] | null {
  const list = items(input)
  if (property === null || property === undefined) return list.filter((item) => item !== null && item !== undefined)
  const kept: unknown[] = []
  const name = nameOf(property)
  for (const item of list) {
    const found = propertyOf(item, name)
    if (found === NO_PROPERTIES) return null
    if (found !== null && found !== undefined) kept.push(item)
  }
  return kept
}
