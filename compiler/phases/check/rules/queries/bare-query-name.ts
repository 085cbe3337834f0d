/** `bare-query-name`: a stored query that is called by its file name, without the folders. */
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Expression } from '../../../../core/tree/ast.ts'
import type { Operation } from '../../../../core/model/operation.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a name of a stored query that is not its full name. */
export function checkBareName(
  walk: Walk,
  { span }: Expression,
  name: string,
  fullName: string,
  operation: Operation,
): void {
  if (fullName !== name) walk.report(bareQueryName(span, name, fullName, operation.span))
}

const LATEST = {
  'app/graphql/books/latest.graphql':
    'query { records(per_page: 20, filter: { table: { value: "book" } }) { results { id } } }',
}

export const bareQueryName = message(
  'bare-query-name',
  'warning',
  'BareQueryName',
  /** `whole`: the full name of the only query with this file name. `file`: its file. */
  (name: string, whole: string, file: Span) => ({
    text: `There is no query named ${quote(name)}, so this runs ${quote(whole)}, the only query with that file name.`,
    hint: `Write its full name: ${quote(whole)}.`,
    change: { edits: [{ part: name, text: whole }], safe: true },
    related: [{ span: { ...file, end: file.start }, message: 'the query' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'latest' %}{% graphql b = 'books' %}{{ b }}{{ g }}` }, LATEST),
    right: bookSite({ page: `{% graphql g = 'books/latest' %}{% graphql b = 'books' %}{{ b }}{{ g }}` }, LATEST),
  },
)
