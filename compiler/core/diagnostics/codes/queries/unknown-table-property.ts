/**
 * `unknown-table-property`: a query uses a property that its table does not declare. Undeclared properties can be stored. It is an error
 * only if no code of the site can set the property, and the query joins by it, aggregates it, or writes it with a literal. Sorting by it
 * works. The planner of queries writes the text: `unknownProperty` in `runtime/data/query/rows/scope.ts`. Reported by `toDiagnostic`
 * (phases/link/query-problems.ts).
 */
import type { Span } from '../../../source/span.ts'
import { queryExamples } from '../../book-site.ts'
import { type Fix, message, type Subject, relatedAt } from '../../diagnostic.ts'
import { joinWithAnd, quote } from '../../words.ts'

/** Returns a hint with all properties, for a name that is not similar to any of them. */
function listProperties(knownNames: Iterable<string>): string | undefined {
  const names = joinWithAnd(knownNames)
  return names === '' ? undefined : `The properties are ${names}.`
}

export const unknownTableProperty = message(
  'unknown-table-property',
  'warning',
  'WS16',
  (
    reason: string,
    fix: Fix | null,
    knownNames: Iterable<string>,
    table: string | null,
    declarationSpan: Span | null,
    subject: Subject,
  ) => ({
    subject,
    text: reason,
    ...(fix === null ? { hint: listProperties(knownNames) } : fix),
    related: relatedAt(declarationSpan, `the properties of ${quote(table ?? 'user')} are declared here`),
  }),
  queryExamples(
    'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { titel: property(name: "titel") } } }',
    'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { title: property(name: "title") } } }',
  ),
)
