/** `array_map`: several fields of every element. */
import { arrayArgument } from '../options.ts'
import { at } from '../../values/access.ts'
import { flattened } from '../../values/items.ts'
import type { List, Value } from '../types.ts'

export const aliases = ['map_attributes'] as const
export const dialect = 'platform'

/**
 * An array for each element: the values of the given keys.
 * @throws ArgumentFault when the input is no array
 */
export function array_map(input: List, ...attributes: Value[]): readonly unknown[] {
  const names = flattened(attributes)
  return arrayArgument(input, 'array_map').map((item) => names.map((name) => at(item, name) ?? null))
}
