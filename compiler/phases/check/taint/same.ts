/** Whether a template that was read anew is to its callers what it was before: these need not be looked at again then. */
import { type Flow, taintKey, type Proof, type Taint } from './flow.ts'
import { CONTENT, type Place } from './places.ts'
import type { SummaryFace } from './summary.ts'
import { keysOf } from '../../../core/source/records.ts'

/** Values that are compared: two that are larger count as different. */
const MOST_VALUES = 2_000

/** Whether both stand for the same in every call. */
export function isSameFace(one: SummaryFace, other: SummaryFace): boolean {
  const left = { values: MOST_VALUES }
  return (
    isSamePlace(one.exit, other.exit) &&
    one.needs.size === other.needs.size &&
    [...one.needs].every((name) => other.needs.has(name)) &&
    isSameFlow(one.result, other.result, left) &&
    areSameFlows(one.frame, other.frame, left) &&
    areSameFlows(one.changes, other.changes, left) &&
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
  left: { values: number },
): boolean {
  if (one === null || other === null || one === other) return one === other
  if (one.size !== other.size) return false
  // Their order counts as well: where texts come together, only the first are kept.
  const others = other.entries()
  for (const [name, flow] of one) {
    const [otherName, otherFlow] = others.next().value ?? []
    if (name !== otherName || otherFlow === undefined || !isSameFlow(flow, otherFlow, left)) return false
  }
  return true
}

function isSameFlow(one: Flow | null, other: Flow | null, left: { values: number }): boolean {
  if (one === null || other === null || one === other) return one === other
  return (
    left.values-- > 0 &&
    one.head === other.head &&
    areSameTaints(one.taints, other.taints) &&
    isSameProof(one.proof, other.proof) &&
    areSameFlows(one.fields, other.fields, left) &&
    isSameFlow(one.items, other.items, left) &&
    isSameFlow(one.data, other.data, left)
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
  return (
    origin.span.end === otherOrigin.span.end &&
    origin.secret === otherOrigin.secret &&
    origin.stored === otherOrigin.stored
  )
}

function isSameProof(one: Proof | null, other: Proof | null): boolean {
  return one?.place === other?.place && one?.change.name === other?.change.name
}
