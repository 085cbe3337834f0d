/** `list-as-object`: a list of a result is used as if it were one of its elements. */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const listAsObject = message(
  'list-as-object',
  'warning',
  'WS03',
  (owner: string, name: string, origin: Span) => ({
    text: `${quoted(owner)} is a list, which has no field ${quoted(name)}.`,
    hint: `Loop over it, or take one element: ${quoted(`${owner}.first.${name}`)}.`,
    change: { edits: [{ part: name, text: `first.${name}` }] },
    related: [{ span: origin, message: 'an element has the fields that are selected here' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{{ g.records.results.title }}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{{ g.records.results.first.title }}` }),
  },
)
