/** `hash_merge`: two hashes merged. */
import { ArgumentFault } from '../../fault.ts'
import { isHash, mergeHashes } from '../../values/access.ts'
import type { Hash, NamedArguments, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * A new hash: the first hash with the keys of the second set. Nil counts as an empty hash.
 * @throws ArgumentFault when one of them is not a hash
 */
export function hash_merge(input: Hash, more: NamedArguments<{ [key: string]: Value }>): Record<string, unknown> {
  if (isHash(input) && isHash(more)) return mergeHashes(input, more)
  return mergeHashes(mergeArgument(input, 'first'), mergeArgument(more, 'second'))
}

function mergeArgument(value: unknown, which: string): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (!isHash(value)) throw new ArgumentFault(`hash_merge filter - ${which} argument must be a hash`)
  return value
}
