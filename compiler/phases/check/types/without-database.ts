/** Reports each query as an error, with a result of unknown type. For programs without a database, instead of `queries.ts`. */
import { needsServer } from '../../../core/diagnostics/codes/tags-and-filters/needs-server.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { QueryUse } from '../../../language/tags/tag.ts'
import type { SentNames } from '../walk/notification-types.ts'
import { applyFilters, typeOf } from './expression.ts'
import type { Walk } from '../walk/walk.ts'

/** Reports a query by name. A query in the body of its tag is reported when the queries of the site are linked. */
export function refuseQuery(walk: Walk, { name, span, arguments: named, spread, filters }: QueryUse): Type {
  if (name !== null) {
    walk.report(needsServer({ ...span, end: span.start + 1 }, 'A GraphQL query'))
    typeOf(walk, name, 'value', false)
  }
  for (const { value } of named) typeOf(walk, value, 'pass', true)
  if (spread !== null) typeOf(walk, spread, 'pass', true)
  return applyFilters(walk, filters, UNKNOWN, null)
}

/** Returns null for each channel, because any notification may be sent. */
export function sentByUnknownQueries(): SentNames {
  return new Map([
    ['email', null],
    ['sms', null],
    ['api_call', null],
  ])
}
