/**
 * `query-variable-type`: a variable that is used in a query where its type does not fit. Reported by `toDiagnostic`
 * (phases/link/query-problems.ts).
 */
import { queryExamples } from '../../book-site.ts'
import { type Fix, message } from '../../diagnostic.ts'

export const queryVariableType = message(
  'query-variable-type',
  'error',
  'GraphQLCheck',
  (reason: string, fix: Fix | null, name: string) => ({
    subject: { kind: 'query variable', name },
    text: reason,
    ...fix,
  }),
  queryExamples(
    'query ($limit: String! = "5") { records(per_page: $limit, filter: { table: { value: "book" } }) { results { id } } }',
    'query ($limit: Int! = 5) { records(per_page: $limit, filter: { table: { value: "book" } }) { results { id } } }',
  ),
)
