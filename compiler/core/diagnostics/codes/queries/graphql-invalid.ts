/** `graphql-invalid`: a GraphQL document that does not fit the schema. Reported by `toDiagnostic` (phases/link/query-problems.ts). */
import { bookSite } from '../../book-site.ts'
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
  {
    wrong: bookSite({
      query: 'query { records(per_page: 1) { results { idd } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({
      query: 'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
  },
)
