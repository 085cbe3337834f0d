/** Finds what a developer should change in a recorded request, in words. Computed when the request is looked at. */
import type { TemplateCalls } from '../../core/contracts/recording.ts'
import { describeLoop } from './loop-change.ts'
import type { RequestDetail, RequestSummary, StoredQuery } from './recorded-request.ts'

export interface Finding {
  readonly kind: 'loop' | 'scan' | 'slow' | 'cache' | 'size' | 'template'
  /** Null when no file is responsible. */
  readonly file: string | null
  readonly line: number | null
  readonly sentence: string
  /** What to change; null when that depends on more than the recording. */
  readonly change: string | null
  /** Files of the queries that the change is about; absent for others. */
  readonly files?: readonly string[]
}

/** A stored query of the site. */
export interface SiteQuery {
  readonly file: string
  readonly document: string
}

export interface FindingContext {
  /** Returns a query of the site; null for an unknown name. */
  readonly queryOf: (name: string) => SiteQuery | null
  /** Explains how a query of the site reads its rows. */
  readonly explain: (query: SiteQuery, variables: unknown) => Promise<readonly Finding[]>
  /** Returns the details of other recent requests that the same template answered. */
  readonly similar: () => Promise<readonly RequestDetail[]>
}

/** Number of runs from which a query counts as being in a loop. */
const LOOP = 3
/** Milliseconds from which a query is explained, and maximum number of queries that are explained. */
const EXPLAINED_TIME = 5
const MAX_EXPLAINED = 5
/** Milliseconds from which a query or the own work of a template is slow. */
const SLOW_QUERY = 100
const SLOW_TEMPLATE = 50
/** Share of the whole time from which a template is reported. */
const SLOW_SHARE = 0.5
/** Size in bytes from which an answer is reported. */
const LARGE = 300 * 1024
/** Number of requests in which a fragment must have been computed. */
const NEVER_HIT = 3

export async function findFindings(
  summary: RequestSummary,
  detail: RequestDetail,
  context: FindingContext,
): Promise<readonly Finding[]> {
  const found = await Promise.all([
    loops(detail, context),
    readings(detail, context),
    fragments(detail, context),
    sizes(summary),
    templates(summary, detail),
  ])
  return found.flat()
}

function loops({ queries }: RequestDetail, { queryOf }: FindingContext): readonly Finding[] {
  const groups = new Map<string, StoredQuery[]>()
  for (const query of queries) {
    if (query.place === null || query.statements.length === 0) continue
    const key = `${query.name} ${query.place.file} ${query.place.line}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [query])
    else group.push(query)
  }
  return [...groups.values()].flatMap((runs) => {
    const [first] = runs
    if (first === undefined || first.place === null || runs.length < LOOP) return []
    const { name, place } = first
    const ms = Math.round(runs.reduce((sum, run) => sum + run.ms, 0))
    const document = queryOf(name)?.document ?? first.document
    const earlier = queries.slice(0, queries.indexOf(first)).map((query) => ({
      ...{ name: query.name, rows: query.rows },
      document: queryOf(query.name)?.document ?? query.document,
    }))
    const { change, list } = describeLoop(name, document, runs, earlier)
    const files = [list, name].flatMap((each) => (each === null ? [] : (queryOf(each)?.file ?? [])))
    const where = `${place.file}:${place.line}`
    return [
      {
        kind: 'loop' as const,
        ...place,
        sentence: `The query ${name} ran ${runs.length} times, in a loop in ${where}, and took ${ms} ms.`,
        change,
        files,
      },
    ]
  })
}

/** Explains the queries that took longest, each once. */
async function readings({ queries }: RequestDetail, { queryOf, explain }: FindingContext): Promise<readonly Finding[]> {
  const slowest = new Map<string, StoredQuery>()
  for (const query of queries) {
    if (query.ms >= EXPLAINED_TIME && query.ms > (slowest.get(query.name)?.ms ?? 0)) slowest.set(query.name, query)
  }
  const chosen = [...slowest.values()].toSorted((a, b) => b.ms - a.ms).slice(0, MAX_EXPLAINED)
  const found: Finding[] = []
  for (const query of chosen) {
    const stored = queryOf(query.name)
    // A query that cannot be explained, for example with a masked value, is only reported as slow.
    const explained = stored === null ? [] : await explain(stored, query.variables).catch(() => [])
    found.push(...explained)
    if (query.ms < SLOW_QUERY || explained.length > 0) continue
    const waited = query.statements.reduce((sum, statement) => sum + statement.waited, 0)
    const waiting = waited > query.ms / 2 ? `, ${Math.round(waited)} ms of them for a free connection` : ''
    found.push({
      kind: 'slow',
      file: query.place?.file ?? null,
      line: query.place?.line ?? null,
      sentence: `The query ${query.name} took ${Math.round(query.ms)} ms${waiting}.`,
      change:
        waiting !== ''
          ? 'Set INGOT_POOL to a higher number.'
          : stored === null
            ? null
            : `See its plan: \`ingot explain ${query.name}\`.`,
    })
  }
  return found
}

