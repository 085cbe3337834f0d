/** `hash_except`: a hash without some keys. */
import { entries, makeHash } from '../../values/access.ts'
import { items } from '../../values/items.ts'
import { str } from '../../values/text.ts'
import { optionalHashArgument } from '../arguments.ts'
import type { Hash, List } from '../types.ts'

export const dialect = 'platform'

/**
 * A new hash without the listed keys.
 * @throws ArgumentFault when the input is neither a hash nor nil
 */
export function hash_except(input: Hash, except: List): Record<string, unknown> {
  const hash = optionalHashArgument(input, 'hash_except')
  const removed = new Set(items(except).map(str))
  return makeHash(entries(hash).filter(([key]) => !removed.has(key)))
}
