/**
 * `property-value-type`: a query that compares a property with a value of the wrong type, or sets it to one. Reported by `toDiagnostic`
 * (phases/link/query-problems.ts).
 */
import type { Span } from '../../../source/span.ts'
import { queryExamples } from '../../book-site.ts'
import { type Fix, message, relatedAt } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const propertyValueType = message(
  'property-value-type',
  'error',
  'WS16',
  (reason: string, fix: Fix | null, table: string | null, declarationSpan: Span | null, property: string | null) => ({
    subject: property === null ? { kind: 'table', name: table ?? '' } : { kind: 'property', name: property, of: table },
    text: reason,
    ...fix,
    related: relatedAt(declarationSpan, `the properties of ${quote(table ?? 'user')} are declared here`),
  }),
  queryExamples(
    'mutation { record_create(record: { table: "book", properties: [{ name: "pages", value: "many" }] }) { id } }',
    'mutation { record_create(record: { table: "book", properties: [{ name: "pages", value_int: 300 }] }) { id } }',
    `---
method: post
---
{% graphql g = 'books' %}{{ g.record_create.id }}`,
  ),
)
