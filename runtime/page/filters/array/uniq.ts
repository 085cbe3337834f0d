/** `uniq`: a list without duplicates. */
import { items } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { distinct } from './distinct.ts'
import { NO_PROPERTIES, toPropertyName, readProperty } from './property.ts'

/**
 * The elements without those that equal an earlier one, or have the same property. The result is nil when an element
 * has no properties.
 * @throws ArgumentFault for an integer element when a property is named
 */
export function uniq(input: List, property: Value = null): readonly unknown[] | null {
  const list = items(input)
  if (property === null || property === undefined) return distinct(list, (item) => item)
  // A single element is returned without reading its property.
  if (list.length === 1) return list
  const name = toPropertyName(property)
  const propertyValues = list.map((item) => readProperty(item, name))
  return propertyValues.includes(NO_PROPERTIES) ? null : distinct(list, (_, index) => propertyValues[index])
}
