/** `sum`: the sum of a list. */
import { items } from '../../values/items.ts'
import { add, toNumeral } from '../../values/number.ts'
import { chargeReads } from '../../values/meter.ts'
import type { List, Numeral, Value } from '../types.ts'
import { NO_PROPERTIES, toPropertyName, readProperty } from './property.ts'

/**
 * The sum of the elements, or of one property of them. Values that are not numbers count as 0.
 * @throws ArgumentFault for an integer element when a property is named
 */
export function sum(input: List, property: Value = null): Numeral {
  let total: Numeral = 0
  for (const value of items(readValues(items(input), property))) total = add(total, toNumeral(value))
  return total
}

function readValues(list: readonly unknown[], property: unknown): readonly unknown[] {
  if (property === null || property === undefined) return list
  chargeReads(list.length)
  const name = toPropertyName(property)
  return list.map((item) => {
    const propertyValue = readProperty(item, name)
    return propertyValue === NO_PROPERTIES ? 0 : propertyValue
  })
}
