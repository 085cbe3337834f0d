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
  const list = items(input)
  let total: Numeral = 0
  if (property === null || property === undefined) {
    for (const value of list) total = add(total, toNumeral(value))
    return total
  }
  chargeReads(list.length)
  const name = toPropertyName(property)
  for (const item of list) {
    const value = readProperty(item, name)
    if (Array.isArray(value)) for (const inner of items(value)) total = add(total, toNumeral(inner))
    else if (value !== NO_PROPERTIES) total = add(total, toNumeral(value))
  }
  return total
}
