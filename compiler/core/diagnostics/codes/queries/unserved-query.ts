/**
 * `unserved-query`: a query that must read all rows of its table, because it cannot use an index. Reported by `problemDiagnostics`
 * (phases/link/query-problems.ts).
 */
import { queryExamples } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'

export const unservedQuery = message(
  'unserved-query',
  'info',
  'UnservedQuery',
  (reason: string) => ({ text: `This cannot use an index: ${reason}.` }),
  queryExamples(
    'query { records(per_page: 5, filter: { table: { value: "book" } }, sort: [{ random_sort: true }]) { results { id } } }',
    'query { records(per_page: 5, filter: { table: { value: "book" } }, sort: [{ id: { order: DESC } }]) { results { id } } }',
  ),
)
