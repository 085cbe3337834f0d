/** `hash_delete_key`: takes a key out of a hash. */
import { removeKey } from '../../values/access.ts'
import { str } from '../../values/text.ts'
import { hashArgument } from '../options.ts'
import type { Hash, Textual } from '../types.ts'

export const aliases = ['delete_hash_key', 'remove_hash_key'] as const
export const dialect = 'platform'

/**
 * Removes the key from the very hash that it is given, and gives the value it had; nil when there was none. A part of `context`
 * stays as it is.
 * @throws ArgumentFault when the input is no hash
 */
export function hash_delete_key(input: Hash, key: Textual): unknown {
  return removeKey(hashArgument(input, 'hash_delete_key'), str(key))
}
