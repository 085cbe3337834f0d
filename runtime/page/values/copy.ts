/** Copies of values: of what a template is about to change, and of what outlives the request that reads it. */
import { copyHash, entries, isHash, makeHash } from './hash.ts'
import { MAX_DEPTH, MAX_ITEMS, tooDeep, tooMany } from './limits.ts'
import { Worded } from './worded.ts'

/** A copy of a hash or array, and of all hashes and arrays in it; every other value as it is. @throws ArgumentFault for a value nested without end */
export function deepCopy(v: unknown): unknown {
  return copied(v, 0, { visits: 0 })
}

function copied(v: unknown, depth: number, state: { visits: number }): unknown {
  if (typeof v !== 'object' || v === null) return v
  if (depth > MAX_DEPTH) throw tooDeep()
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(v)) return v.map((item) => copied(item, depth + 1, state))
  if (!isHash(v)) return v
  return makeHash(entries(v).map(([key, value]): [string, unknown] => [key, copied(value, depth + 1, state)]))
}

/** What a filter that changes its input is given in place of a part of `context`: a copy of a hash, so that the part stays as it is. */
export function suppliedCopy(v: unknown): unknown {
  // One that is a text as well is made for each read.
  return isHash(v) && !(v instanceof Worded) ? copyHash(v) : v
}
