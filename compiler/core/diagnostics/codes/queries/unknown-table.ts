/**
 * `unknown-table`: a query for a table that does not exist. Reported by `absentTable` (phases/check/site/codes-of-other-phases.ts) and
 * `toDiagnostic` (phases/link/query-problems.ts).
 */
import { bookSite } from '../../book-site.ts'
import { type Fix, message } from '../../diagnostic.ts'
import { joinWithAnd } from '../../words.ts'

/** Returns a hint with all tables, for a name that is not similar to any of them. */
function listTables(tables: Iterable<string>): string {
  const names = joinWithAnd(tables)
  return names === '' ? 'The site has no tables. Declare the table in `app/schema`.' : `The tables are ${names}.`
}

export const unknownTable = message(
  'unknown-table',
  'error',
  'WS16',
  (reason: string, fix: Fix | null, tables: Iterable<string>, table: string | null) => ({
    subject: { kind: 'table', name: table ?? '' },
    text: reason,
    ...(fix === null ? { hint: listTables(tables) } : fix),
  }),
  {
    wrong: bookSite({
      query: 'query { records(per_page: 1, filter: { table: { value: "bok" } }) { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({
      query: 'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
  },
)
