/** `unused-variable`: a variable that a query declares but never uses. Reported by `problemDiagnostics` (phases/link/query-problems.ts). */
import { queryExamples } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const unusedVariable = message(
  'unused-variable',
  'warning',
  'GraphQLVariablesCheck',
  (name: string) => ({
    subject: { kind: 'query variable', name },
    text: `The query declares ${quote(`$${name}`)} but never uses it.`,
    hint: 'Remove the variable, or use it in the query.',
  }),
  queryExamples(
    'query ($page: Int, $limit: Int = 20) { records(per_page: $limit, filter: { table: { value: "book" } }) { results { id } } }',
    'query ($limit: Int = 20) { records(per_page: $limit, filter: { table: { value: "book" } }) { results { id } } }',
    `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book.id }}{% endfor %}`,
  ),
)
