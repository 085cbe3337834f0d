/** Copies values that a template is about to change, and values that outlive the request. */
import { copyHash, entries, isHash, makeHash } from './hash.ts'
import { MAX_DEPTH, MAX_ITEMS, tooDeep, tooMany } from './value-limits.ts'
import { chargeReads } from './meter.ts'
import { TextualHash } from './textual-hash.ts'

/**
 * Copies a hash or array with all nested ones. Other values are returned unchanged.
 * @throws ArgumentFault for a value nested without end
 */
export function deepCopy(value: unknown): unknown {
  const state = { visits: 0 }
  const copy = copyValue(value, 0, state)
  chargeReads(state.visits)
  return copy
}

function copyValue(operand: unknown, depth: number, state: { visits: number }): unknown {
  if (typeof operand !== 'object' || operand === null) return operand
  if (depth > MAX_DEPTH) throw tooDeep()
  if (++state.visits > MAX_ITEMS) throw tooMany()
  if (Array.isArray(operand)) return operand.map((item) => copyValue(item, depth + 1, state))
  if (!isHash(operand)) return operand
  return makeHash(entries(operand).map(([key, value]): [string, unknown] => [key, copyValue(value, depth + 1, state)]))
}

/** Copies the input of a mutating filter when it is a hash in `context`, so that `context` is not changed. */
export function suppliedCopy(value: unknown): unknown {
  // A `TextualHash` is created anew for each read, so it needs no copy.
  return isHash(value) && !(value instanceof TextualHash) ? copyHash(value) : value
}
