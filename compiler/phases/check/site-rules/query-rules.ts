/** Reports stored queries that no template runs, and queries that run once per iteration of a loop. */
import { nestedQuery } from '../rules/queries/nested-query.ts'
import { unusedQuery } from '../rules/queries/unused-query.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { turnsOf } from '../walk/loop-turns.ts'
import type { OutgoingCall, OutgoingQuery, UnitFacts } from '../walk/facts.ts'

type FactsByFile = ReadonlyMap<string, readonly UnitFacts[]>

/** Reports stored queries that no template runs. */
export function checkUnusedQueries(
  site: Site,
  { storedOperations }: Operations,
  facts: FactsByFile,
): readonly Diagnostic[] {
  if (hasUnreadableTemplate(site)) return []
  const usedNames = new Set<string>()
  for (const each of facts.values())
    for (const { queries } of each)
      for (const { names, suggested } of queries) for (const name of [...names, ...suggested]) usedNames.add(name)
  const diagnostics: Diagnostic[] = []
  for (const [name, { span }] of storedOperations) {
    const file = site.byFile.get(span.file)?.file
    // Other sites may use the queries of a module.
    if (usedNames.has(name) || file === undefined || file.module !== null || file.override) continue
    diagnostics.push(unusedQuery({ ...span, end: span.start }, name))
  }
  return diagnostics
}

/** Returns whether a template of the site could not be parsed, so that its calls are unknown. */
export function hasUnreadableTemplate(site: Site): boolean {
  for (const { template } of site.byFile.values()) if (template?.isBroken === true) return true
  return false
}

/** One step on the path from a loop to a query: a call, or the query itself. */
interface CallStep {
  readonly span: Span
  readonly name: string
}

/** Reports each query in a loop, at the query itself or at the call in the loop that leads to it. */
export function checkNesting(site: Site, operations: Operations, facts: FactsByFile): readonly Diagnostic[] {
  const names = new Map<string, string>()
  for (const [name, unit] of site.partials) if (!names.has(unit.file.path)) names.set(unit.file.path, name)
  const diagnostics: Diagnostic[] = []
  const add = (span: Span, query: string | null, path: readonly CallStep[]) =>
    diagnostics.push(nestedQuery(span, query, path, turnsOf(span, site, operations)))
  for (const [file, each] of facts) {
    // A migration runs only once, and has to write its rows one by one.
    if (site.byFile.get(file)?.file.kind === 'migration') continue
    for (const { queries, calls } of each) {
      for (const query of queries) if (query.inLoop && !query.isCached) add(query.span, queryName(query), [])
      for (const call of calls) {
        if (!call.inLoop || call.isCached || call.kind === 'background') continue
        const nested = findNestedQuery(call, facts, names)
        if (nested !== null) add(call.span, queryName(nested.query), nested.path)
      }
    }
  }
  return diagnostics
}

function queryName({ names, open }: OutgoingQuery): string | null {
  return open || names.length !== 1 ? null : (names[0] ?? null)
}

interface ReachedQuery {
  readonly query: OutgoingQuery
  readonly path: readonly CallStep[]
}

/** Returns the nearest query that a call definitely runs, breadth first; null for none. Loops in callees are reported there. */
function findNestedQuery(
  call: OutgoingCall,
  facts: FactsByFile,
  names: ReadonlyMap<string, string>,
): ReachedQuery | null {
  const seen = new Set<string>()
  const queue: { readonly file: string; readonly path: readonly CallStep[] }[] = []
  const enqueue = ({ targets, open }: OutgoingCall, path: readonly CallStep[]): void => {
    if (targets === null || open) return
    for (const file of targets) {
      if (seen.has(file)) continue
      seen.add(file)
      queue.push({ file, path })
    }
  }
  enqueue(call, [])
  // The loop also visits the entries that `enqueue` adds during the loop.
  for (const { file, path } of queue) {
    const fileFacts = facts.get(file) ?? []
    for (const { queries } of fileFacts) {
      const query = queries.find((each) => !each.inLoop && !each.isCached)
      if (query !== undefined)
        return { query, path: [...path, { span: query.span, name: `${stepName(file, names)} runs it here` }] }
    }
    for (const { calls } of fileFacts) {
      for (const next of calls) {
        if (next.inLoop || next.isCached || next.kind === 'background') continue
        enqueue(next, [...path, { span: next.span, name: `${stepName(file, names)} calls on` }])
      }
    }
  }
  return null
}

function stepName(file: string, names: ReadonlyMap<string, string>): string {
  return `\`${names.get(file) ?? file}\``
}
