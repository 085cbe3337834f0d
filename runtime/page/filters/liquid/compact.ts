/** `compact` of base Liquid: a list without nil. */
import { items } from '../../values/items.ts'
import { NO_PROPERTIES, toPropertyName, readProperty } from '../array/property.ts'
import type { List, Value } from '../types.ts'

export const dialect = 'liquid'

/**
 * The elements that are not nil, or with a property, the elements whose property is not nil. The result is nil when
 * an element has no properties.
 * @throws ArgumentFault for an integer element
 */
export function compact(input: List, property: Value = null): readonly unknown[] | null {
  const list = items(input)
  if (property === null || property === undefined) return list.filter((item) => item !== null && item !== undefined)
  const selected: unknown[] = []
  const name = toPropertyName(property)
  for (const item of list) {
    const propertyValue = readProperty(item, name)
    if (propertyValue === NO_PROPERTIES) return null
    if (propertyValue !== null && propertyValue !== undefined) selected.push(item)
  }
  return selected
}
