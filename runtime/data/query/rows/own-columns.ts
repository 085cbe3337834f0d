/** Properties that have the name of a column of records. They are stored in the column and read from it as text. */
import type { PropertyDef } from '../../../page/compiled.ts'
import type { Catalog } from '../model.ts'
import { identifier, integers, join, literal, type Sql, sql } from '../../sql/sql.ts'

/** The rows whose properties are read. */
interface RowsWithColumns {
  readonly rows: 'records' | 'users' | 'profiles'
  readonly alias: Sql
  /** The names of the tables of records; null when any table is possible. */
  readonly tables: readonly string[] | null
}

/** Returns the text of a time, such as `2020-03-15T14:28:48.153Z`. */
export function timeText(expression: Sql): Sql {
  return sql`to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/**
 * Returns the value of a column as the text of a property.
 * @param expression the SQL of the column
 * @param name the name of the column, which is a property with `PropertyDef.column`
 */
export function ownColumnText(expression: Sql, name: string): Sql {
  if (name.endsWith('_at')) return timeText(expression)
  return name === 'external_id' ? expression : sql`${expression}::text`
}

/** Returns the names of properties that are columns. */
export function ownColumns(properties: Iterable<PropertyDef>): readonly string[] {
  return [...properties].flatMap(({ name, column }) => (column === true ? [name] : []))
}

/**
 * Returns a `jsonb` object of the columns that the table of a row declares as properties; null when no table declares any.
 * @param only the name of a single property; null for all
 */
export function ownColumnsObject(
  { rows, alias, tables }: RowsWithColumns,
  catalog: Catalog,
  only: string | null = null,
): Sql | null {
  if (rows !== 'records') return null
  const ids = new Map<string, { readonly object: Sql; readonly tableIds: number[] }>()
  let others = false
  for (const table of tables ?? catalog.data.tables.map(({ name }) => name)) {
    const id = catalog.tableId(table)
    const names = ownColumns(catalog.properties(table)?.values() ?? []).filter((name) => only === null || name === only)
    if (id === null) continue
    if (names.length === 0) others = true
    else {
      const key = names.toSorted().join(' ')
      const tableIdsOfNames = ids.get(key)
      if (tableIdsOfNames === undefined) ids.set(key, { object: objectOf(names.toSorted(), alias), tableIds: [id] })
      else tableIdsOfNames.tableIds.push(id)
    }
  }
  const [first, ...more] = ids.values()
  if (first === undefined) return null
  if (!others && more.length === 0) return first.object
  const cases = [first, ...more].map(
    ({ object, tableIds }) => sql`when ${alias}.table_id in (${integers(tableIds)}) then ${object}`,
  )
  return sql`case ${join(cases, ' ')} else '{}'::jsonb end`
}

function objectOf(names: readonly string[], alias: Sql): Sql {
  const pairs = names.map((name) => sql`${literal(name)}, ${ownColumnText(sql`${alias}.${identifier(name)}`, name)}`)
  return sql`jsonb_build_object(${join(pairs)})`
}
