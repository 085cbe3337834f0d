/** `deprecated-query-field`: a field of the schema that is deprecated. Reported by `problemDiagnostics` (phases/link/query-problems.ts). */
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const deprecatedQueryField = message(
  'deprecated-query-field',
  'info',
  'DeprecatedQueryField',
  (name: string, reason: string | null) => ({
    text: `The field ${quote(name)} is deprecated.`,
    hint: reason ?? undefined,
  }),
  {
    wrong: bookSite({
      query: 'query { constant(filter: { name: "KEY" }) { value } }',
      page: `{% graphql g = 'books' %}{{ g.constant.value }}`,
    }),
    right: bookSite({
      query: 'query { constants(filter: { name: { value: "KEY" } }) { results { value } } }',
      page: `{% graphql g = 'books' %}{{ g.constants }}`,
    }),
  },
)
