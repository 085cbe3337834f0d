/** `unread-fields`: fields that a query selects and that nothing reads. */
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { listed } from '../../words.ts'

export const unreadFields = message(
  'unread-fields',
  'info',
  'WS04',
  (paths: readonly string[]) => ({
    text: `No template reads ${listed(paths)} of this query.`,
    hint: `Take ${paths.length === 1 ? 'it' : 'them'} out: the database need not fetch what nobody sees.`,
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
