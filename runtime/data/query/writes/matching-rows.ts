/** Writes all rows that match a filter, for mutations whose names end in `_all`. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { type RowQuery, rowQuery, whereSql } from '../rows/filter.ts'
import { fieldsOf, flagOf, itemsOf } from '../rows/input.ts'
import { reportRows } from '../rows/index-need.ts'
import type { Tables } from '../rows/tables.ts'
import { columnKey, type KeyValue } from '../row-access.ts'
import { recordsOwner } from '../upload-host.ts'
import { propertiesSql, undeclaredSql } from './properties.ts'
import { separateColumns, RECORD_COLUMNS, recordColumns, recordInput, remarkChanges } from './record-input.ts'
import { relationOf } from '../rows/scope.ts'
import { assignedColumns } from './columns.ts'
import { countStatement, emptyFilterError } from './result.ts'
import { type TableChoice, tableOf } from './table.ts'
import { isWholeVariable, writtenValues } from './write-access.ts'
import { assignments, partsAfterChange, userInput } from './users.ts'
import { integer, join, emptySql, sql, type Sql } from '../../sql/sql.ts'

interface RowsToChange {
  readonly rows: 'records' | 'users'
  readonly tables: Tables
  /** The values that are written to the rows. */
  readonly writtenKeyValues?: readonly KeyValue[]
  readonly hasUnknownValues?: boolean
  /** A verb for error messages that says what the mutation does. */
  readonly verb: string
}

const SOFT_DELETE = sql`set deleted_at = clock_timestamp(), updated_at = clock_timestamp()`

/**
 * Builds the query for the rows to write. Returns null when a filter was given, but none of its conditions has a value and it does not name
 * a table. A search may ignore such a filter, but a write would change every row.
 */
function matchingRows(
  { rows, tables, writtenKeyValues = [], hasUnknownValues = false }: RowsToChange,
  call: Selected,
  build: Build,
): RowQuery | null {
  const { filter } = call.args
  const reading = rowQuery({ rows, filter, tables, alias: sql`r` }, build)
  reading.need.action = 'update'
  reading.need.writtenKeyValues.push(...writtenKeyValues)
  reading.need.hasUnknownValues = hasUnknownValues
  reportRows(reading.scope, reading.need, call.range, build)
  const isTableNamed = reading.scope.tables !== null && tables === null
  return fieldsOf(filter) !== null && !reading.hasConditions && !isTableNamed ? null : reading
}

function changeMatching(
  matched: RowsToChange,
  assigned: Sql,
  furtherParts: readonly Sql[],
  call: Selected,
  build: Build,
): JsonExpression {
  const reading = matchingRows(matched, call, build)
  if (reading === null) return emptyFilterError(`${matched.verb} every row`, call, countStatement(emptySql, call))
  const changedRows = sql`changed as (update ${relationOf(matched.rows)} as r ${assigned}${whereSql(reading.conditions)} returning r.id)`
  return countStatement(join([changedRows, ...furtherParts]), call)
}

/**
 * Soft-deletes matching records.
 * @param names arguments that may name the table
 * @param tableFreeArguments arguments that allow a call without a table
 */
export function deleteRecords(
  call: Selected,
  names: readonly string[],
  tableFreeArguments: readonly string[],
  build: Build,
): JsonExpression {
  const table = tableOf(
    names.map((name) => call.args[name]),
    build,
  )
  if (table === 'absent' && !tableFreeArguments.some((name) => flagOf(call.args[name]) === true)) {
    const message = `\`${call.name}\` needs \`${names[0]}\`, or \`${tableFreeArguments[0]}: true\` for the rows of every table.`
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: names[0] ?? '', field: call.name },
    })
  }
  return changeMatching(
    { rows: 'records', tables: tablesOfChoice(table), verb: 'delete' },
    SOFT_DELETE,
    [],
    call,
    build,
  )
}

function tablesOfChoice(table: TableChoice): Tables {
  return typeof table === 'object' ? [table.name] : null
}

/**
 * Changes matching records of a table, and moves them to the table that the record names.
 * @param names the names of the arguments that may contain the record
 */
export function updateRecords(
  call: Selected,
  names: { readonly table: string; readonly record: string },
  build: Build,
): JsonExpression {
  const table = tableOf([call.args[names.table]], build)
  const { fields: recordFields, table: namedTable, changes: allChanges } = recordInput(call, [names.record], build)
  const target = typeof namedTable === 'object' ? namedTable : table
  const { fields, changes } =
    typeof target === 'object'
      ? separateColumns(recordFields, allChanges, target)
      : { fields: recordFields, changes: allChanges }
  const columns = new Map(recordColumns(fields, build))
  if (itemsOf(fields['records']).length > 0) {
    const message = '`records` cannot be given to many records at once.'
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'refused input', name: 'records', field: call.name },
    })
  }
  // Several records cannot have the same id.
  columns.delete('id')
  if (typeof target === 'object') {
    if (namedTable === 'absent') remarkChanges(changes, target, build)
    if (target !== table) columns.set('table_id', integer(target.id))
    const propertiesContext = {
      owner: recordsOwner(target.id),
      properties: target.properties,
      storedPart: sql`r.properties`,
    }
    if (changes.length > 0) columns.set('properties', propertiesSql(changes, propertiesContext, build).sql)
    const undeclaredChanges = undeclaredSql(changes, target.properties, sql`r.undeclared`, build)
    if (undeclaredChanges !== null) columns.set('undeclared', undeclaredChanges)
  }
  if (!columns.has('updated_at')) columns.set('updated_at', sql`clock_timestamp()`)
  const assigned = sql`set ${assignedColumns(columns)}`
  const { id: _id, ...others } = fields
  const values = writtenValues(others, RECORD_COLUMNS, changes, build)
  const writtenKeyValues =
    typeof target === 'object' && target !== table ? [...values, tableIdValue(target.name)] : values
  const matched = {
    rows: 'records',
    tables: tablesOfChoice(table),
    writtenKeyValues,
    hasUnknownValues: isWholeVariable(recordFields),
    verb: 'change',
  } as const
  return changeMatching(matched, assigned, [], call, build)
}

/** Returns the table number of rows that are moved to another table. */
function tableIdValue(name: string): KeyValue {
  return { key: columnKey('table_id'), value: { kind: 'constant', value: name }, isList: false, optional: false }
}

/** Soft-deletes matching users. */
export function deleteUsers(call: Selected, build: Build): JsonExpression {
  requireFilter(call, build)
  return changeMatching({ rows: 'users', tables: null, verb: 'delete' }, SOFT_DELETE, [], call, build)
}

/** Changes matching users. */
export function updateUsers(call: Selected, build: Build): JsonExpression {
  requireFilter(call, build)
  const input = userInput(call, build)
  const assigned = sql`set ${assignments(input, build)}`
  return changeMatching(
    { rows: 'users', tables: null, verb: 'change' },
    assigned,
    partsAfterChange(input, build),
    call,
    build,
  )
}

function requireFilter(call: Selected, build: Build): void {
  if (fieldsOf(call.args['filter']) !== null || flagOf(call.args['all_users']) === true) return
  const message = `\`${call.name}\` needs a \`filter\`, or \`all_users: true\`.`
  build.reportProblem({
    code: 'invalid',
    message,
    range: call.range,
    hint: null,
    mistake: { kind: 'missing input', name: 'filter', field: call.name },
  })
}
