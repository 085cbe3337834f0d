/** Rules over all queries of a site: those that nothing runs, and those that run once for every turn of a loop. */
import { nestedQuery } from '../../../core/diagnostics/codes/queries/nested-query.ts'
import { unusedQuery } from '../../../core/diagnostics/codes/queries/unused-query.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { turnsOf } from './loop-turns.ts'
import type { OutgoingCall, OutgoingQuery, UnitFacts } from './facts.ts'

type FactsByFile = ReadonlyMap<string, readonly UnitFacts[]>

export function checkUnusedQueries(site: Site, { stored }: Operations, facts: FactsByFile): readonly Diagnostic[] {
  if (hasUnreadableTemplate(site)) return []
  const used = new Set<string>()
  for (const each of facts.values())
    for (const { queries } of each)
      for (const { names, suggested } of queries) for (const name of [...names, ...suggested]) used.add(name)
  const diagnostics: Diagnostic[] = []
  for (const [name, { span }] of stored) {
    const file = site.byFile.get(span.file)?.file
    // A module offers its queries to sites that are not here.
    if (used.has(name) || file === undefined || file.module !== null || file.override) continue
    diagnostics.push(unusedQuery({ ...span, end: span.start }, name))
  }
  return diagnostics
}

/** Whether a template of the site could not be read: what it calls is not known. */
export function hasUnreadableTemplate(site: Site): boolean {
  for (const { template } of site.byFile.values()) if (template?.broken === true) return true
  return false
}

/** One step of the way from a loop to a query: the call, or the query itself. */
interface CallStep {
  readonly span: Span
  readonly name: string
}

/** Each query in a loop, at the query or at the call of the loop's turn that leads to it. */
export function checkNesting(site: Site, operations: Operations, facts: FactsByFile): readonly Diagnostic[] {
  const names = new Map<string, string>()
  for (const [name, unit] of site.partials) if (!names.has(unit.file.path)) names.set(unit.file.path, name)
  const diagnostics: Diagnostic[] = []
  const add = (span: Span, query: string | null, path: readonly CallStep[]) =>
    diagnostics.push(nestedQuery(span, query, path, turnsOf(span, site, operations)))
  for (const [file, each] of facts) {
    // A migration runs once, and writes a row after another.
    if (site.byFile.get(file)?.file.kind === 'migration') continue
    for (const { queries, calls } of each) {
      for (const query of queries) if (query.inLoop && !query.cached) add(query.span, nameOf(query), [])
      for (const call of calls) {
        if (!call.inLoop || call.cached || call.kind === 'background') continue
        const reached = queryBehind(call, facts, names)
        if (reached !== null) add(call.span, nameOf(reached.query), reached.path)
      }
    }
  }
  return diagnostics
}

function nameOf({ names, open }: OutgoingQuery): string | null {
  return open || names.length !== 1 ? null : (names[0] ?? null)
}

interface ReachedQuery {
  readonly query: OutgoingQuery
  readonly path: readonly CallStep[]
}

/** The nearest query that a call surely leads to, breadth first. What loops there itself is reported there. */
function queryBehind(call: OutgoingCall, facts: FactsByFile, names: ReadonlyMap<string, string>): ReachedQuery | null {
  const seen = new Set<string>()
  const queue: { readonly file: string; readonly path: readonly CallStep[] }[] = []
  const enter = ({ targets, open }: OutgoingCall, path: readonly CallStep[]): void => {
    if (targets === null || open) return
    for (const file of targets) {
      if (seen.has(file)) continue
      seen.add(file)
      queue.push({ file, path })
    }
  }
  enter(call, [])
  // The loop also visits the entries that `enter` adds.
  for (const { file, path } of queue) {
    const own = facts.get(file) ?? []
    for (const { queries } of own) {
      const query = queries.find((each) => !each.inLoop && !each.cached)
      if (query !== undefined)
        return { query, path: [...path, { span: query.span, name: `${stepName(file, names)} runs it here` }] }
    }
    for (const { calls } of own) {
      for (const next of calls) {
        if (next.inLoop || next.cached || next.kind === 'background') continue
        enter(next, [...path, { span: next.span, name: `${stepName(file, names)} calls on` }])
      }
    }
  }
  return null
}

function stepName(file: string, names: ReadonlyMap<string, string>): string {
  return `\`${names.get(file) ?? file}\``
}
