/** `unknown-field`: a field of a result that its query does not select, of properties that the table does not declare, or of a form that does not take it. */
import { meantName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { listed, type NameList, quoted } from '../../words.ts'

const MAKERS = { query: 'this query selects', table: 'the table declares', form: 'the form has here' } as const

/** What makes the field be there, where no other was meant: without it the value is nil. */
const MENDS: Readonly<Record<keyof typeof MAKERS, (name: string, known: NameList) => string>> = {
  query: (name) => `It is always nil: leave it out, or let the query select ${quoted(name)}.`,
  table: (name) => `It is always nil: leave it out, or declare ${quoted(name)} in the table.`,
  form: (_name, known) => `There are ${listed(known, 20)}.`,
}

export const unknownField = message(
  'unknown-field',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, known: NameList, of: 'query' | 'table' | 'form', origin: Span) => ({
    text: `${quoted(owner)} has no field ${quoted(name)}.`,
    ...(meantName(name, known) ?? { hint: MENDS[of](name, known) }),
    related: [{ span: origin, message: `${MAKERS[of]} ${listed(known)}` }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.titel }}{% endfor %}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.title }}{% endfor %}` }),
  },
)
