/** `hash_keys`: the keys of a hash. */
import { keys } from '../../values/access.ts'
import { optionalHashArgument } from '../arguments.ts'
import type { Hash } from '../types.ts'

export const dialect = 'platform'

/**
 * The keys, in their order.
 * @throws ArgumentFault when the input is neither a hash nor nil
 */
export function hash_keys(input: Hash): readonly unknown[] {
  return keys(optionalHashArgument(input, 'hash_keys'))
}
