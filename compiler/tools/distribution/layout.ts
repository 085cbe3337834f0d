/** Which rows are distributed and which are replicated, if a site is distributed by a record column or a declared property. */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import type { DataSchema, RowKey, PropertyDef, PropertyType, RowAccess } from '../../core/model/operation.ts'

export interface Layout {
  /** The distribution column. */
  readonly key: RowKey
  /** The record tables that are distributed by this column. */
  readonly distributed: ReadonlySet<string>
  /** The record tables that are replicated to every node. Users and their profiles are always replicated. */
  readonly reference: readonly string[]
}

/** The record columns that can be distribution columns. */
const COLUMNS = ['id', 'user_id', 'external_id', 'customizable_id', 'table_id']

/** Property types that can be distribution columns. Equal values of these types have equal texts, and so are in the same shard. */
const TYPES: ReadonlySet<PropertyType> = new Set(['string', 'integer', 'boolean', 'date', 'datetime', 'time'])

/** Thrown with the reason why a name cannot be a distribution column. */
export class LayoutError extends Error {}

/** Returns the layout for a distribution column or property. @throws LayoutError if rows cannot be distributed by that name */
export function createLayout(name: string, { tables }: DataSchema): Layout {
  const allNames = tables.map((table) => table.name)
  if (COLUMNS.includes(name)) return { key: { kind: 'column', name }, distributed: new Set(allNames), reference: [] }
  const declarations = tables.flatMap((table) =>
    table.properties.filter((property) => property.name === name).map((property) => ({ table: table.name, property })),
  )
  const [first] = declarations
  if (first === undefined)
    throw new LayoutError(
      unknownName(
        name,
        tables.flatMap(({ properties }) => properties),
      ),
    )
  const other = declarations.find(({ property }) => property.type !== first.property.type)
  if (other !== undefined)
    throw new LayoutError(
      `\`${name}\` is declared \`${first.property.type}\` in \`${first.table}\` and \`${other.property.type}\` in \`${other.table}\`: a distribution column needs one type.`,
    )
  if (!TYPES.has(first.property.type) || first.property.column === true)
    throw new LayoutError(`Rows cannot be distributed by \`${name}\`, which is declared \`${first.property.type}\`.`)
  const distributed = new Set(declarations.map(({ table }) => table))
  return { key: { kind: 'property', name }, distributed, reference: allNames.filter((each) => !distributed.has(each)) }
}

function unknownName(name: string, properties: readonly PropertyDef[]): string {
  const similarName = findNearest(name, [...COLUMNS, ...properties.map((property) => property.name)])
  return `No table declares a property \`${name}\`, and it is not a column to distribute records by (these are ${COLUMNS.map((each) => `\`${each}\``).join(', ')})${similarName === null ? '.' : `. Did you mean \`${similarName}\`?`}`
}

/** Returns true if the accessed rows may be in different shards. Records of an unknown table may. */
export function isDistributed({ rows, tables }: Pick<RowAccess, 'rows' | 'tables'>, { distributed }: Layout): boolean {
  return rows === 'records' && (tables === null || tables.some((table) => distributed.has(table)))
}

/** Returns true if both keys are the same. */
export function isSameKey(first: RowKey, other: RowKey): boolean {
  return first.kind === other.kind && first.name === other.name
}
