/** `nested-query`: a query that runs in every iteration of a loop. */
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { OutgoingCall, OutgoingQuery, UnitFacts } from '../../walk/facts.ts'
import { addTo } from '../../../../core/model/groups.ts'
import { type Steps, forEachInSteps } from '../../../../core/model/steps.ts'
import { namesOfPartials } from '../../site/reach.ts'
import { turnsOf } from '../../walk/loop-turns.ts'

export const nestedQuery = message(
  'nested-query',
  'warning',
  'NestedGraphQLQuery',
  /** `iterations`: the most iterations that the loop can have; null if unknown. */
  (
    queryName: string | null,
    path: readonly { readonly span: Span; readonly name: string }[],
    iterations: number | null = null,
  ) => ({
    text: `${queryName === null ? 'A query' : `The query ${quote(queryName)}`} runs in every iteration of this loop${iterations === null ? '' : `: up to ${iterations} ${iterations === 1 ? 'time' : 'times'}`}.`,
    hint: 'Load the data with one query before the loop, or select it as a related record.',
    related: path.map(({ span, name }) => ({ span, message: name })),
  }),
  {
    wrong: bookSite({
      page: `{% for title in context.params.titles %}{% graphql g = 'books', title: title %}{{ g.records }}{% endfor %}`,
    }),
    right: bookSite({
      page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book.title }}{% endfor %}`,
    }),
  },
)

type FactsByFile = ReadonlyMap<string, readonly UnitFacts[]>

/** One step on the path from a loop to a query: a call, or the query itself. */
interface CallStep {
  readonly span: Span
  readonly name: string
}

/** Reports each query in a loop, at the query itself or at the call in the loop that leads to it. */
export function* checkNesting(checked: CheckedSite): Steps<readonly Diagnostic[]> {
  const { site, operations } = checked
  const facts = yield* reachedFacts(checked)
  const names = namesOfPartials(site)
  const diagnostics: Diagnostic[] = []
  const add = (span: Span, query: string | null, path: readonly CallStep[]) =>
    diagnostics.push(nestedQuery(span, query, path, turnsOf(span, site, operations)))
  yield* forEachInSteps(facts, ([file, each]) => {
    // A migration runs only once, and has to write its rows one by one.
    if (site.byFile.get(file)?.file.kind === 'migration') return
    for (const { queries, calls } of each) {
      for (const query of queries) if (query.inLoop && !query.isCached) add(query.span, queryName(query), [])
      for (const call of calls) {
        if (!call.inLoop || call.isCached || call.kind === 'background') continue
        const nested = findNestedQuery(call, facts, names)
        if (nested !== null) add(call.span, queryName(nested.query), nested.path)
      }
    }
  })
  return diagnostics
}

/** Collects the facts of each reachable file, settings included. */
function* reachedFacts({ siteTemplates, factsOf, reach }: CheckedSite): Steps<FactsByFile> {
  const byFile = new Map<string, UnitFacts[]>()
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    const facts = factsOf(siteTemplate.key)
    const { path, kind } = siteTemplate.unit.file
    if (facts !== undefined && (kind !== 'partial' || reach.reached.has(path))) addTo(byFile, path, facts)
  })
  return byFile
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
