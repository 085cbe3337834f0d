/** `array_find_index`: the indexes of the hashes that have certain values. */
import { arrayArgument } from '../arguments.ts'
import type { List, NamedArguments, Value } from '../types.ts'
import { createItemTest } from './conditions.ts'

export const dialect = 'platform'

/**
 * The indexes of all elements whose fields equal all conditions.
 * @throws ArgumentFault when the input is neither an array nor nil
 */
export function array_find_index(input: List, options: NamedArguments<{ [field: string]: Value }>): readonly unknown[] {
  const matches = createItemTest(options, 'array_find_index')
  const indexes: number[] = []
  arrayArgument(input, 'array_find_index').forEach((item, index) => {
    if (matches(item)) indexes.push(index)
  })
  return indexes
}
