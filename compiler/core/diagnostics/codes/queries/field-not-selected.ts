/** `field-not-selected`: a field that some of the queries behind a value select, and others do not. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { listed, type NameList, quoted } from '../../words.ts'

const BOOKS = 'filter: { table: { value: "book" } }'
const TWO = `query {
  few: records(per_page: 3, ${BOOKS}) { results { id } }
  many: records(per_page: 9, ${BOOKS}) { results { id title: table } }
}`
const BOTH = TWO.replace('{ id }', '{ id title: table }')
const PAGE = `{% graphql g = 'books' %}
{% assign books = g.few.results | default: g.many.results %}
{% for book in books %}{{ book.id }} {{ book.title }}{% endfor %}
`

export const fieldNotSelected = message(
  'field-not-selected',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, known: NameList, origin: Span) => ({
    text: `Not every ${quoted(owner)} that comes here has a field ${quoted(name)}.`,
    ...(meantName(name, known) ?? {
      hint: `Select ${quoted(name)} in each of the queries, or test for it where it may be left out.`,
    }),
    related: [{ span: origin, message: `this query selects only ${listed(known)}` }],
  }),
  {
    wrong: bookSite({ query: TWO, page: PAGE }),
    right: bookSite({ query: BOTH, page: PAGE }),
  },
)
