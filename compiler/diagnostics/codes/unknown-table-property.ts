/** `unknown-table-property`: a query names a property that its table lacks. */
import type { Span } from '../../source/span.ts'
import { bookSite } from '../book-site.ts'
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const unknownTableProperty = message(
  'unknown-table-property',
  'error',
  'WS16',
  (reason: string, mend: string | null, table: string | null, declared: Span | null) => ({
    text: reason,
    hint: mend ?? undefined,
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
