/** `unknown-field`: a field of a result that its query does not select, of properties that the table does not declare, or of a form that does not take it. */
import type { Span } from '../../source/span.ts'
import { bookSite } from '../book-site.ts'
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { listed, type Names, quoted } from '../words.ts'

const MAKERS = { query: 'this query selects', table: 'the table declares', form: 'the form has here' } as const

export const unknownField = message(
  'unknown-field',
  'error',
  'UnknownProperty',
  (owner: string, name: string, known: Names, of: 'query' | 'table' | 'form', origin: Span) => ({
    text: `${quoted(owner)} has no field ${quoted(name)}.`,
    hint: didYouMean(name, known) ?? (of === 'form' ? `There are ${listed(known, 20)}.` : undefined),
    related: [{ span: origin, message: `${MAKERS[of]} ${listed(known)}` }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.titel }}{% endfor %}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.title }}{% endfor %}` }),
  },
)
