/** Compares summaries from the view of callers: if a template's forCallers is the same after an edit, its callers keep their summaries. */
import { type Flow, taintKey, type Proof, type Taint } from './flow.ts'
import { CONTENT, type Place } from './places.ts'
import type { CallerSummary } from './summary.ts'
import { keysOf } from '../../../../core/source/records.ts'

/** Maximum number of values that are compared. Larger summaries count as different. */
const MAX_VALUES = 2_000

/** Returns whether what callers see is equivalent for every call. */
export function isSameForCallers(one: CallerSummary, other: CallerSummary): boolean {
  const budget = { values: MAX_VALUES }
  return (
    isSamePlace(one.exit, other.exit) &&
    one.neededNames.size === other.neededNames.size &&
    [...one.neededNames].every((name) => other.neededNames.has(name)) &&
    isSameFlow(one.result, other.result, budget) &&
    areSameFlows(one.frame, other.frame, budget) &&
    areSameFlows(one.changes, other.changes, budget) &&
    (one.printed === other.printed || areSameTaints(one.printed(), other.printed()))
  )
}

const PLACE_PARTS = keysOf(CONTENT)

function isSamePlace(one: Place, other: Place): boolean {
  return PLACE_PARTS.every((part) => one[part] === other[part])
}

function areSameFlows(
  one: ReadonlyMap<string, Flow> | null,
  other: ReadonlyMap<string, Flow> | null,
  budget: { values: number },
): boolean {
  if (one === null || other === null || one === other) return one === other
  if (one.size !== other.size) return false
  // The order is also compared, because a join of taints keeps only the first ones.
  const others = other.entries()
  for (const [name, flow] of one) {
    const [otherName, otherFlow] = others.next().value ?? []
    if (name !== otherName || otherFlow === undefined || !isSameFlow(flow, otherFlow, budget)) return false
  }
  return true
}

function isSameFlow(one: Flow | null, other: Flow | null, budget: { values: number }): boolean {
  if (one === null || other === null || one === other) return one === other
  return (
    budget.values-- > 0 &&
    one.head === other.head &&
    areSameTaints(one.taints, other.taints) &&
    isSameProof(one.proof, other.proof) &&
    areSameFlows(one.fields, other.fields, budget) &&
    isSameFlow(one.items, other.items, budget) &&
    isSameFlow(one.data, other.data, budget)
  )
}

function areSameTaints(one: readonly Taint[], other: readonly Taint[]): boolean {
  if (one.length !== other.length) return false
  return one.every((taint, at) => {
    const counterpart = other[at]
    return counterpart !== undefined && isSameTaint(taint, counterpart)
  })
}

function isSameTaint(one: Taint, other: Taint): boolean {
  if (one === other) return true
  const [origin, otherOrigin] = [one.origin, other.origin]
  if (taintKey(one) !== taintKey(other) || origin.kind !== otherOrigin.kind) return false
  if (origin.kind !== 'source' || otherOrigin.kind !== 'source') return true
  return origin.secret === otherOrigin.secret && origin.stored === otherOrigin.stored
}

function isSameProof(one: Proof | null, other: Proof | null): boolean {
  return one?.place === other?.place && one?.change.name === other?.change.name
}
