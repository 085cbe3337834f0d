/** `hash_values`: the values of a hash. */
import { entries } from '../../values/access.ts'
import { optionalHashArgument } from '../arguments.ts'
import type { Hash } from '../types.ts'

export const dialect = 'platform'

/**
 * The values, in the order of their keys.
 * @throws ArgumentFault when the input is neither a hash nor nil
 */
export function hash_values(input: Hash): readonly unknown[] {
  return entries(optionalHashArgument(input, 'hash_values')).map(([, value]) => value)
}
