/** `array_select`: the hashes that have certain values. */
import { arrayArgument } from '../arguments.ts'
import type { List, NamedArguments, Value } from '../types.ts'
import { createItemTest } from './conditions.ts'

export const aliases = ['select'] as const
export const dialect = 'platform'

/**
 * The elements whose fields equal all conditions.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_select(
  input: List,
  options: NamedArguments<{ [field: string]: Value }> = null,
): readonly unknown[] {
  return arrayArgument(input, 'array_select').filter(createItemTest(options, 'array_select'))
}
