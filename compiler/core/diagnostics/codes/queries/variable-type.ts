/** `variable-type`: a variable is given a value that it cannot take. */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { a, quoted } from '../../words.ts'

export const variableType = message(
  'variable-type',
  'error',
  'WS02',
  (query: string | null, name: string, expected: string, found: string, declared: Span) => ({
    text: `The variable ${quoted(name)}${query === null ? '' : ` of the query ${quoted(query)}`} is ${quoted(expected)}, and this is ${a(found)}.`,
    related: [{ span: declared, message: 'it is declared here' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books', limit: 'many' %}{{ g.records }}` }),
    right: bookSite({ page: `{% graphql g = 'books', limit: 5 %}{{ g.records }}` }),
  },
)
