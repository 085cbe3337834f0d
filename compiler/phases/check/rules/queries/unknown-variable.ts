/** `unknown-variable`: a `graphql` tag that passes a variable that the query does not declare. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

function listVariables(knownNames: readonly string[]): string {
  return knownNames.length === 0 ? 'it declares no variables' : `its variables are ${joinWithAnd(knownNames)}`
}

export const unknownVariable = message(
  'unknown-variable',
  'warning',
  'GraphQLVariablesCheck',
  (query: string | null, name: string, knownNames: readonly string[], declarationSpan: Span) => ({
    subject: { kind: 'query variable', name, of: query },
    text: `${query === null ? 'This query' : `The query ${quote(query)}`} has no variable ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `The variable is ignored: remove it, or declare \`$${name}\` in the query.`,
      change: { edits: [{ target: 'argument', text: '' }] },
    }),
    related: [{ span: declarationSpan, message: listVariables(knownNames) }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books', titel: 'x' %}{{ g.records }}` }),
    right: bookSite({ page: `{% graphql g = 'books', title: 'x' %}{{ g.records }}` }),
  },
)
