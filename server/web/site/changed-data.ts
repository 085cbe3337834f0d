/** Replaces parts of a request's data, for templates that do not run on a page. */
import type { RequestData } from './host.ts'

/**
 * Returns data with replaced parts. The other parts are still created on first use. A copy of the object would create
 * them immediately.
 */
export function changedData(data: RequestData, changes: Partial<RequestData>): RequestData {
  return {
    get graphql() {
      return changes.graphql ?? data.graphql
    },
    get jobs() {
      return changes.jobs ?? data.jobs
    },
    get transactions() {
      return changes.transactions ?? data.transactions
    },
    meter: changes.meter ?? data.meter,
    query: changes.query ?? ((viewer) => data.query(viewer)),
    queue: changes.queue ?? ((jobs) => data.queue(jobs)),
    origin: changes.origin ?? (() => data.origin()),
    inTransaction: changes.inTransaction ?? (() => data.inTransaction()),
  }
}
