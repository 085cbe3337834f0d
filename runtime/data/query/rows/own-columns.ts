/**
 * Properties that table files declare under the names of a record's own columns: they are the columns, shown as text, as those of a
 * site are that keeps ids and times in properties.
 */
import type { PropertyDef } from '../../../page/compiled.ts'
import type { Catalog } from '../model.ts'

/** Rows of which properties are read. */
interface Rows {
  readonly rows: 'records' | 'users' | 'profiles'
  readonly alias: string
  /** Tables of records; null for any. */
  readonly tables: readonly string[] | null
}

/** SQL of a time's text, `2020-03-15T14:28:48.153Z`. */
export function timeText(sql: string): string {
  return `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** SQL of the text that a column is as a property. @param sql of the column @param name one that `PropertyDef.column` marks */
export function ownText(sql: string, name: string): string {
  if (name.endsWith('_at')) return timeText(sql)
  return name === 'external_id' ? sql : `${sql}::text`
}

/** Names of the properties that are columns. */
export function ownColumns(properties: Iterable<PropertyDef>): readonly string[] {
  return [...properties].flatMap(({ name, column }) => (column === true ? [name] : []))
}

/**
 * SQL of a `jsonb` object with those columns of a row that its table declares as properties; null where none of the tables does.
 * @param only the one property that is asked for, null for all
 */
export function ownObject({ rows, alias, tables }: Rows, catalog: Catalog, only: string | null = null): string | null {
  if (rows !== 'records') return null
  const ids = new Map<string, number[]>()
  let others = false
  for (const table of tables ?? catalog.data.tables.map(({ name }) => name)) {
    const id = catalog.tableId(table)
    const names = ownColumns(catalog.properties(table)?.values() ?? []).filter((name) => only === null || name === only)
    if (id === null) continue
    if (names.length === 0) others = true
    else {
      const pairs = names.toSorted().map((name) => `'${name}', ${ownText(`${alias}.${name}`, name)}`)
      const object = `jsonb_build_object(${pairs.join(', ')})`
      ids.set(object, [...(ids.get(object) ?? []), id])
    }
  }
  const [first, ...more] = ids.keys()
  if (first === undefined) return null
  if (!others && more.length === 0) return first
  const cases = [...ids].map(([object, of]) => `when ${alias}.table_id in (${of.join(', ')}) then ${object}`)
  return `case ${cases.join(' ')} else '{}'::jsonb end`
}
