/** `graphql-not-served`: a GraphQL document asks for what only the platform has. It fails where it is run. */
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'

export const graphqlNotServed = message(
  'graphql-not-served',
  'warning',
  'GraphQLCheck',
  (reason: string) => ({ text: reason, hint: 'Where it is run, the query fails, with `errors` in its result.' }),
  {
    wrong: bookSite({
      query: 'query { listings { total_entries } }',
      page: `{% graphql g = 'books' %}{{ g.errors }}`,
    }),
    right: bookSite({
      query: 'query { records(per_page: 1, filter: { table: { value: "book" } }) { total_entries } }',
      page: `{% graphql g = 'books' %}{{ g.errors }}`,
    }),
  },
)
