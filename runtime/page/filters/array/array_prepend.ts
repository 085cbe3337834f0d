/** `array_prepend`: a list with one more element at its start. */
import { arrayArgument } from '../arguments.ts'
import { MAX_ITEMS, tooMany } from '../../values/value-limits.ts'
import type { List, Value } from '../types.ts'

export const aliases = ['prepend_to_array'] as const
export const dialect = 'platform'

/**
 * A new array: the item and then the elements.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_prepend(input: List, item: Value): readonly unknown[] {
  const list = arrayArgument(input, 'array_prepend')
  if (list.length >= MAX_ITEMS) throw tooMany()
  return [item, ...list]
}
