/** `unused-variable`: a variable that a query declares and uses nowhere. */
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedVariable = message(
  'unused-variable',
  'warning',
  'GraphQLVariablesCheck',
  (name: string) => ({
    text: `The query declares ${quoted(`$${name}`)} and uses it nowhere.`,
    hint: 'Take it away, or use it.',
  }),
  {
    wrong: bookSite({
      query:
        'query ($page: Int, $limit: Int = 20) { records(per_page: $limit, filter: { table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book.id }}{% endfor %}`,
    }),
    right: bookSite({
      query:
        'query ($limit: Int = 20) { records(per_page: $limit, filter: { table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book.id }}{% endfor %}`,
    }),
  },
)
