/** `missing-variable`: a `graphql` tag leaves out a variable that the query cannot do without. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingVariable = message(
  'missing-variable',
  'error',
  'GraphQLVariablesCheck',
  /** `instead`: the misspelled name under which the tag gives it. */
  (query: string | null, name: string, type: string, declared: Span, instead: string | null = null) => ({
    text: `${query === null ? 'This query' : `The query ${quoted(query)}`} needs the variable ${quoted(name)}${instead === null ? '' : `, and this is ${quoted(instead)}`}.`,
    ...(instead === null ? { hint: `Pass ${quoted(`${name}: …`)}.` } : meantName(instead, [name])),
    related: [{ span: declared, message: `it is declared here as ${quoted(type)}` }],
  }),
  {
    wrong: bookSite({
      query:
        'query ($title: String!) { records(per_page: 1, filter: { properties: [{ name: "title", value: $title }], table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({
      query:
        'query ($title: String!) { records(per_page: 1, filter: { properties: [{ name: "title", value: $title }], table: { value: "book" } }) { results { id } } }',
      page: `{% graphql g = 'books', title: 'x' %}{{ g.records }}`,
    }),
  },
)
