/** `hash_add_key`: sets a key of a hash. */
import { setKey } from '../../values/access.ts'
import { str } from '../../values/text.ts'
import { hashArgument } from '../arguments.ts'
import type { Hash, Textual, Value } from '../types.ts'

export const aliases = ['add_hash_key', 'assign_to_hash_key'] as const
export const dialect = 'platform'

/**
 * Sets the key in place and returns the hash. A hash of `context` is not changed: the result is a copy.
 * @throws ArgumentFault when the input is not a hash
 */
export function hash_add_key(input: Hash, key: Textual, value: Value): Record<string, unknown> {
  const hash = hashArgument(input, 'hash_add_key')
  setKey(hash, str(key), value)
  return hash
}
