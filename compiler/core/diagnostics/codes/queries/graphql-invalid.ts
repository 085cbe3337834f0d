/** `graphql-invalid`: a GraphQL document that does not fit the schema. */
import { parseHint } from '../../change.ts'
import { bookSite } from '../../book-site.ts'
import { message, type Subject } from '../../diagnostic.ts'

export const graphqlInvalid = message(
  'graphql-invalid',
  'error',
  'GraphQLCheck',
  (reason: string, fix: string | null, subject?: Subject) => ({
    ...(subject === undefined ? {} : { subject }),
    text: reason,
    ...parseHint(fix, reason),
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