/** Reports fragments that were computed here and in all similar requests. */
async function fragments({ cache }: RequestDetail, { similar }: FindingContext): Promise<readonly Finding[]> {
  const missed = cache.filter(({ hit, place }) => !hit && place !== null)
  if (missed.length === 0) return []
  const others = await similar()
  const seen = new Set<string>()
  return missed.flatMap(({ key, place }): readonly Finding[] => {
    if (place === null) return []
    const where = `${place.file}:${place.line}`
    if (seen.has(where)) return []
    seen.add(where)
    const lookUps = others.flatMap((other) =>
      other.cache.filter((each) => each.place?.file === place.file && each.place.line === place.line),
    )
    if (lookUps.length < NEVER_HIT - 1 || lookUps.some(({ hit }) => hit)) return []
    const otherKey = lookUps.find((each) => each.key !== key)?.key
    const sentence = `The fragment in ${where} was computed in each of the last ${lookUps.length + 1} look-ups.`
    return otherKey === undefined
      ? [
          {
            kind: 'cache',
            ...place,
            sentence,
            change:
              'Its key is always the same, so it expires too early, or it contains a token or data of the visitor: raise `expire`, or print these parts outside of the tag `cache`.',
          },
        ]
      : [
          {
            kind: 'cache',
            ...place,
            sentence: `${sentence} Its key changes: \`${otherKey}\`, \`${key}\`.`,
            change: 'Build the key only from what the fragment depends on.',
          },
        ]
  })
}

function sizes({ bytes, template, path, kind }: RequestSummary): readonly Finding[] {
  if (bytes === null || bytes < LARGE || kind === 'job') return []
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`
  return [
    {
      kind: 'size',
      file: template?.startsWith('(') === true ? null : template,
      line: null,
      sentence: `The answer to ${path} has ${size}.`,
      change: 'Print fewer rows on one page: use `per_page` and `page` of the query, and links to the other pages.',
    },
  ]
}

/** Reports the template whose own work took most of the time. */
function templates({ milliseconds }: RequestSummary, { templates: tree, queries }: RequestDetail): readonly Finding[] {
  const queryTime = new Map<string, number>()
  for (const { place, ms } of queries)
    if (place !== null) queryTime.set(place.file, (queryTime.get(place.file) ?? 0) + ms)
  const ownTimes = new Map<string, { ms: number; count: number }>()
  const visit = ({ file, ms, count, parts }: TemplateCalls): void => {
    const own = ms - parts.reduce((sum, part) => sum + part.ms, 0)
    const known = ownTimes.get(file) ?? { ms: 0, count: 0 }
    ownTimes.set(file, { ms: known.ms + own, count: known.count + count })
    for (const part of parts) visit(part)
  }
  for (const root of tree) visit(root)
  return [...ownTimes].flatMap(([file, { ms, count }]) => {
    const own = ms - (queryTime.get(file) ?? 0)
    if (own < SLOW_TEMPLATE || own < milliseconds * SLOW_SHARE) return []
    const share = Math.min(100, Math.round((own / milliseconds) * 100))
    const times = count > 1 ? ` in ${count} calls` : ''
    return [
      {
        kind: 'template' as const,
        file,
        line: null,
        sentence: `${file} took ${Math.round(own)} ms${times}, ${share} % of the request, without its queries and the templates that it calls.`,
        change: 'Sort, filter and count in the query instead of in loops, or keep what it prints with the tag `cache`.',
      },
    ]
  })
}
