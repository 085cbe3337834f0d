/** `unknown-table`: a query about a table that the site does not have. */
import { inWords } from '../../change.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { listed } from '../../words.ts'

/** Where no name is near, a table was renamed or never made: the reader wants to see those there are. */
function all(tables: Iterable<string>): string {
  const names = listed(tables)
  return names === '' ? 'The site has no tables: declare it in `app/schema`.' : `The tables are ${names}.`
}

export const unknownTable = message(
  'unknown-table',
  'error',
  'WS16',
  (reason: string, mend: string | null, tables: Iterable<string>) => ({
    text: reason,
    ...(mend === null ? { hint: all(tables) } : inWords(mend, reason)),
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
