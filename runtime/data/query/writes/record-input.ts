/** Reads a record from an argument of a mutation: its table, columns and properties. */
import type { PropertyDef } from '../../../page/compiled.ts'
import type { Build, InputFields, Selected } from '../model.ts'
import { fieldsOf, isConstant } from '../rows/input.ts'
import { type ColumnKind, type ColumnsSql, columnsSql } from './columns.ts'
import { type PropertyChange, changesOf, remarkUndeclared } from './properties.ts'
import { type Table, type TableChoice, tableNumbered, tableOf } from './table.ts'

/** The writable columns of a record, by field name. */
export const RECORD_COLUMNS: Readonly<Record<string, ColumnKind>> = {
  id: 'id',
  user_id: 'id',
  external_id: 'text',
  customizable_id: 'id',
  customizable_type: 'text',
  created_at: 'required time',
  updated_at: 'required time',
  deleted_at: 'time',
}

/** A record in an argument: `RecordInputType` or `CustomizationInputType`. */
export interface RecordInput {
  readonly fields: InputFields
  readonly table: TableChoice
  readonly changes: readonly PropertyChange[]
}

/** Reads the first given argument. */
export function recordInput(call: Selected, names: readonly string[], build: Build): RecordInput {
  const given = names.map((name) => fieldsOf(call.args[name])).find((one) => one !== null) ?? {}
  const named = tableOf([given['table'], given['model_schema_name'], given['custom_model_type_name']], build)
  const table = named === 'absent' ? tableNumbered(given['custom_model_type_id'], build) : named
  const all = changesOf(given, build)
  const { fields, changes } =
    typeof table === 'object' ? separateColumns(given, all, table) : { fields: given, changes: all }
  if (typeof table === 'object') remarkChanges(changes, table, build)
  // The table is unknown and may not declare them.
  else for (const { name, leaf } of changes) if (leaf !== null && !isConstant(leaf)) build.allowUndeclaredWrite(name)
  return { fields, table, changes }
}

/**
 * Separates changes of properties that are columns from the other changes, and adds them to the fields. A field that is given directly
 * takes
 * precedence.
 */
export function separateColumns(
  given: InputFields,
  all: readonly PropertyChange[],
  { properties }: Table,
): { readonly fields: InputFields; readonly changes: readonly PropertyChange[] } {
  const own = all.filter((change) => setsColumn(change, properties))
  if (own.length === 0) return { fields: given, changes: all }
  const fields: Record<string, InputFields[string]> = Object.fromEntries(own.map(({ name, leaf }) => [name, leaf]))
  for (const [name, input] of Object.entries(given)) if (input !== undefined) fields[name] = input
  return { fields, changes: all.filter((change) => !own.includes(change)) }
}

/** Whether a change sets a property that is a column of the record. */
export function setsColumn({ name, does }: PropertyChange, properties: ReadonlyMap<string, PropertyDef>): boolean {
  return does === 'set' && properties.get(name)?.column === true
}

/** Remarks properties that the table does not declare. */
export function remarkChanges(changes: readonly PropertyChange[], table: Table, build: Build): void {
  remarkUndeclared(changes, table.properties, `Table \`${table.name}\` has no`, table.name, build)
}

export function recordColumns(fields: InputFields, build: Build): ColumnsSql {
  const columns = new Map(columnsSql(fields, RECORD_COLUMNS, build))
  const title = columnsSql(fields, { title: 'text' }, build).get('title')
  if (title !== undefined) columns.set('name', title)
  return columns
}
