/** A record as an argument of a mutation describes it: its table, its columns, its properties. */
import type { Build, InputFields, Selected } from '../model.ts'
import { fieldsOf, isConstant } from '../rows/input.ts'
import { type ColumnKind, type ColumnsSql, columnsSql } from './columns.ts'
import { type Change, changesOf, remarkUndeclared } from './properties.ts'
import { type Table, type TableChoice, tableNumbered, tableOf } from './table.ts'

const COLUMNS: Readonly<Record<string, ColumnKind>> = {
  id: 'id',
  user_id: 'id',
  external_id: 'text',
  customizable_id: 'id',
  customizable_type: 'text',
  created_at: 'required time',
  updated_at: 'required time',
  deleted_at: 'time',
}

/** A record as an argument describes it: `RecordInputType`, or `CustomizationInputType`. */
export interface RecordInput {
  readonly fields: InputFields
  readonly table: TableChoice
  readonly changes: readonly Change[]
}

/** Reads the first of the arguments that is given. */
export function recordInput(call: Selected, names: readonly string[], build: Build): RecordInput {
  const fields = names.map((name) => fieldsOf(call.args[name])).find((one) => one !== null) ?? {}
  const named = tableOf([fields['table'], fields['model_schema_name'], fields['custom_model_type_name']], build)
  const table = named === 'absent' ? tableNumbered(fields['custom_model_type_id'], build) : named
  const changes = changesOf(fields, build)
  if (typeof table === 'object') remarkChanges(changes, table, build)
  // Whatever table it is may not declare them.
  else for (const { name, leaf } of changes) if (leaf !== null && !isConstant(leaf)) build.opens(name)
  return { fields, table, changes }
}

/** Remarks what the table does not declare. */
export function remarkChanges(changes: readonly Change[], table: Table, build: Build): void {
  remarkUndeclared(changes, table.properties, `Table \`${table.name}\` has no`, table.name, build)
}

export function recordColumns(fields: InputFields, build: Build): ColumnsSql {
  const columns = new Map(columnsSql(fields, COLUMNS, build))
  const title = columnsSql(fields, { title: 'text' }, build).get('title')
  if (title !== undefined) columns.set('name', title)
  return columns
}
