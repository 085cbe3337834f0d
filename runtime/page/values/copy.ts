/** Copies values that a template is about to change, and values that outlive the request. */
import { copyHash, entries, isHash, makeHash } from './hash.ts'
import { MAX_DEPTH, MAX_ITEMS, tooDeep, tooMany } from './value-limits.ts'
import { chargeReads } from './meter.ts'
import { TextualHash } from './textual-hash.ts'

/**
 * Copies a hash or array with all nested ones. Other values are returned unchanged.
 * @throws ArgumentFault for a value nested without end
 */
export function deepCopy(v: unknown): unknown {
  const state = { visits: 0 }
  const copy = copyValue(v, 0, state)
  chargeReads(state.visits)
  return copy
}

function copyValue(v: unknown, depth: number, state: { visits: number }): unknown {
  if (typeof v !== 'object' || v === null) return v
  if (depth > MAX_DEPTH) throw tooDeep()
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(v)) return v.map((item) => copyValue(item, depth + 1, state))
  if (!isHash(v)) return v
  return makeHash(entries(v).map(([key, value]): [string, unknown] => [key, copyValue(value, depth + 1, state)]))
}

/** Copies the input of a mutating filter when it is a hash in `context`, so that `context` is not changed. */
export function suppliedCopy(v: unknown): unknown {
  // A `TextualHash` is created anew for each read, so it needs no copy.
  return isHash(v) && !(v instanceof TextualHash) ? copyHash(v) : v
}
