/** A site with one table, one query and one page, for the examples of codes that need all three. */
import type { DiagnosticCode, Example } from './diagnostic.ts'

/** The file of the table. */
export const BOOK_TABLE = `name: book
properties:
  - name: title
    type: string
  - name: pages
    type: integer
`

const QUERY = `query ($title: String, $limit: Int = 20) {
  records(
    per_page: $limit
    filter: { table: { value: "book" }, properties: [{ name: "title", value: $title }] }
  ) {
    results { id title: property(name: "title") }
  }
}
`

const PAGE = `{% graphql g = 'books', title: context.params.title %}
{% for book in g.records.results %}{{ book.title }}{% endfor %}
`

/** Returns the files of the site with another query or page. `more` are additional files. */
export function bookSite(
  { query = QUERY, page = PAGE }: { readonly query?: string; readonly page?: string },
  more: Readonly<Record<string, string>> = {},
): Example {
  return {
    'app/schema/book.yml': BOOK_TABLE,
    'app/graphql/books.graphql': query,
    'app/views/pages/index.liquid': page,
    ...more,
  }
}

/** Returns the examples of a code about a query: a wrong and a right one. @param page shows the result */
export function queryExamples(
  wrong: string,
  right: string,
  page = `{% graphql g = 'books' %}{{ g.records }}`,
): DiagnosticCode<never>['examples'] {
  return { wrong: bookSite({ query: wrong, page }), right: bookSite({ query: right, page }) }
}
