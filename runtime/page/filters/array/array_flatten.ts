/** `array_flatten`: a list with nested lists flattened. */
import { arrayArgument } from '../arguments.ts'
import { flatten } from '../../values/items.ts'
import type { List } from '../types.ts'

export const aliases = ['flatten'] as const
export const dialect = 'platform'

/**
 * The elements of the array and of all arrays in it.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_flatten(input: List): readonly unknown[] {
  return flatten(arrayArgument(input, 'array_flatten'))
}
