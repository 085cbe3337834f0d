/** `field-not-selected`: a field that some of the queries that can produce a value select, and others do not. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, type NameList, quote } from '../../../../core/diagnostics/words.ts'

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
  (owner: string, name: string, knownNames: NameList, origin: Span) => ({
    subject: { kind: 'field', name, of: owner },
    text: `${quote(owner)} does not always have a field ${quote(name)} here: not every query selects it.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `Select ${quote(name)} in each query, or check that it is set before you read it.`,
    }),
    related: [{ span: origin, message: `this query selects only ${joinWithAnd(knownNames)}` }],
  }),
  {
    wrong: bookSite({ query: TWO, page: PAGE }),
    right: bookSite({ query: BOTH, page: PAGE }),
  },
)
