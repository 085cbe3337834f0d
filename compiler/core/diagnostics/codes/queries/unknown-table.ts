/**
 * `unknown-table`: a query for a table that does not exist. Reported by `absentTable` (phases/check/site/codes-of-other-phases.ts) and
 * `toDiagnostic` (phases/link/query-problems.ts).
 */
import { queryExamples } from '../../book-site.ts'
import { listTables } from '../../change.ts'
import { type Fix, message } from '../../diagnostic.ts'

export const unknownTable = message(
  'unknown-table',
  'error',
  'WS16',
  (reason: string, fix: Fix | null, tables: Iterable<string>, table: string | null) => ({
    subject: { kind: 'table', name: table ?? '' },
    text: reason,
    ...(fix === null ? { hint: listTables(tables) } : fix),
  }),
  queryExamples(
    'query { records(per_page: 1, filter: { table: { value: "bok" } }) { results { id } } }',
    'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { id } } }',
  ),
)
