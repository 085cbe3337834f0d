/** `bare-query-name`: a stored query that is called by the name of its file, without the folders. */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

const LATEST = {
  'app/graphql/books/latest.graphql':
    'query { records(per_page: 20, filter: { table: { value: "book" } }) { results { id } } }',
}

export const bareQueryName = message(
  'bare-query-name',
  'warning',
  'BareQueryName',
  /** `whole`: the only query whose file is called so, which stands at `file`. */
  (name: string, whole: string, file: Span) => ({
    text: `There is no query named ${quoted(name)}, so this runs ${quoted(whole)}, the only one whose file is called so.`,
    hint: `Write its whole name: ${quoted(whole)}.`,
    change: { edits: [{ part: name, text: whole }], safe: true },
    related: [{ span: { ...file, end: file.start }, message: 'the query' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'latest' %}{% graphql b = 'books' %}{{ b }}{{ g }}` }, LATEST),
    right: bookSite({ page: `{% graphql g = 'books/latest' %}{% graphql b = 'books' %}{{ b }}{{ g }}` }, LATEST),
  },
)
