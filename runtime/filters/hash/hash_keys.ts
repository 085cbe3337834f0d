/** `hash_keys`: the keys of a hash. */
import { keys } from '../../values/access.ts'
import { hashArgument } from '../options.ts'
import type { Hash } from '../types.ts'

export const dialect = 'platform'

/**
 * The keys, in their order.
 * @throws ArgumentFault when the input is no hash
 */
export function hash_keys(input: Hash): readonly unknown[] {
  return keys(hashArgument(input, 'hash_keys'))
}
