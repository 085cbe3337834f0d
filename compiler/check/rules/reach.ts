/** Which templates can be reached, which of them by names that are not known, and what follows for the calls between them. */
import { recursivePartial } from '../../diagnostics/codes/calls/recursive-partial.ts'
import { rollbackOutsideTransaction } from '../../diagnostics/codes/calls/rollback-outside-transaction.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Site } from '../../model/site.ts'
import type { OutgoingCall, OutgoingQuery, UnitFacts } from './facts.ts'

export interface Reach {
  /** Files that something can run. */
  readonly reached: ReadonlySet<string>
  /** Files that a computed name, or the host, can enter: not all that is passed to them is known. */
  readonly open: ReadonlySet<string>
  /** Files that an include can enter. */
  readonly included: ReadonlySet<string>
}

/** `calls` gives what a file calls, with the calls of its settings. */
export function reachOf(
  site: Site,
  roots: ReadonlySet<string>,
  calls: (file: string) => readonly OutgoingCall[],
): Reach {
  const everyPartial = [...new Set([...site.partials.values()].map((unit) => unit.file.path))]
  const reached = new Set<string>()
  const queue = [...roots]
  const reachAll = (from: string[]): void => {
    for (let file = from.pop(); file !== undefined; file = from.pop()) {
      if (reached.has(file)) continue
      reached.add(file)
      for (const call of calls(file)) from.push(...(call.targets ?? everyPartial))
    }
  }
  reachAll(queue)
  const open = new Set<string>()
  const included = new Set<string>()
  for (const unit of site.units) {
    const file = unit.file.path
    for (const call of calls(file)) {
      const targets = call.targets ?? everyPartial
      for (const target of targets) {
        if (call.open || call.kind === 'theme') open.add(target)
        if (call.kind === 'include') included.add(target)
      }
    }
    if (roots.has(file)) open.add(file)
  }
  return { reached, open, included }
}

/** Whether a site is more than a module, whose files stand in the sites that install it: it has pages that no module brings. */
export function hasOwnPages({ pages }: Site): boolean {
  return pages.some(({ file }) => file.module === null || file.override)
}

/**
 * Tells of a file whether a page surely comes to it: over calls that name one file, and queries that name one document. A site
 * without pages of its own is a module, which others install beside what it needs: nothing is sure of it.
 */
export function runByPages(
  site: Site,
  calls: (file: string) => readonly OutgoingCall[],
  queries: (file: string) => readonly OutgoingQuery[],
): (file: string) => boolean {
  if (site.openEntries) return () => true
  const run = new Set<string>()
  if (hasOwnPages(site)) {
    for (const { file, settings } of site.pages) {
      run.add(file.path)
      const layout = site.pageLayouts.get(file.path)
      if (layout !== undefined) run.add(layout.file.path)
      for (const { name } of settings.authorizationPolicies) {
        const policy = site.policies.get(name)
        if (policy !== undefined) run.add(policy.file.path)
      }
    }
  }
  for (const file of run) {
    for (const { open, kind, targets } of calls(file))
      if (!open && kind !== 'theme' && targets?.length === 1) run.add(targets[0] as string)
    for (const { open, names } of queries(file)) {
      const document = open || names.length !== 1 ? undefined : site.graphql.get(names[0] as string)
      if (document !== undefined) run.add(document.file.path)
    }
  }
  return (file) => run.has(file)
}

/**
 * A `rollback` that can run without a transaction around it: followed from the roots over calls that open none. A computed name is not
 * followed: it could be any partial, also one that is only meant for the inside of a transaction.
 */
export function checkRollbacks(
  site: Site,
  roots: ReadonlySet<string>,
  pieces: (file: string) => readonly UnitFacts[],
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  // A migration runs in a transaction of its own.
  const queue = [...roots].map((file) => {
    const kind = site.byFile.get(file)?.file.kind
    // The library renders pieces of sites, and nobody knows what stands around them.
    return { file, open: kind === 'migration' || (site.openEntries && (kind === 'partial' || kind === 'layout')) }
  })
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const { file, open } = item
    if (seen.has(`${open} ${file}`)) continue
    seen.add(`${open} ${file}`)
    for (const facts of pieces(file)) {
      for (const { note, inTransaction } of facts.notes) {
        if (note.kind === 'rollback' && !inTransaction && !open) diagnostics.push(rollbackOutsideTransaction(note.span))
      }
      for (const call of facts.calls) {
        // A job begins when the transaction that queued it is over.
        const inside = call.kind !== 'background' && (open || call.inTransaction)
        queue.push(...(call.targets ?? []).map((target) => ({ file: target, open: inside })))
      }
    }
  }
  return diagnostics
}

/** Partials that call each other without any condition: each cycle once, at its first call. */
export function checkRecursion(site: Site, facts: (file: string) => UnitFacts | undefined): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const names = new Map<string, string>()
  for (const [name, unit] of site.partials) if (!names.has(unit.file.path)) names.set(unit.file.path, name)
  const state = new Map<string, 'open' | 'done'>()
  for (const start of names.keys()) {
    if (state.has(start)) continue
    const path: { readonly file: string; readonly calls: readonly OutgoingCall[]; at: number }[] = []
    const enter = (file: string) => {
      state.set(file, 'open')
      const calls =
        facts(file)?.calls.filter(
          (call) => call.certain && call.kind !== 'background' && call.targets?.length === 1 && !call.open,
        ) ?? []
      path.push({ file, calls, at: 0 })
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
  }
  return diagnostics
}
