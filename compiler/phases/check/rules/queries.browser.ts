/** Queries in a browser, which has no database: each is an error where it stands, and nothing is known of what it gives. */
import { needsServer } from '../../../core/diagnostics/codes/tags-and-filters/needs-server.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { QueryUse } from '../../../language/tags/tag.ts'
import { applyFilters, typeOf } from './expression.ts'
import type { Walk } from './walk.ts'

/** One that stands in the tag is told where the site's queries are read. */
export function runQuery(walk: Walk, { name, span, arguments: named, spread, filters }: QueryUse): Type {
  if (name !== null) {
    walk.report(needsServer({ ...span, end: span.start + 1 }, 'A GraphQL query'))
    typeOf(walk, name, 'value', false)
  }
  for (const { value } of named) typeOf(walk, value, 'pass', true)
  if (spread !== null) typeOf(walk, spread, 'pass', true)
  return applyFilters(walk, filters, UNKNOWN, null)
}
