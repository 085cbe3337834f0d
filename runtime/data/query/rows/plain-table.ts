/** Collections of the rows of one table or view whose columns have the names of the fields. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { scalarResultType } from '../result-type.ts'
import { identifier, sql, type Sql } from '../../sql/sql.ts'
import { plainCollection, plainOrder } from './plain-collection.ts'
import { type PlainKeys, plainConditions } from './plain-filter.ts'
import { timeJson } from './property-json.ts'

/** How a column is shown and filtered. Columns that are `shown` have no filter. `external` is an id that is stored as text. */
type ColumnKind = 'id' | 'external' | 'text' | 'time' | 'shown'

export interface PlainTable {
  /** The table, view or subquery, with a column `id`. */
  readonly from: Sql
  readonly columns: Readonly<Record<string, ColumnKind>>
}

/** Returns a page of the table's rows, as `call` selects it. */
export function tableJson(call: Selected, table: PlainTable, build: Build): JsonExpression {
  const alias = build.newAlias('t')
  const rows = {
    from: sql`${table.from} ${alias}`,
    alias,
    conditions: plainConditions(call.args['filter'], filterKeys(table, alias), build),
    order: plainOrder(call.args['sort'], alias, new Set(Object.keys(table.columns)), build),
    field: (field: Selected) => columnJson(field, table, alias),
  }
  return plainCollection(call, rows, build)
}

function columnJson(field: Selected, { columns }: PlainTable, alias: Sql): JsonExpression {
  const column = sql`${alias}.${identifier(field.name)}`
  const kind = columns[field.name]
  const shown = kind === 'time' ? timeJson(column) : kind === 'id' ? sql`${column}::text` : column
  return { sql: shown, shape: null, type: scalarResultType(field.type) }
}

function filterKeys({ columns }: PlainTable, alias: Sql): PlainKeys {
  const keys: Record<string, PlainKeys[string]> = {}
  for (const [name, kind] of Object.entries(columns))
    if (kind !== 'shown') keys[name] = { sql: sql`${alias}.${identifier(name)}`, as: kind }
  return keys
}
