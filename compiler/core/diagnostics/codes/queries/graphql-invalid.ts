/** `graphql-invalid`: a GraphQL document that does not fit the schema. Reported by `toDiagnostic` (phases/link/query-problems.ts). */
import { queryExamples } from '../../book-site.ts'
import { type Fix, message, type Subject } from '../../diagnostic.ts'

export const graphqlInvalid = message(
  'graphql-invalid',
  'error',
  'GraphQLCheck',
  (reason: string, fix: Fix | null, subject?: Subject) => ({
    ...(subject === undefined ? {} : { subject }),
    text: reason,
    ...fix,
  }),
  queryExamples(
    'query { records(per_page: 1) { results { idd } } }',
    'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { id } } }',
  ),
)
