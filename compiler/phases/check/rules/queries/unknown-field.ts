/** `unknown-field`: a field that the query does not select, the table does not declare, or the form does not have. */
import type { MissingKey } from '../../../../core/model/type.ts'
import { findIntendedKey, isGuarded, ownerText, type PartRead } from '../../walk/part-read.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, type NameList, quote } from '../../../../core/diagnostics/words.ts'

const DECLARED_IN = { query: 'this query selects', table: 'the table declares', form: 'the form has' } as const

/** The hint if no similar field exists: how to add the field. */
const HINTS: Readonly<Record<keyof typeof DECLARED_IN, (name: string, knownNames: NameList) => string>> = {
  query: (name) => `The value is always nil: remove it, or select ${quote(name)} in the query.`,
  table: (name) => `The value is always nil: remove it, or declare ${quote(name)} in the table.`,
  form: (_name, knownNames) => `The fields are ${joinWithAnd(knownNames, 20)}.`,
}

export const unknownField = message(
  'unknown-field',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, knownNames: NameList, of: 'query' | 'table' | 'form', origin: Span) => ({
    subject: { kind: 'field', name, of: owner },
    text: `${quote(owner)} has no field ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? { hint: HINTS[of](name, knownNames) }),
    related: [{ span: origin, message: `${DECLARED_IN[of]} ${joinWithAnd(knownNames)}` }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.titel }}{% endfor %}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.title }}{% endfor %}` }),
  },
)

/**
 * Reports a key that is missing in a record of a query, a table or a form. A test or a default does not help against it. Returns false for
 * other values.
 */
export function checkUnknownField(
  walk: Walk,
  span: Span,
  owner: string,
  key: string,
  { knownNames, origin }: MissingKey,
): boolean {
  if (origin?.source === undefined) return false
  walk.report(unknownField(span, owner, key, knownNames, origin.source, origin))
  return true
}

/** Reports a field that no known value has. Other values may have it, so a test is reported only if the field is misspelled. */
export function checkUnlikelyField(walk: Walk, read: PartRead, unlikely: MissingKey): void {
  const { key, accessor } = read
  if (!isGuarded(read) || findIntendedKey(walk, key, unlikely.knownNames) !== null)
    checkUnknownField(walk, accessor.span, ownerText(walk, read), key, unlikely)
}
