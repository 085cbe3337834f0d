/**
 * `graphql-syntax`: a GraphQL document with a syntax error. Reported by `problemDiagnostics` (phases/link/query-problems.ts) and
 * `toDiagnostic` (phases/link/query-problems.ts).
 */
import { bookSite } from '../../book-site.ts'
import type { Span } from '../../../source/span.ts'
import { type Fix, message, relatedAt } from '../../diagnostic.ts'

export const graphqlSyntax = message(
  'graphql-syntax',
  'error',
  'GraphQLCheck',
  /** `open`: a bracket that is never closed. */
  (reason: string, fix: Fix | null, open: Span | null = null) => ({
    text: `This query has a syntax error: ${reason}`,
    ...fix,
    related: relatedAt(open, 'it is opened here'),
  }),
  {
    wrong: bookSite({
      query: 'query { records(per_page: 1 { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({}),
  },
)
