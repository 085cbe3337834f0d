/** The data of a request with some of its parts replaced: for templates that run otherwise than on a page. */
import type { RequestData } from './host.ts'

/** Parts that are not replaced are still made when they are first asked for, which a copy of the object would do at once. */
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
