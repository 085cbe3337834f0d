/** `graphql-syntax`: a GraphQL document that cannot be read. */
import { inWords } from '../../change.ts'
import { bookSite } from '../../book-site.ts'
import type { Span } from '../../../source/span.ts'
import { type Mend, message } from '../../diagnostic.ts'

/** The parser stops at the first sign of a name that lacks its `$`. */
function mendOf(hint: string | null): Partial<Mend> {
  const name = /^Write `\$(\w+)`\.$/.exec(hint ?? '')?.[1]
  if (hint === null || name === undefined) return inWords(hint)
  return { hint, change: { edits: [{ reach: 'rest of line', match: `^${name}\\b`, text: `$$${name}` }] } }
}

export const graphqlSyntax = message(
  'graphql-syntax',
  'error',
  'GraphQLCheck',
  /** `open`: a bracket that is never closed. */
  (reason: string, mend: string | null, open: Span | null = null) => ({
    text: `This query cannot be read: ${reason}`,
    ...mendOf(mend),
    related: open === null ? [] : [{ span: open, message: 'it is opened here' }],
  }),
  {
    wrong: bookSite({
      query: 'query { records(per_page: 1 { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({}),
  },
)
