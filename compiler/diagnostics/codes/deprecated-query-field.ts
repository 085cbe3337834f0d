/** `deprecated-query-field`: a field of the schema that has a successor. */
import { bookSite } from '../book-site.ts'
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const deprecatedQueryField = message(
  'deprecated-query-field',
  'info',
  'DeprecatedQueryField',
  (name: string, reason: string | null) => ({ text: `${quoted(name)} is an old field.`, hint: reason ?? undefined }),
  {
    wrong: bookSite({
      query: 'query { models(per_page: 1) { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.models }}`,
    }),
    right: bookSite({
      query: 'query { records(per_page: 1) { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
  },
)
