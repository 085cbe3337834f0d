/** `object-as-list`: a loop goes over an object of a result whose list is in its field `results`. */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const objectAsList = message(
  'object-as-list',
  'warning',
  'WS03',
  (owner: string, field: string, origin: Span) => ({
    text: `${quoted(owner)} is an object, so the loop goes over its fields.`,
    hint: `To loop over the list in it, write ${quoted(`${owner}.${field}`)}.`,
    change: { edits: [{ match: '$', text: `.${field}` }] },
    related: [{ span: origin, message: `this query selects an object with the list ${quoted(field)}` }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{% for book in g.records %}{{ book }}{% endfor %}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book }}{% endfor %}` }),
  },
)
