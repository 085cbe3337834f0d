/** `variable-type`: a variable that is given a value of the wrong type. */
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'

export const variableType = message(
  'variable-type',
  'error',
  'WS02',
  (query: string | null, name: string, expected: string, found: string, declarationSpan: Span) => ({
    subject: { kind: 'query variable', name, of: query, type: found },
    text: `The variable ${quote(name)}${query === null ? '' : ` of the query ${quote(query)}`} is ${quote(expected)}, but this is ${withArticle(found)}.`,
    related: [{ span: declarationSpan, message: 'the variable is declared here' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books', limit: 'many' %}{{ g.records }}` }),
    right: bookSite({ page: `{% graphql g = 'books', limit: 5 %}{{ g.records }}` }),
  },
)
