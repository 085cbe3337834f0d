/** `hash_delete_key`: removes a key from a hash. */
import { removeKey } from '../../values/access.ts'
import { str } from '../../values/text.ts'
import { hashArgument } from '../arguments.ts'
import type { Hash, Textual } from '../types.ts'

export const aliases = ['delete_hash_key', 'remove_hash_key'] as const
export const dialect = 'platform'

/**
 * Removes the key in place and returns its value; nil when there was none. A hash of `context` is not changed.
 * @throws ArgumentFault when the input is not a hash
 */
export function hash_delete_key(input: Hash, key: Textual): unknown {
  return removeKey(hashArgument(input, 'hash_delete_key'), str(key))
}
