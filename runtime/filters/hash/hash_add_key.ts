/** `hash_add_key`: a hash with one more key. */
import { copyHash, setKey } from '../../values/access.ts'
import { str } from '../../values/text.ts'
import { hashArgument } from '../options.ts'
import type { Hash, Textual, Value } from '../types.ts'

export const aliases = ['add_hash_key', 'assign_to_hash_key'] as const
export const dialect = 'platform'

/**
 * A new hash with the key set to the value.
 * @throws ArgumentFault when the input is no hash
 */
export function hash_add_key(input: Hash, key: Textual, value: Value): Record<string, unknown> {
  const hash = copyHash(hashArgument(input, 'hash_add_key'))
  setKey(hash, str(key), value)
  return hash
}
