/**
 * `graphql-not-served`: a GraphQL document that uses a feature of the platform that Ingot does not have. It fails at run time. Reported by
 * `toDiagnostic` (phases/link/query-problems.ts).
 */
import { queryExamples } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'

export const graphqlNotServed = message(
  'graphql-not-served',
  'warning',
  'GraphQLCheck',
  (reason: string) => ({ text: reason, hint: 'At run time the query fails, and its result has `errors`.' }),
  queryExamples(
    'query { listings { total_entries } }',
    'query { records(per_page: 1, filter: { table: { value: "book" } }) { total_entries } }',
    `{% graphql g = 'books' %}{{ g.errors }}`,
  ),
)
