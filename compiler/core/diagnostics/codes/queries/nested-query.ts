/** `nested-query`: a query that runs once for every turn of a loop. */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const nestedQuery = message(
  'nested-query',
  'warning',
  'NestedGraphQLQuery',
  /** `turns`: how many there are at the most; null where that is not known. */
  (
    query: string | null,
    path: readonly { readonly span: Span; readonly name: string }[],
    turns: number | null = null,
  ) => ({
    text: `${query === null ? 'A query' : `The query ${quoted(query)}`} runs once for every turn of this loop${turns === null ? '' : `: up to ${turns} ${turns === 1 ? 'time' : 'times'}`}.`,
    hint: 'Fetch what all turns need with one query before the loop, or select it as a related record.',
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
