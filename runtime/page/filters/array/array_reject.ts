/** `array_reject`: the hashes that do not have certain values. */
import { arrayArgument } from '../arguments.ts'
import type { List, NamedArguments, Value } from '../types.ts'
import { createItemTest } from './conditions.ts'

export const aliases = ['reject'] as const
export const dialect = 'platform'

/**
 * The elements whose fields do not equal all conditions.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_reject(
  input: List,
  options: NamedArguments<{ [field: string]: Value }> = null,
): readonly unknown[] {
  const matches = createItemTest(options, 'array_reject')
  return arrayArgument(input, 'array_reject').filter((item) => !matches(item))
}
