/**
 * `unknown-table-property`: a query names a property that its table lacks. It is stored all the same, so that it is an error only
 * where nothing of the site could ever set it, and the query joins by it, aggregates it or writes it by a literal. A sort by it runs.
 */
import { inWords } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

/** Where no name is near, the property was renamed or never made: the reader wants to see those there are. */
function all(known: Iterable<string>): string | undefined {
  const names = listed(known)
  return names === '' ? undefined : `The properties are ${names}.`
}

export const unknownTableProperty = message(
  'unknown-table-property',
  'warning',
  'WS16',
  (reason: string, mend: string | null, known: Iterable<string>, table: string | null, declared: Span | null) => ({
    text: reason,
    ...(mend === null ? { hint: all(known) } : inWords(mend, reason)),
    related:
      declared === null
        ? []
        : [{ span: declared, message: `the properties of ${quoted(table ?? 'user')} are declared here` }],
  }),
  {
    wrong: bookSite({
      query:
        'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { titel: property(name: "titel") } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({
      query:
        'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { title: property(name: "title") } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
  },
)
