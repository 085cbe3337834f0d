/** `unread-fields`: fields that a query selects but no template reads. */
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd } from '../../../../core/diagnostics/words.ts'

export const unreadFields = message(
  'unread-fields',
  'info',
  'WS04',
  (paths: readonly string[]) => ({
    text: `No template reads ${joinWithAnd(paths)} of this query.`,
    hint: `Remove ${paths.length === 1 ? 'it' : 'them'}, so that the database loads less data.`,
  }),
  {
    wrong: bookSite({
      query:
        'query {\n  records(per_page: 20, filter: { table: { value: "book" } }) {\n    total_entries\n    results { title: property(name: "title") }\n  }\n}\n',
      page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book.title }}{% endfor %}`,
    }),
    right: bookSite({
      query:
        'query {\n  records(per_page: 20, filter: { table: { value: "book" } }) {\n    total_entries\n    results { title: property(name: "title") }\n  }\n}\n',
      page: `{% graphql g = 'books' %}{{ g.records.total_entries }}{% for book in g.records.results %}{{ book.title }}{% endfor %}`,
    }),
  },
)
