/** Finds the indexes that `unique` validations of forms need. Each validation looks for a row that already has the value. */
import type { IndexKey } from '../../../runtime/page/compiled.ts'
import type { IndexNeed } from '../../../runtime/data/query/model.ts'
import type { LinkedField, LinkedForm, LinkedGroup } from '../../core/model/form.ts'
import type { FormRule } from '../../core/model/settings.ts'
import { OWN_COLUMNS } from '../../language/settings/properties.ts'

const KINDS: ReadonlySet<string> = new Set(['unique', 'uniqueness'])
/** Columns that a scope can name and that an index can contain. */
const COLUMNS: Readonly<Record<string, 'user_id' | 'external_id'>> = {
  user_id: 'user_id',
  external_id: 'external_id',
}

/**
 * Returns the required index of each validation that can use one. Validations of profiles and case-insensitive validations cannot use
 * indexes.
 */
export function uniqueIndexNeeds(forms: Iterable<LinkedForm>): readonly IndexNeed[] {
  return [...forms].flatMap(({ resource, table, fields }) => {
    if (resource === 'user') return needsOf(fields, 'users', null)
    return resource === 'record' && table !== null ? needsOf(fields, 'records', table) : nestedNeeds(fields)
  })
}

function needsOf(group: LinkedGroup, rows: IndexNeed['rows'], table: string | null): readonly IndexNeed[] {
  const ownNeeds = group.properties.flatMap((field) =>
    field.virtual
      ? []
      : field.validations.filter(isServedByIndex).map((rule) => needOf(group, field, rule, rows, table)),
  )
  return [...ownNeeds, ...nestedNeeds(group)]
}

function nestedNeeds({ nested }: LinkedGroup): readonly IndexNeed[] {
  return nested.flatMap(({ table, fields }) =>
    table === null ? nestedNeeds(fields) : needsOf(fields, 'records', table),
  )
}

function isServedByIndex({ rule, options }: FormRule): boolean {
  return KINDS.has(rule) && !options.some(({ name, value }) => name === 'case_sensitive' && !isEnabled(value))
}

function isEnabled(value: FormRule['options'][number]['value']): boolean {
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
  const others = items.flatMap((item) => (item.kind === 'plain' ? scopeKey(group, String(item.value), table) : []))
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
    range: { start: span.start, end: span.end },
  }
}

/** Returns the index key of the value. A record property with its own column uses that column. */
function valueKey(name: string, rows: IndexNeed['rows']): readonly IndexKey[] {
  if (rows === 'users' || !OWN_COLUMNS.has(name)) return [matchKey(name)]
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined
  return column === undefined ? [] : [{ column, order: 'asc' }]
}

function matchKey(property: string): IndexKey {
  return { property, as: 'match', order: 'asc' }
}

/** Returns the key of a scope's field; empty if an index cannot contain it. */
function scopeKey(group: LinkedGroup, scope: string, table: string | null): readonly IndexKey[] {
  const name = scope.replace(/^properties\./, '')
  const column = name === scope && Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined
  if (column !== undefined) return column === 'user_id' && table === null ? [] : [{ column, order: 'asc' }]
  const declared = group.properties.some((field) => field.name === name && !field.virtual)
  return declared ? valueKey(name, table === null ? 'users' : 'records') : []
}
