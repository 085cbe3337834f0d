/** `map`: one property of every element. */
import { items } from '../../values/items.ts'
import { chargeReads } from '../../values/meter.ts'
import type { List, Value } from '../types.ts'
import { NO_PROPERTIES, nameOf, property as propertyOf } from './property.ts'

export const dialect = 'platform'

/**
 * The property of each element, nil where one lacks it; elements that are nil are left out.
 * @throws ArgumentFault for an integer element
 */
export function map(input: List, property: Value): readonly unknown[] {
  const values: unknown[] = []
  const name = nameOf(property)
  const list = items(input)
  chargeReads(list.length)
  for (const item of list) {
    if (item === null || item === undefined) continue
    const found = propertyOf(item, name)
    values.push(found === NO_PROPERTIES ? null : found)
  }
  return values
}
