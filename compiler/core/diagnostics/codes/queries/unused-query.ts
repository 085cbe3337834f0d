/** `unused-query`: a stored query that nothing runs. */
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedQuery = message(
  'unused-query',
  'info',
  'WS04',
  (name: string) => ({
    text: `Nothing runs the query ${quoted(name)}.`,
    hint: 'Remove the file, or run it with `graphql`.',
  }),
  {
    wrong: bookSite({ page: 'x' }),
    right: bookSite({}),
  },
)
