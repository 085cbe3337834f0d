/** The queries of generated pages: the list with its orders, a single row, and the related rows that a form offers. */
import { selectionOf } from './fields.ts'
import type { Files } from './model.ts'
import { type Field, findNameField, type Names } from './names.ts'

/** Maximum number of related rows in a select field. */
const MAX_CHOICES = 500
/** Maximum number of columns beside the first one of a list. */
const MAX_COLUMNS = 3
/** Types of fields that sort a list. */
const SORTED: ReadonlySet<Field['type']> = new Set(['integer', 'float', 'date', 'datetime'])

/** Returns the columns of a list: the field that names a row, and the first others that are short. */
export function columnsOf(fields: readonly Field[]): readonly Field[] {
  const name = findNameField(fields)
  const others = fields.filter((field) => field !== name && field.type !== 'text')
  return [...(name === null ? [] : [name]), ...others.slice(0, MAX_COLUMNS)]
}

/** Returns the fields that a visitor can sort a list by, in addition to the newest first. */
export function ordersOf(fields: readonly Field[]): readonly Field[] {
  const name = findNameField(fields)
  return fields.filter((field) => field === name || SORTED.has(field.type)).slice(0, MAX_COLUMNS)
}

/** Returns the field that a visitor can search; null when the rows have no name that is a text. */
export function searchedField(fields: readonly Field[]): Field | null {
  const name = findNameField(fields)
  return name !== null && (name.type === 'string' || name.type === 'text') ? name : null
}

/** Returns the texts of the queries of a list and of a single row, by placeholder. */
export function queryTexts({ singular }: Names, fields: readonly Field[]): Files {
  const searched = searchedField(fields)
  const orders = ordersOf(fields)
  const filter = `table: { value: "${singular}" }${searched === null ? '' : `, properties: [{ name: "${searched.name}", contains: $q }]`}`
  // Each order is a separate list, because an index supports only one order. A request runs only one of the lists.
  const list = (name: string, sort: string): string => `  ${name}: records(
    per_page: 20
    page: $page
    filter: { ${filter} }
    sort: [${sort}]
  ) @include(if: $${name}) {
    ...Found
  }
`
  return {
    VARIABLES: [
      ...(searched === null ? [] : ['  $q: String\n']),
      '  $newest: Boolean = false\n',
      ...orders.map(({ name }) => `  $by_${name}: Boolean = false\n`),
    ].join(''),
    LISTS: [
      list('newest', '{ created_at: { order: DESC } }'),
      ...orders.map(({ name }) => list(`by_${name}`, `{ properties: [{ name: "${name}", order: ASC }] }`)),
    ].join(''),
    COLUMNS: selections(columnsOf(fields), '    '),
    SELECTIONS: selections(fields, '      '),
  }
}

function selections(fields: readonly Field[], indent: string): string {
  return fields.map((field) => `${indent}${selectionOf(field)}\n`).join('')
}

/** Returns the lists of the related rows that the select fields of a form offer; empty without relations. */
export function choiceLists(fields: readonly Field[]): string {
  const lists = fields.flatMap(({ related }) => (related === null ? [] : [related]))
  const texts = lists.map(
    ({ alias, table, label }) => `  ${alias}: records(
    per_page: ${MAX_CHOICES}
    filter: { table: { value: "${table}" } }
    sort: [{ properties: [{ name: "${label}", order: ASC }] }]
  ) {
    results {
      id
      ${label}: property(name: "${label}")
    }
  }
`,
  )
  return texts.join('')
}
