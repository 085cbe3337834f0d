/** `unknown-variable`: a `graphql` tag gives a query a variable that it does not declare. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

function variables(known: readonly string[]): string {
  return known.length === 0 ? 'it declares no variables' : `its variables are ${listed(known)}`
}

export const unknownVariable = message(
  'unknown-variable',
  'warning',
  'GraphQLVariablesCheck',
  (query: string | null, name: string, known: readonly string[], declared: Span) => ({
    text: `${query === null ? 'This query' : `The query ${quoted(query)}`} has no variable ${quoted(name)}.`,
    ...(meantName(name, known) ?? {
      hint: `It is ignored: leave it out, or declare \`$${name}\` in the query.`,
      change: { edits: [{ reach: 'argument', text: '' }] },
    }),
    related: [{ span: declared, message: variables(known) }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books', titel: 'x' %}{{ g.records }}` }),
    right: bookSite({ page: `{% graphql g = 'books', title: 'x' %}{{ g.records }}` }),
  },
)
