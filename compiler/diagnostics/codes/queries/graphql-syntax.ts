/** `graphql-syntax`: a GraphQL document that cannot be read. */
import { inWords } from '../../change.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'

export const graphqlSyntax = message(
  'graphql-syntax',
  'error',
  'GraphQLCheck',
  (reason: string, mend: string | null) => ({ text: `This query cannot be read: ${reason}`, ...inWords(mend) }),
  {
    wrong: bookSite({
      query: 'query { records(per_page: 1 { results { id } } }',
      page: `{% graphql g = 'books' %}{{ g.records }}`,
    }),
    right: bookSite({}),
  },
)
