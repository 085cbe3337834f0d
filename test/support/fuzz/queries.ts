/** Tables and queries of generated sites, and an in-memory store that answers any document with rows that contain markup. */
import { type FieldNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql'
import { MARKUP } from './words.ts'

export const TABLES: Readonly<Record<string, string>> = {
  'app/schema/thing.yml': `name: thing
properties:
  - name: title
  - name: count
    type: integer
  - name: price
    type: float
  - name: open
    type: boolean
  - name: tags
    type: array
`,
  'app/schema/part.yml': `name: part
properties:
  - name: title
  - name: thing_id
    belongs_to: thing
`,
}

/** Stored queries by their names, with the arguments that a call may pass. */
export const QUERIES: Readonly<Record<string, { readonly document: string; readonly passed: readonly string[] }>> = {
  'things/list': {
    document: `query list($limit: Int = 2, $title: String) {
  records(per_page: $limit, filter: { table: { value: "thing" }, properties: [{ name: "title", value: $title }] }) {
    total_entries
    results {
      id
      created_at
      title: property(name: "title")
      count: property_int(name: "count")
      price: property_float(name: "price")
      open: property_boolean(name: "open")
      tags: property_array(name: "tags")
    }
  }
}
`,
    passed: ['limit: 3', "title: 'a'", 'title: context.params.text'],
  },
  'parts/list': {
    document: `query parts($page: Int = 1) {
  parts: records(per_page: 5, page: $page, filter: { table: { value: "part" } }) {
    results {
      id
      title: property(name: "title")
      thing: related_record(table: "thing", join_on_property: "thing_id") {
        title: property(name: "title")
        constructor: property(name: "title")
      }
    }
  }
}
`,
    passed: ['page: 2', 'page: context.params.count'],
  },
  'things/create': {
    document: `mutation create($title: String!) {
  record: record_create(record: { table: "thing", properties: [{ name: "title", value: $title }] }) {
    id
    properties
  }
}
`,
    passed: ['title: context.params.text', "title: 'new'"],
  },
}

/** Paths in the results, by query name. Some do not exist in the rows. */
export const PATHS: Readonly<Record<string, readonly string[]>> = {
  'things/list': [
    'records.total_entries',
    'records.results',
    'records.results.first',
    'records.results.first.title',
    'records.results[0].tags',
    'records.results.last.count',
    'records.results[1].price',
    'records.results.first.open',
    'records.results.size',
    'records.results[5].title',
    'errors',
  ],
  'parts/list': ['parts.results', 'parts.results.first.thing.title', 'parts.results[0].thing.constructor', 'parts'],
  'things/create': ['record.id', 'record', 'record.properties'],
}

/** An inline query: a tag with the query in its body. */
export const INLINE =
  'query { records(per_page: 1, filter: { table: { value: "thing" } }) { total_entries results { id } } }'

/** Answers a document. Every list has two rows, and every text contains markup. @throws GraphQLError for an invalid document */
export function answerDocument(document: string): Record<string, unknown> {
  const operation = parse(document).definitions.find(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  )
  return operation === undefined ? {} : row(operation.selectionSet, 0)
}

const SCALARS: Readonly<Record<string, (n: number) => unknown>> = {
  id: (n) => `${n + 1}`,
  created_at: () => '2026-02-03T04:05:06.000Z',
  total_entries: () => 2,
  property_int: (n) => n + 4,
  property_float: (n) => n + 0.5,
  property_boolean: (n) => n === 0,
  property_array: () => [MARKUP, 'b'],
  properties: () => ({ title: MARKUP, count: 4 }),
}

function row(selection: SelectionSetNode, n: number): Record<string, unknown> {
  const fields = selection.selections.filter((each): each is FieldNode => each.kind === Kind.FIELD)
  return Object.fromEntries(fields.map((field) => [field.alias?.value ?? field.name.value, valueOf(field, n)]))
}

function valueOf({ name, selectionSet }: FieldNode, n: number): unknown {
  if (selectionSet === undefined) return (SCALARS[name.value] ?? (() => MARKUP))(n)
  return name.value === 'results' ? [row(selectionSet, 0), row(selectionSet, 1)] : row(selectionSet, n)
}
