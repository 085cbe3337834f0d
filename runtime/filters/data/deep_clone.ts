/** `deep_clone`: a copy of a value that shares nothing with it. */
import { entries, isHash, makeHash } from '../../values/access.ts'
import { MAX_DEPTH, MAX_ITEMS, tooDeep, tooMany } from '../../values/limits.ts'
import type { Value } from '../types.ts'

export const dialect = 'platform'

/**
 * A copy of a hash or array and of all that is in it.
 * @throws ArgumentFault for a value nested without end
 */
export function deep_clone(input: Value): unknown {
  return cloned(input, 0, { visits: 0 })
}

function cloned(v: unknown, depth: number, state: { visits: number }): unknown {
  if (typeof v !== 'object' || v === null) return v
  if (depth > MAX_DEPTH) throw tooDeep()
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(v)) return v.map((item) => cloned(item, depth + 1, state))
  if (!isHash(v)) return v
  return makeHash(entries(v).map(([key, value]): [string, unknown] => [key, cloned(value, depth + 1, state)]))
}
