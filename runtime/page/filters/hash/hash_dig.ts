/** `hash_dig`: the value at the end of a path of keys. */
import { at } from '../../values/access.ts'
import { flatten } from '../../values/items.ts'
import type { Hash, Value } from '../types.ts'

export const aliases = ['dig'] as const
export const dialect = 'platform'

/**
 * The value at a path of keys; nil when a step finds nothing.
 * @throws ArgumentFault for a list of keys nested without end
 */
export function hash_dig(input: Hash, ...keys: Value[]): unknown {
  let value: unknown = input
  for (const key of flatten(keys)) {
    value = at(value, key)
    if (value === null || value === undefined) return null
  }
  return value ?? null
}
