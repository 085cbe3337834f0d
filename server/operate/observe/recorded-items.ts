/** The recorded requests as items of the GraphQL type `RecordedRequest`. */
import type { SiteItem } from '../../../runtime/data/query/site-facts.ts'
import type { RecordedPlace, TemplateCalls } from '../../core/contracts/recording.ts'
import type { IndexedRequest, RequestIndex } from './request-index.ts'
import type { RequestDetail, RequestSummary, StoredQuery } from './recorded-request.ts'

/** What the served site adds to recorded requests. Computed when a request is looked at. */
export interface RequestFacts {
  /** Finds what a developer should change. */
  readonly findings: (summary: RequestSummary, detail: RequestDetail) => Promise<readonly object[]>
  /** Returns the file of a query; null for an unknown name. */
  readonly fileOf: (query: string) => string | null
}

/** Returns a function that lists the recorded requests, the newest first. */
export function createRequestItems(index: RequestIndex, facts: RequestFacts): () => Promise<readonly SiteItem[]> {
  const known = new WeakMap<IndexedRequest, SiteItem>()
  return async () =>
    (await index.list()).map((request) => {
      let item = known.get(request)
      if (item === undefined) known.set(request, (item = requestItem(request, facts)))
      return item
    })
}

function requestItem({ summary, detail }: IndexedRequest, { findings, fileOf }: RequestFacts): SiteItem {
  const part =
    (read: (whole: RequestDetail) => unknown): (() => Promise<unknown>) =>
    async () => {
      const whole = await detail()
      return whole === null ? null : read(whole)
    }
  const { milliseconds, database, statements, job } = summary
  return {
    id: summary.id,
    at: summary.at,
    kind: summary.kind,
    method: summary.method === '' ? null : summary.method,
    path: summary.path === '' ? null : summary.path,
    status: summary.status,
    milliseconds,
    database_milliseconds: database,
    statements,
    bytes: summary.bytes,
    template: summary.template,
    format: summary.format,
    error: summary.error,
    user: summary.user,
    job,
    job_id: job?.id ?? null,
    queued: summary.queued,
    messages_not_sent: summary.unsent,
    failed: (summary.status ?? 0) >= 400 || job?.outcome === 'failed',
    redirect_to: summary.redirectTo,
    update: summary.isUpdate,
    templates: part(({ templates }) => templates),
    queries: part((whole) => whole.queries.map((query) => queryItem(query, whole, fileOf))),
    query_groups: part((whole) => queryGroups(whole, fileOf)),
    cache: part(({ cache }) => cache.map(({ place, ...fragment }) => ({ ...fragment, ...placeItem(place) }))),
    messages: part(({ messages }) =>
      messages.map(({ place, reason, ...message }) => ({
        ...message,
        reason: reason ?? null,
        ...placeItem(place ?? null),
      })),
    ),
    jobs: part(({ jobs }) => jobs),
    logs: part(({ logs }) => logs.map(({ isFault, ...log }) => ({ ...log, fault: isFault }))),
    outgoing: part(({ outgoing }) => outgoing),
    params: part(({ params }) => params),
    session: part(({ session }) => session),
    headers:
      job === null
        ? part(({ requestHeaders, responseHeaders }) => ({ request: requestHeaders, response: responseHeaders }))
        : null,
    redirects: part(({ redirects }) => redirects),
    files: part((whole) => filesOf(summary, whole, fileOf)),
    findings: part((whole) => findings(summary, whole)),
  }
}

function placeItem(place: RecordedPlace | null): object {
  return { file: place?.file ?? null, line: place?.line ?? null }
}

/** Returns the files of the templates and queries of a request, each once. */
function filesOf(
  { template }: RequestSummary,
  { templates, queries }: RequestDetail,
  fileOf: RequestFacts['fileOf'],
): readonly string[] {
  const files = new Set<string | null>([template])
  const visit = ({ file, parts }: TemplateCalls): void => {
    files.add(file)
    for (const part of parts) visit(part)
  }
  for (const root of templates) visit(root)
  for (const { name, place } of queries) files.add(place?.file ?? null).add(fileOf(name))
  return [...files].filter((file) => file !== null)
}

/** Names of what statements outside of queries are about, by a part of their text. */
const OWN_SUBJECTS = [
  ['graphile_worker', 'queue of jobs'],
  ['ingot.sessions', 'sessions'],
  ['ingot.users', 'users'],
  ['ingot.constants', 'constants'],
  ['ingot.translations', 'translations'],
  ['ingot.files', 'files'],
  ['ingot.notifications', 'messages'],
  ['ingot.records', 'rows'],
] as const

/** Returns the queries of a request in their order. Those that ran at the same place are one group, with the sums of their times. */
function queryGroups(whole: RequestDetail, fileOf: RequestFacts['fileOf']): readonly object[] {
  const groups = new Map<string, { readonly index: number; readonly query: StoredQuery }[]>()
  for (const [index, query] of whole.queries.entries()) {
    const { name, document, place } = query
    const key = `${name} ${place?.file ?? ''}:${place?.line ?? ''} ${document ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [{ index, query }])
    else group.push({ index, query })
  }
  return [...groups.values()].map((runs) => {
    const sum = (read: (query: StoredQuery) => number): number =>
      runs.reduce((total, { query }) => total + read(query), 0)
    const ms = sum((query) => query.ms)
    const waited = sum(({ statements }) => statements.reduce((total, each) => total + each.waited, 0))
    const running = sum(({ statements }) => statements.reduce((total, each) => total + each.ms, 0)) - waited
    const statements = runs.flatMap(({ query }) => query.statements)
    const texts = new Set(statements.map(({ sql }) => whole.sql[sql] ?? ''))
    const about = OWN_SUBJECTS.flatMap(([part, subject]) =>
      [...texts].some((text) => text.includes(part)) ? [subject] : [],
    )
    return {
      ...{ count: runs.length, ms, waited, running, about: about.join(', ') },
      rest: Math.max(0, ms - waited - running),
      rows: sum(({ rows }) => rows ?? 0),
      failed: runs.some(({ query }) => query.error !== null),
      queries: runs.map(({ index, query }) => ({ index, ...queryItem(query, whole, fileOf) })),
    }
  })
}

function queryItem(
  { place, statements, ...query }: StoredQuery,
  { sql }: RequestDetail,
  fileOf: RequestFacts['fileOf'],
): object {
  return {
    ...query,
    document_file: fileOf(query.name),
    ...placeItem(place),
    statements: statements.map((statement) => ({ ...statement, sql: sql[statement.sql] ?? '' })),
  }
}
