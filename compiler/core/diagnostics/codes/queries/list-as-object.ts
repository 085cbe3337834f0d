/** `list-as-object`: a list of a result is used as if it were one of its elements. */
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const listAsObject = message(
  'list-as-object',
  'warning',
  'WS03',
  /** `name`: null where a variable is set to the list, whose fields are read as those of one element. */
  (owner: string, name: string | null, origin: Span) => ({
    text:
      name === null
        ? `${quoted(owner)} is a list here, and is read as one element of it.`
        : `${quoted(owner)} is a list, which has no field ${quoted(name)}.`,
    hint:
      name === null
        ? 'Take one element: write `| first` behind the list.'
        : `Loop over it, or take one element: ${quoted(`${owner}.first.${name}`)}.`,
    change: {
      edits: [
        name === null
          ? { reach: 'markup', match: '(\\s*-?%\\}|)$', text: ' | first$1' }
          : { part: name, text: `first.${name}` },
      ],
    },
    related: [{ span: origin, message: 'an element has the fields that are selected here' }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{{ g.records.results.title }}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{{ g.records.results.first.title }}` }),
  },
)
