/** `unknown-table`: a query about a table that the site does not have. */
import { bookSite } from '../book-site.ts'
import { message } from '../diagnostic.ts'

export const unknownTable = message(
  'unknown-table',
  'error',
  'WS16',
  (reason: string, mend: string | null) => ({ text: reason, hint: mend ?? undefined }),
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
