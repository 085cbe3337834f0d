/** `array_map`: several fields of every element. */
import { MAX_ITEMS, tooMany } from '../../values/value-limits.ts'
import { arrayArgument } from '../arguments.ts'
import { at } from '../../values/access.ts'
import { flatten } from '../../values/items.ts'
import type { List, Value } from '../types.ts'
import { toPropertyName } from './property.ts'

export const aliases = ['map_attributes'] as const
export const dialect = 'platform'

/**
 * An array for each element: the values of the given keys.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_map(input: List, ...attributes: Value[]): readonly unknown[] {
  const names = flatten(attributes).map(toPropertyName)
  const list = arrayArgument(input, 'array_map')
  if (list.length * names.length > MAX_ITEMS) throw tooMany()
  return list.map((item) => names.map((name) => at(item, name) ?? null))
}
