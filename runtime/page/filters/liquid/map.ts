/** `map` of base Liquid, which keeps nil elements. */
import { items } from '../../values/items.ts'
import { chargeReads } from '../../values/meter.ts'
import { NO_PROPERTIES, toPropertyName, readProperty } from '../array/property.ts'
import type { List, Value } from '../types.ts'

export const dialect = 'liquid'

/**
 * The property of each element, or nil when the element lacks it.
 * @throws ArgumentFault for an integer element
 */
export function map(input: List, property: Value): readonly unknown[] {
  const name = toPropertyName(property)
  const list = items(input)
  chargeReads(list.length)
  return list.map((item) => {
    const propertyValue = readProperty(item, name)
    return propertyValue === NO_PROPERTIES ? null : propertyValue
  })
}
