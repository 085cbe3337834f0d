/** A site of books and their writers, and checks of a page that queries them. */
import { type CheckOptions, type Files, problems } from './check.ts'

export const SCHEMA: Files = {
  'app/schema/book.yml': `name: book
properties:
  - name: title
    type: string
  - name: pages
    type: integer
  - name: tags
    type: array
`,
  'app/schema/writer.yml': `name: writer
properties:
  - name: book_id
    type: string
  - name: name
    type: string
`,
  'app/graphql/books/all.graphql': `query ($limit: Int = 20, $title: String, $ids: [ID!], $order: SortOrderEnum = ASC) {
  records(
    per_page: $limit
    filter: {
      table: { value: "book" }
      id: { value_in: $ids }
      properties: [{ name: "title", value: $title }]
    }
    sort: [{ created_at: { order: $order } }]
  ) {
    total_entries
    results {
      id
      title: property(name: "title")
      pages: property_int(name: "pages")
      tags: property_array(name: "tags")
      properties
      writers: related_records(table: "writer", join_on_property: "id", foreign_property: "book_id") {
        name: property(name: "name")
      }
    }
  }
}
`,
  'app/graphql/books/one.graphql': `query ($id: ID!) {
  records(per_page: 1, filter: { table: { value: "book" }, id: { value: $id } }) {
    results { id title: property(name: "title") }
  }
}
`,
}

/** Returns the diagnostics of a page of the site of books, without diagnostics of the severity `info`. */
export function found(page: string, more: Files = {}, options: CheckOptions = {}): readonly string[] {
  const files = { ...SCHEMA, 'app/views/pages/index.liquid': page, ...more }
  return problems(files, options).filter((each) => !/^(?:unused-query|unserved-query) /.test(each))
}

/** Returns a page that assigns the result of `books/all` to `g`. */
export const withBooks = (rest: string): string => `{% graphql g = 'books/all' %}${rest}`
