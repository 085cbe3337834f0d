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

/** A record in an argument of type `RecordInputType` or `CustomizationInputType`. */
export interface RecordInput {
  readonly fields: InputFields
  readonly table: TableChoice
  readonly changes: readonly PropertyChange[]
}

/** Reads the record in the first given argument. */
export function recordInput(call: Selected, names: readonly string[], build: Build): RecordInput {
  const recordFields = names.map((name) => fieldsOf(call.args[name])).find((one) => one !== null) ?? {}
  const namedTable = tableOf(
    [recordFields['table'], recordFields['model_schema_name'], recordFields['custom_model_type_name']],
    build,
  )
  const table = namedTable === 'absent' ? tableNumbered(recordFields['custom_model_type_id'], build) : namedTable
  const allChanges = changesOf(recordFields, build)
  const { fields, changes } =
    typeof table === 'object'
      ? separateColumns(recordFields, allChanges, table)
      : { fields: recordFields, changes: allChanges }
  if (typeof table === 'object') remarkChanges(changes, table, build)
  // The table is unknown and may not declare them.
  else for (const { name, leaf } of changes) if (leaf !== null && !isConstant(leaf)) build.allowUndeclaredWrite(name)
  return { fields, table, changes }
}

/**
 * Removes the changes of properties that are columns from `changes` and adds them to the fields. A field that is given directly takes
 * precedence.
 */
export function separateColumns(
  recordFields: InputFields,
  allChanges: readonly PropertyChange[],
  { properties }: Table,
): { readonly fields: InputFields; readonly changes: readonly PropertyChange[] } {
  const columnChanges = allChanges.filter((change) => setsColumn(change, properties))
  if (columnChanges.length === 0) return { fields: recordFields, changes: allChanges }
  const fields: Record<string, InputFields[string]> = Object.fromEntries(
    columnChanges.map(({ name, leaf }) => [name, leaf]),
  )
  for (const [name, input] of Object.entries(recordFields)) if (input !== undefined) fields[name] = input
  return { fields, changes: allChanges.filter((change) => !columnChanges.includes(change)) }
}

/** Returns whether a change sets a property that is a column of the record. */
export function setsColumn({ name, does }: PropertyChange, properties: ReadonlyMap<string, PropertyDef>): boolean {
  return does === 'set' && properties.get(name)?.column === true
}

/** Reports properties that the table does not declare to the compiler. */
export function remarkChanges(changes: readonly PropertyChange[], table: Table, build: Build): void {
  remarkUndeclared(changes, table.properties, `Table \`${table.name}\` has no`, 'table', table.name, build)
}

export function recordColumns(fields: InputFields, build: Build): ColumnsSql {
  const columns = new Map(columnsSql(fields, RECORD_COLUMNS, build))
  const title = columnsSql(fields, { title: 'text' }, build).get('title')
  if (title !== undefined) columns.set('name', title)
  return columns
}
