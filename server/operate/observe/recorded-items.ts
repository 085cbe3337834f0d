/** The recorded requests as items of the GraphQL type `RecordedRequest`. */
import type { SiteItem } from '../../../runtime/data/query/site-facts.ts'
import type { RecordedPlace } from '../../core/contracts/recording.ts'
import type { IndexedRequest, RequestIndex } from './request-index.ts'
import type { RequestDetail, RequestSummary, StoredQuery } from './recorded-request.ts'

/** Finds what a developer should change. Computed when a request is looked at. */
export type FindFindings = (summary: RequestSummary, detail: RequestDetail) => Promise<readonly object[]>

/** Returns a function that lists the recorded requests, the newest first. */
export function createRequestItems(index: RequestIndex, findings: FindFindings): () => Promise<readonly SiteItem[]> {
  const known = new WeakMap<IndexedRequest, SiteItem>()
  return async () =>
    (await index.list()).map((request) => {
      let item = known.get(request)
      if (item === undefined) known.set(request, (item = requestItem(request, findings)))
      return item
    })
}

function requestItem({ summary, detail }: IndexedRequest, findings: FindFindings): SiteItem {
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
    failed: (summary.status ?? 0) >= 400 || job?.outcome === 'failed',
    redirect_to: summary.redirectTo,
    update: summary.isUpdate,
    templates: part(({ templates }) => templates),
    queries: part((whole) => whole.queries.map((query) => queryItem(query, whole))),
    cache: part(({ cache }) => cache.map(({ place, ...fragment }) => ({ ...fragment, ...placeItem(place) }))),
    messages: part(({ messages }) => messages),
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
    findings: part((whole) => findings(summary, whole)),
  }
}

function placeItem(place: RecordedPlace | null): object {
  return { file: place?.file ?? null, line: place?.line ?? null }
}

function queryItem({ place, statements, ...query }: StoredQuery, { sql }: RequestDetail): object {
  return {
    ...query,
    ...placeItem(place),
    statements: statements.map((statement) => ({ ...statement, sql: sql[statement.sql] ?? '' })),
  }
}
