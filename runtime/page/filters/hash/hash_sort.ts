/** `hash_sort`: a hash with its keys in alphabetical order. */
import { entries, makeHash } from '../../values/access.ts'
import { compareText } from '../../values/compare.ts'
import { optionalHashArgument } from '../arguments.ts'
import type { Hash } from '../types.ts'

export const dialect = 'platform'

/**
 * A new hash with the same pairs, ordered by key.
 * @throws ArgumentFault when the input is neither a hash nor nil
 */
export function hash_sort(input: Hash): Record<string, unknown> {
  return makeHash(entries(optionalHashArgument(input, 'hash_sort')).sort(([a], [b]) => compareText(a, b)))
}
