/** `map`: one property of every element. */
import { items } from '../../values/items.ts'
import { chargeReads } from '../../values/meter.ts'
import type { List, Value } from '../types.ts'
import { NO_PROPERTIES, toPropertyName, readProperty } from './property.ts'

export const dialect = 'platform'

/**
 * The property of each element, or nil when the element lacks it. Elements that are nil are omitted.
 * @throws ArgumentFault for an integer element
 */
export function map(input: List, property: Value): readonly unknown[] {
  const values: unknown[] = []
  const name = toPropertyName(property)
  const list = items(input)
  chargeReads(list.length)
  for (const item of list) {
    if (item === null || item === undefined) continue
    const propertyValue = readProperty(item, name)
    values.push(propertyValue === NO_PROPERTIES ? null : propertyValue)
  }
  return values
}
