/** `unknown-field`: a field of a result that its query does not select, or of properties that the table does not declare. */
import type { Span } from '../../source/span.ts'
import { bookSite } from '../book-site.ts'
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { listed, quoted } from '../words.ts'

export const unknownField = message(
  'unknown-field',
  'error',
  'UnknownProperty',
  (owner: string, name: string, known: Iterable<string>, of: 'query' | 'table', origin: Span) => ({
    text: `${quoted(owner)} has no field ${quoted(name)}.`,
    hint: didYouMean(name, known),
    related: [
      { span: origin, message: `${of === 'query' ? 'this query selects' : 'the table declares'} ${listed(known)}` },
    ],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.titel }}{% endfor %}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.title }}{% endfor %}` }),
  },
)
