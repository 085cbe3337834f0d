/** `field-not-selected`: a field that some of the queries that can produce a value select, and others do not. */
import type { MissingKey, Type } from '../../../../core/model/type.ts'
import { members } from '../../../../language/types/relate.ts'
import { findIntendedKey, isGuarded, ownerText, type PartRead, partText } from '../../walk/part-read.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, type NameList, quote } from '../../../../core/diagnostics/words.ts'

const BOOKS = 'filter: { table: { value: "book" } }'
const TWO = `query {
  few: records(per_page: 3, ${BOOKS}) { results { id } }
  many: records(per_page: 9, ${BOOKS}) { results { id title: table } }
}`
const BOTH = TWO.replace('{ id }', '{ id title: table }')
const PAGE = `{% graphql g = 'books' %}
{% assign books = g.few.results | default: g.many.results %}
{% for book in books %}{{ book.id }} {{ book.title }}{% endfor %}
`

export const fieldNotSelected = message(
  'field-not-selected',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, knownNames: NameList, origin: Span) => ({
    subject: { kind: 'field', name, of: owner },
    text: `${quote(owner)} does not always have a field ${quote(name)} here: not every query selects it.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `Select ${quote(name)} in each query, or check that it is set before you read it.`,
    }),
    related: [{ span: origin, message: `this query selects only ${joinWithAnd(knownNames)}` }],
  }),
  {
    wrong: bookSite({ query: TWO, page: PAGE }),
    right: bookSite({ query: BOTH, page: PAGE }),
  },
)

/**
 * Reports a part that some of the possible query records lack, unless it is tested. A test is reported too if these records have the field
 * in another spelling. Returns whether such a test was reported.
 * @param missingInSome what the records without the part have; null if all records have it
 */
export function checkFieldNotSelected(
  walk: Walk,
  read: PartRead,
  type: Type,
  missingInSome: MissingKey | null,
): boolean {
  const lacking = isGuarded(read) ? findOtherSpelling(walk, type, read.key) : missingInSome
  if (lacking?.origin == null || (!isGuarded(read) && walk.reads.tested.has(partText(walk, read)))) return false
  walk.report(fieldNotSelected(read.accessor.span, ownerText(walk, read), read.key, lacking.knownNames, lacking.origin))
  return isGuarded(read)
}

/** Finds, in a union of query records, a record that has a key in another spelling than the other records; null for none. */
function findOtherSpelling(walk: Walk, type: Type, key: string): MissingKey | null {
  for (const { lacking } of members(type).filter((member) => member.kind === 'record')) {
    const without = lacking?.get(key)
    const meantName = without === undefined ? null : findIntendedKey(walk, key, without.knownNames)
    if (without !== undefined && meantName !== null && lacking?.get(meantName)?.knownNames.includes(key) === true)
      return without
  }
  return null
}
