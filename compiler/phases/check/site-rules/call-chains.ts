/** Reports chains of calls that never end, and rollbacks that can run without a transaction. */
import { recursivePartial } from '../rules/calls/recursive-partial.ts'
import { rollbackOutsideTransaction } from '../rules/calls/rollback-outside-transaction.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derived, derivedFromFrame } from '../../../core/model/derived.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { OutgoingCall, UnitFacts } from '../walk/facts.ts'
import type { CheckedSite } from '../site/site-rule.ts'

/** Returns whether a template has a `rollback` that no transaction of the same template contains. */
const hasUnguardedRollback = derived(({ notes }: UnitFacts) =>
  notes.some(({ note, inTransaction }) => note.kind === 'rollback' && !inTransaction),
)

function hasAnyUnguardedRollback(allFacts: Iterable<UnitFacts>): boolean {
  for (const facts of allFacts) if (hasUnguardedRollback(facts)) return true
  return false
}

/**
 * Reports each `rollback` that can run without a transaction. It follows the calls from the roots. A call with a computed name that may run
 * any partial is ignored, because some partials are intended only for use in a transaction.
 */
export function* checkRollbacks({ site, roots, ownFacts, allFacts }: CheckedSite): Steps<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  if (!hasAnyUnguardedRollback(allFacts())) return diagnostics
  /** The visited files. A file is visited separately with and without an open transaction. */
  const visits = new Map<string, { readonly file: string; readonly isTransactionOpen: boolean }>()
  const addVisit = (file: string, isTransactionOpen: boolean) => {
    const key = `${isTransactionOpen} ${file}`
    if (!visits.has(key)) visits.set(key, { file, isTransactionOpen })
  }
  for (const file of roots) {
    const kind = site.byFile.get(file)?.file.kind
    // A migration runs in its own transaction. The library may render a partial or layout in a transaction of its host.
    addVisit(file, kind === 'migration' || (site.openEntries && (kind === 'partial' || kind === 'layout')))
  }
  yield* forEachInSteps(visits.values(), ({ file, isTransactionOpen }) => {
    for (const facts of ownFacts(file)) {
      for (const { note, inTransaction } of facts.notes)
        if (note.kind === 'rollback' && !inTransaction && !isTransactionOpen)
          diagnostics.push(rollbackOutsideTransaction(note.span))
      // A job begins after the end of the transaction that queued it.
      for (const { kind, inTransaction, targets } of facts.calls)
        for (const target of targets ?? [])
          addVisit(target, kind !== 'background' && (isTransactionOpen || inTransaction))
    }
  })
  return diagnostics
}

/** Returns the calls of one known file that run each time that the template runs. */
const certainCalls = derived(({ calls }: UnitFacts) =>
  calls.filter((call) => call.certain && call.kind !== 'background' && call.targets?.length === 1 && !call.open),
)

/** Returns the first name of each partial, by path. */
const namesOfPartials = derivedFromFrame(({ partials }) => {
  const names = new Map<string, string>()
  for (const [name, unit] of partials) if (!names.has(unit.file.path)) names.set(unit.file.path, name)
  return names
})

/** Reports partials that call each other unconditionally. Each cycle is reported once, at its first call. */
export function* checkRecursion({ site, factsOf }: CheckedSite): Steps<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  const names = namesOfPartials(site)
  const callsIn = (file: string): readonly OutgoingCall[] => {
    const ownFacts = factsOf(file)
    return ownFacts === undefined ? [] : certainCalls(ownFacts)
  }
  const visitStates = new Map<string, 'open' | 'done'>()
  yield* forEachInSteps(names.keys(), (start) => {
    if (visitStates.has(start) || callsIn(start).length === 0) return
    const path: { readonly file: string; readonly calls: readonly OutgoingCall[]; nextCall: number }[] = []
    const enter = (file: string) => {
      visitStates.set(file, 'open')
      path.push({ file, calls: callsIn(file), nextCall: 0 })
    }
    enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const call = top.calls[top.nextCall++]
      const target = call?.targets?.[0]
      if (call === undefined || target === undefined) {
        visitStates.set(top.file, 'done')
        path.pop()
      } else if (visitStates.get(target) === 'open') {
        const cycleStart = path.findIndex((each) => each.file === target)
        const cycle = path.slice(cycleStart)
        const first = cycle[0]
        const firstCall = first?.calls[first.nextCall - 1]
        if (firstCall !== undefined)
          diagnostics.push(
            recursivePartial(firstCall.span, [
              ...cycle.map((each) => names.get(each.file) ?? each.file),
              names.get(target) ?? target,
            ]),
          )
      } else if (!visitStates.has(target)) enter(target)
    }
  })
  return diagnostics
}
