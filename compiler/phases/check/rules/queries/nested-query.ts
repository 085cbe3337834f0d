/** `nested-query`: a query that runs in every iteration of a loop. */
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { OutgoingCall, OutgoingQuery, UnitFacts } from '../../walk/facts.ts'
import { addTo } from '../../../../core/source/groups.ts'
import { type Steps, forEachInSteps } from '../../../../core/model/steps.ts'
import { namesOfPartials } from '../../site/reach.ts'
import type { Operations } from '../../../../core/model/operation.ts'
import type { Site } from '../../../../core/model/site.ts'

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

const BLOCKS = /\b(?:(for)\s+\w+\s+in\s+([a-z_]\w*)((?:\.\w+)*)|(endfor))\b/g

/** Returns the maximum number of iterations of the innermost loop around a place; null if it is not known. */
function turnsOf({ file, start }: Span, site: Site, { storedOperations }: Operations): number | null {
  const textBefore = (site.byFile.get(file)?.file.text ?? '').slice(0, start)
  const openLoops: { readonly name: string; readonly path: string }[] = []
  for (const { 1: isFor, 2: name = '', 3: path = '' } of textBefore.matchAll(BLOCKS)) {
    if (isFor === undefined) openLoops.pop()
    else openLoops.push({ name, path })
  }
  const loop = openLoops.at(-1)
  const result = loop === undefined ? null : queryOfVariable(loop.name, loop.path, textBefore)
  const operation = result === null ? undefined : storedOperations.get(result.query)
  const text = operation === undefined ? '' : (site.byFile.get(operation.span.file)?.file.text ?? '')
  return result === null ? null : perPageOf(text, result.field, result.passedVariables)
}

/** Returns the query and the root field whose result a variable or its part contains; null for other values. */
function queryOfVariable(
  name: string,
  path: string,
  textBefore: string,
): { readonly query: string; readonly field: string; readonly passedVariables: string } | null {
  const [, assigned, part] =
    findLastMatch(textBefore, `\\bassign\\s+${name}\\s*=\\s*([a-z_]\\w*)((?:\\.\\w+)*)\\s*(?=-?%\\}|\\n)`) ?? []
  const [variable, fullPath] = assigned === undefined ? [name, path] : [assigned, `${part}${path}`]
  const [, query, passedVariables = ''] =
    findLastMatch(textBefore, `\\bgraphql\\s+${variable}\\s*=\\s*['"]([^'"\\n]+)['"]([^%\\n]*)`) ?? []
  const field = fullPath.split('.')[1]
  return query === undefined || field === undefined ? null : { query, field, passedVariables }
}

function findLastMatch(text: string, pattern: string): RegExpMatchArray | undefined {
  return [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)
}

/**
 * Returns the `per_page` of a root field in a document; null if it is not known.
 * @param field the name or alias
 * @param passedVariables the text of the variables that the tag passes
 */
function perPageOf(document: string, field: string, passedVariables: string): number | null {
  const rest = new RegExp(`(?<![\\w$."])${field}\\s*(?::\\s*\\w+\\s*)?\\(([^]*)`).exec(document)?.[1] ?? ''
  const [, literal, variable] = /^[^()]*?\bper_page:\s*(?:(\d+)|\$(\w+))/.exec(rest) ?? []
  if (literal !== undefined) return Number(literal)
  // The default of a variable applies if the variable is not passed.
  if (variable === undefined || new RegExp(`\\b(?:${variable}|args)\\s*:`).test(passedVariables)) return null
  const defaultValue = new RegExp(`\\$${variable}\\s*:\\s*\\w+!?\\s*=\\s*(\\d+)`).exec(document)?.[1]
  return defaultValue === undefined ? null : Number(defaultValue)
}
