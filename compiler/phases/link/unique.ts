/** What `unique` validations of forms ask of the database: each looks for a row that has the value already. */
import type { IndexKey } from '../../../runtime/page/compiled.ts'
import type { IndexNeed } from '../../../runtime/data/query/model.ts'
import type { LinkedField, LinkedForm, LinkedGroup } from '../../core/model/form.ts'
import type { FormRule } from '../../core/model/settings.ts'
import { OWN_COLUMNS } from '../../language/settings/properties.ts'

const KINDS: ReadonlySet<string> = new Set(['unique', 'uniqueness'])
/** Columns that a scope may name and an index may hold. */
const COLUMNS: Readonly<Record<string, 'user_id' | 'external_id'>> = {
  user_id: 'user_id',
  external_id: 'external_id',
}

/** One for each validation that an index can serve: profiles have none, and neither has text in any case of its letters. */
export function uniqueNeeds(forms: Iterable<LinkedForm>): readonly IndexNeed[] {
  return [...forms].flatMap(({ resource, table, fields }) => {
    if (resource === 'user') return needsOf(fields, 'users', null)
    return resource === 'record' && table !== null ? needsOf(fields, 'records', table) : needsBelow(fields)
  })
}

function needsOf(group: LinkedGroup, rows: IndexNeed['rows'], table: string | null): readonly IndexNeed[] {
  const own = group.properties.flatMap((field) =>
    field.virtual
      ? []
      : field.validations.filter(isServedByIndex).map((rule) => needOf(group, field, rule, rows, table)),
  )
  return [...own, ...needsBelow(group)]
}

function needsBelow({ nested }: LinkedGroup): readonly IndexNeed[] {
  return nested.flatMap(({ table, fields }) =>
    table === null ? needsBelow(fields) : needsOf(fields, 'records', table),
  )
}

function isServedByIndex({ rule, options }: FormRule): boolean {
  return KINDS.has(rule) && !options.some(({ name, value }) => name === 'case_sensitive' && !isYes(value))
}

function isYes(value: FormRule['options'][number]['value']): boolean {
  return value.kind === 'plain' && (value.value === true || value.value === 'true')
}

function needOf(
  group: LinkedGroup,
  field: LinkedField,
  { options, span }: FormRule,
  rows: IndexNeed['rows'],
  table: string | null,
): IndexNeed {
  const scope = options.find(({ name }) => name === 'scope')?.value
  const items = scope === undefined ? [] : scope.kind === 'list' ? scope.items : [scope]
  const others = items.flatMap((item) => (item.kind === 'plain' ? keyOf(group, String(item.value), table) : []))
  return {
    rows,
    table,
    alive: true,
    equals: [...valueKey(field.name, rows), ...others].map((key) => ({ key, optional: false })),
    ranges: [],
    contains: [],
    elements: [],
    sort: [{ column: 'id', order: 'asc' }],
    unserved: [],
    at: { start: span.start, end: span.end },
  }
}

/** The key of the value itself; a property of a record that is its own column is found there. */
function valueKey(name: string, rows: IndexNeed['rows']): readonly IndexKey[] {
  if (rows === 'users' || !OWN_COLUMNS.has(name)) return [match(name)]
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined
  return column === undefined ? [] : [{ column, order: 'asc' }]
}

function match(property: string): IndexKey {
  return { property, as: 'match', order: 'asc' }
}

/** The key of a field that a scope names; none for one that an index does not hold. */
function keyOf(group: LinkedGroup, scope: string, table: string | null): readonly IndexKey[] {
  const name = scope.replace(/^properties\./, '')
  const column = name === scope && Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined
  if (column !== undefined) return column === 'user_id' && table === null ? [] : [{ column, order: 'asc' }]
  const declared = group.properties.some((field) => field.name === name && !field.virtual)
  return declared ? valueKey(name, table === null ? 'users' : 'records') : []
}
