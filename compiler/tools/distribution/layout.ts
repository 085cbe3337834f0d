/** Which rows lie where when a site is distributed by a column of records, or by a property that tables declare. */
import { nearest } from '../../core/diagnostics/suggest.ts'
import type { DataSchema, RowKey, PropertyDef, PropertyType, RowAccess } from '../../core/model/operation.ts'

export interface Layout {
  /** The distribution column. */
  readonly key: RowKey
  /** The tables of records that are distributed by it. */
  readonly distributed: ReadonlySet<string>
  /** The tables of records of which every node has a copy; users and their profiles are always copied. */
  readonly reference: readonly string[]
}

/** The columns of records that rows can be distributed by. */
const COLUMNS = ['id', 'user_id', 'external_id', 'customizable_id', 'table_id']

/** Types whose values are equal exactly when their texts are, so that rows with the same value meet in a shard. */
const TYPES: ReadonlySet<PropertyType> = new Set(['string', 'integer', 'boolean', 'date', 'datetime', 'time'])

/** A name that rows cannot be distributed by, with the reason. */
export class NoLayout extends Error {}

/** @throws NoLayout */
export function layoutBy(name: string, { tables }: DataSchema): Layout {
  const all = tables.map((table) => table.name)
  if (COLUMNS.includes(name)) return { key: { of: 'column', name }, distributed: new Set(all), reference: [] }
  const declaring = tables.flatMap((table) =>
    table.properties.filter((property) => property.name === name).map((property) => ({ table: table.name, property })),
  )
  const [first] = declaring
  if (first === undefined)
    throw new NoLayout(
      unknown(
        name,
        tables.flatMap(({ properties }) => properties),
      ),
    )
  const other = declaring.find(({ property }) => property.type !== first.property.type)
  if (other !== undefined)
    throw new NoLayout(
      `\`${name}\` is declared \`${first.property.type}\` in \`${first.table}\` and \`${other.property.type}\` in \`${other.table}\`: a distribution column has one type.`,
    )
  if (!TYPES.has(first.property.type) || first.property.column === true)
    throw new NoLayout(`Rows cannot be distributed by \`${name}\`, which is declared \`${first.property.type}\`.`)
  const distributed = new Set(declaring.map(({ table }) => table))
  return { key: { of: 'property', name }, distributed, reference: all.filter((each) => !distributed.has(each)) }
}

function unknown(name: string, properties: readonly PropertyDef[]): string {
  const near = nearest(name, [...COLUMNS, ...properties.map((property) => property.name)])
  return `No table declares a property \`${name}\`, and records have no such column to distribute by (they have ${COLUMNS.map((each) => `\`${each}\``).join(', ')})${near === null ? '.' : `: \`${near}\`?`}`
}

/** Whether rows of a part may lie in different shards. Records whose table is unknown may. */
export function isDistributed({ rows, tables }: Pick<RowAccess, 'rows' | 'tables'>, { distributed }: Layout): boolean {
  return rows === 'records' && (tables === null || tables.some((table) => distributed.has(table)))
}

/** Whether a key is the distribution column. */
export function isSame(one: RowKey, other: RowKey): boolean {
  return one.of === other.of && one.name === other.name
}
