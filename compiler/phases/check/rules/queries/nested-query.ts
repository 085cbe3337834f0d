/** `nested-query`: a query that runs in every iteration of a loop. */
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const nestedQuery = message(
  'nested-query',
  'warning',
  'NestedGraphQLQuery',
  /** `iterations`: the most iterations that the loop can have; null if unknown. */
  (
    queryName: string | null,
    path: readonly { readonly span: Span; readonly name: string }[],
    iterations: number | null = null,
  ) => ({
    text: `${queryName === null ? 'A query' : `The query ${quote(queryName)}`} runs in every iteration of this loop${iterations === null ? '' : `: up to ${iterations} ${iterations === 1 ? 'time' : 'times'}`}.`,
    hint: 'Load the data with one query before the loop, or select it as a related record.',
    related: path.map(({ span, name }) => ({ span, message: name })),
  }),
  {
    wrong: bookSite({
      page: `{% for title in context.params.titles %}{% graphql g = 'books', title: title %}{{ g.records }}{% endfor %}`,
    }),
    right: bookSite({
      page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book.title }}{% endfor %}`,
    }),
  },
)
