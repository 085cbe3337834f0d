/** `graphql-syntax`: a GraphQL document with a syntax error. */
import { parseHint } from '../../change.ts'
import { bookSite } from '../../book-site.ts'
import type { Span } from '../../../source/span.ts'
import { type Fix, message } from '../../diagnostic.ts'

/** Returns the fix for a hint. If a name lacks its `$`, the parser marks only the first character. */
function fixFor(hint: string | null): Partial<Fix> {
  const name = /^Write `\$(\w+)`\.$/.exec(hint ?? '')?.[1]
  if (hint === null || name === undefined) return parseHint(hint)
  return { hint, change: { edits: [{ target: 'rest of line', match: `^${name}\\b`, text: `$$${name}` }] } }
}

export const graphqlSyntax = message(
  'graphql-syntax',
  'error',
  'GraphQLCheck',
  /** `open`: a bracket that is never closed. */
  (reason: string, fix: string | null, open: Span | null = null) => ({
    text: `This query has a syntax error: ${reason}`,
    ...fixFor(fix),
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
