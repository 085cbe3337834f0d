/**
 * `list-as-object`: a list in a result is used as if it were one of its elements. Reported by `moveListsToFunctions`
 * (core/diagnostics/misspelt-declarations.ts), `checkPath` (phases/check/types/element-keys.ts) and `checkList`
 * (phases/check/types/expression.ts).
 */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const listAsObject = message(
  'list-as-object',
  'warning',
  'WS03',
  /** `name`: null if a variable is set to the list and is then used like one element. */
  (owner: string, name: string | null, origin: Span) => ({
    subject: name === null ? { kind: 'list', name: owner } : { kind: 'field', name, of: owner },
    text:
      name === null
        ? `${quote(owner)} is a list here, but it is used like a single element.`
        : `${quote(owner)} is a list, so it has no field ${quote(name)}.`,
    hint:
      name === null
        ? 'To get one element, write `| first` after the list.'
        : `Loop over the list, or get one element: ${quote(`${owner}.first.${name}`)}.`,
    change: {
      edits: [
        name === null
          ? { target: 'markup', match: '(\\s*-?%\\}|)$', text: ' | first$1' }
          : { part: name, text: `first.${name}` },
      ],
    },
    related: [{ span: origin, message: 'the fields of an element are selected here' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{{ g.records.results.title }}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{{ g.records.results.first.title }}` }),
  },
)
