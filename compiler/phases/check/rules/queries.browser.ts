/** Reports each query in a browser, which has no database, as an error. Its result has an unknown type. */
import { needsServer } from '../../../core/diagnostics/codes/tags-and-filters/needs-server.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { QueryUse } from '../../../language/tags/tag.ts'
import { applyFilters, typeOf } from './expression.ts'
import type { Walk } from './walk.ts'

/** Reports a query by name. A query in the body of its tag is reported when the queries of the site are parsed. */
export function runQuery(walk: Walk, { name, span, arguments: named, spread, filters }: QueryUse): Type {
  if (name !== null) {
    walk.report(needsServer({ ...span, end: span.start + 1 }, 'A GraphQL query'))
    typeOf(walk, name, 'value', false)
  }
  for (const { value } of named) typeOf(walk, value, 'pass', true)
  if (spread !== null) typeOf(walk, spread, 'pass', true)
  return applyFilters(walk, filters, UNKNOWN, null)
}
