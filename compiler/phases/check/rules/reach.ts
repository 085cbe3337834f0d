/** Which templates can be reached, which of them by names that are not known, and what follows for the calls between them. */
import { recursivePartial } from '../../../core/diagnostics/codes/calls/recursive-partial.ts'
import { rollbackOutsideTransaction } from '../../../core/diagnostics/codes/calls/rollback-outside-transaction.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derived, derivedFromFrame } from '../../../core/model/derived.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { OutgoingCall, UnitFacts } from './facts.ts'

export interface Reach {
  /** Files that something can run. */
  readonly reached: ReadonlySet<string>
  /** Files that a computed name, or the host, can enter: not all that is passed to them is known. */
  readonly open: ReadonlySet<string>
  /** Files that an include can enter. */
  readonly included: ReadonlySet<string>
}

/** `calls` gives what a file calls, with the calls of its settings. */
export function* reachSteps(
  site: Site,
  roots: ReadonlySet<string>,
  calls: (file: string) => readonly OutgoingCall[],
): Steps<Reach> {
  const everyPartial = [...new Set([...site.partials.values()].map((unit) => unit.file.path))]
  const reached = new Set(roots)
  const addAll = (files: Set<string>, targets: OutgoingCall['targets']): void => {
    for (const target of targets ?? everyPartial) files.add(target)
  }
  yield* forEachInSteps(reached, (file) => {
    for (const { targets } of calls(file)) addAll(reached, targets)
  })
  const open = new Set<string>()
  const included = new Set<string>()
  yield* forEachInSteps(site.units, ({ file: { path } }) => {
    for (const call of calls(path)) {
      if (call.open || call.kind === 'theme') addAll(open, call.targets)
      if (call.kind === 'include') addAll(included, call.targets)
    }
    if (roots.has(path)) open.add(path)
  })
  return { reached, open, included }
}

/** Whether a site is more than a module, whose files stand in the sites that install it: it has pages that no module brings. */
export function hasOwnPages({ pages }: Site): boolean {
  return pages.some(({ file }) => file.module === null || file.override)
}

const rollsBack = derived(({ notes }: UnitFacts) =>
  notes.some(({ note, inTransaction }) => note.kind === 'rollback' && !inTransaction),
)

function anyRollsBack(all: Iterable<UnitFacts>): boolean {
  for (const facts of all) if (rollsBack(facts)) return true
  return false
}

/**
 * A `rollback` that can run without a transaction around it: followed from the roots over calls that open none. A computed name is not
 * followed: it could be any partial, also one that is only meant for the inside of a transaction.
 * @param pieces what runs with a file
 * @param all of the site
 */
export function* checkRollbacks(
  site: Site,
  roots: ReadonlySet<string>,
  pieces: (file: string) => readonly UnitFacts[],
  all: Iterable<UnitFacts>,
): Steps<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  if (!anyRollsBack(all)) return diagnostics
  /** Files, each with whether a transaction is open around it, by both. */
  const entered = new Map<string, { readonly file: string; readonly open: boolean }>()
  const enter = (file: string, open: boolean) => {
    const key = `${open} ${file}`
    if (!entered.has(key)) entered.set(key, { file, open })
  }
  for (const file of roots) {
    const kind = site.byFile.get(file)?.file.kind
    // A migration runs in a transaction of its own. The library renders pieces of sites, and nobody knows what stands around them.
    enter(file, kind === 'migration' || (site.openEntries && (kind === 'partial' || kind === 'layout')))
  }
  yield* forEachInSteps(entered.values(), ({ file, open }) => {
    for (const facts of pieces(file)) {
      for (const { note, inTransaction } of facts.notes)
        if (note.kind === 'rollback' && !inTransaction && !open) diagnostics.push(rollbackOutsideTransaction(note.span))
      // A job begins when the transaction that queued it is over.
      for (const { kind, inTransaction, targets } of facts.calls)
        for (const target of targets ?? []) enter(target, kind !== 'background' && (open || inTransaction))
    }
  })
  return diagnostics
}

/** Calls of one file that run whenever the template does. */
const certainCalls = derived(({ calls }: UnitFacts) =>
  calls.filter((call) => call.certain && call.kind !== 'background' && call.targets?.length === 1 && !call.open),
)

/** By the paths of partials, the first name of each. */
const namesOfPartials = derivedFromFrame(({ partials }) => {
  const names = new Map<string, string>()
  for (const [name, unit] of partials) if (!names.has(unit.file.path)) names.set(unit.file.path, name)
  return names
})

/** Partials that call each other without any condition: each cycle once, at its first call. */
export function* checkRecursion(
  site: Site,
  facts: (file: string) => UnitFacts | undefined,
): Steps<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  const names = namesOfPartials(site)
  const callsIn = (file: string): readonly OutgoingCall[] => {
    const known = facts(file)
    return known === undefined ? [] : certainCalls(known)
  }
  const state = new Map<string, 'open' | 'done'>()
  yield* forEachInSteps(names.keys(), (start) => {
    if (state.has(start) || callsIn(start).length === 0) return
    const path: { readonly file: string; readonly calls: readonly OutgoingCall[]; at: number }[] = []
    const enter = (file: string) => {
      state.set(file, 'open')
      path.push({ file, calls: callsIn(file), at: 0 })
    }
    enter(start)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const call = top.calls[top.at++]
      const target = call?.targets?.[0]
      if (call === undefined || target === undefined) {
        state.set(top.file, 'done')
        path.pop()
      } else if (state.get(target) === 'open') {
        const from = path.findIndex((each) => each.file === target)
        const cycle = path.slice(from)
        const first = cycle[0]
        const at = first?.calls[first.at - 1]
        if (at !== undefined)
          diagnostics.push(
            recursivePartial(at.span, [
              ...cycle.map((each) => names.get(each.file) ?? each.file),
              names.get(target) ?? target,
            ]),
          )
      } else if (!state.has(target)) enter(target)
    }
  })
  return diagnostics
}
