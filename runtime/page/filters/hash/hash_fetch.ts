/** `hash_fetch`: the value of one key. */
import { at } from '../../values/access.ts'
import type { Hash, Textual } from '../types.ts'

export const aliases = ['fetch'] as const
export const deprecated = 'hash_dig'
export const dialect = 'platform'

/** The value of the key; nil when there is none. */
export function hash_fetch(input: Hash, key: Textual): unknown {
  return at(input, key)
}
