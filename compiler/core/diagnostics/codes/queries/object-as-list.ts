/**
 * `object-as-list`: a loop over an object in a result whose list is in its field `results`. Reported by `checkLoopHead`
 * (language/tags/for.ts).
 */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const objectAsList = message(
  'object-as-list',
  'warning',
  'WS03',
  (owner: string, field: string, origin: Span) => ({
    subject: { kind: 'object', name: owner },
    text: `${quote(owner)} is an object, so this loops over its fields.`,
    hint: `To loop over its list, write ${quote(`${owner}.${field}`)}.`,
    change: { edits: [{ match: '$', text: `.${field}` }] },
    related: [{ span: origin, message: `this query selects an object with the list ${quote(field)}` }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{% for book in g.records %}{{ book }}{% endfor %}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book }}{% endfor %}` }),
  },
)
