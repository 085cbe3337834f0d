/** `unused-query`: a stored query that is never run. */
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedQuery = message(
  'unused-query',
  'info',
  'WS04',
  (name: string) => ({
    subject: { kind: 'query', name },
    text: `The query ${quote(name)} is never run.`,
    hint: 'Remove the file, or run it with `graphql`.',
  }),
  {
    wrong: bookSite({ page: 'x' }),
    right: bookSite({}),
  },
)
