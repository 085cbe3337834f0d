/** Writes a single record, for `record_create`, `record_update`, `record_delete` and their old names. */
import type { Build, Input, JsonExpression, Selected } from '../model.ts'
import { leafOf } from '../rows/input.ts'
import { assignedColumns, columnNames, type ColumnsSql, idParameter, textForError, validatedColumn } from './columns.ts'
import {
  type PropertyChange,
  literalProblem,
  propertiesSql,
  remarkUndeclared,
  supportsChange,
  undeclaredSql,
} from './properties.ts'
import { RECORD_COLUMNS, recordColumns, type RecordInput, recordInput, setsColumn } from './record-input.ts'
import { errorStatement, writtenRowJson, changeStatement, changeStatementOrError } from './result.ts'
import { nestedRecordParts } from './nested-records.ts'
import { allTables, type Table, type TableChoice, tableOf } from './table.ts'
import { isUpload } from './uploads.ts'
import { recordsOwner } from '../upload-host.ts'
import {
  defaultValues,
  keyValueOfArgument,
  isWholeVariable,
  newIdValue,
  addWriteAccess,
  writtenValues,
} from './write-access.ts'
import { defaultTexts } from './stored-values.ts'
import { identifier, integer, integers, join, emptySql, sql, type Sql } from '../../sql/sql.ts'

/** Inserts one record. */
export function createRecord(call: Selected, names: readonly string[], build: Build): JsonExpression {
  const { fields, table, changes } = recordInput(call, names, build)
  const alias = build.newAlias('r')
  reportNewRecord({ fields, table, changes }, alias, call, build)
  const row = writtenRowJson('records', alias, namesOf(table), call, build)
  if (table === 'absent') {
    const message = 'A new record needs the name of its table.'
    // The whole record may be a variable, which may contain the table.
    if (Object.keys(fields).length === 0) return errorStatement(message, call, row)
    build.reportProblem({
      code: 'unknown-table',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'table', field: call.name },
    })
  }
  const columns = new Map(recordColumns(fields, build))
  if (typeof table === 'object') {
    columns.set('table_id', integer(table.id))
    const owner = recordsOwner(table.id)
    const defaults = defaultTexts(table.properties.values())
    columns.set(
      'properties',
      propertiesSql(changes, { owner, properties: table.properties, storedPart: null, defaults }, build).sql,
    )
    const undeclaredChanges = undeclaredSql(changes, table.properties, null, build)
    if (undeclaredChanges !== null) columns.set('undeclared', undeclaredChanges)
  }
  const id = columns.get('id')
  if (id === undefined || leafOf(fields['id']) === null) columns.delete('id')
  else columns.set('id', sql`ingot.reserved(${id})`)
  const inserted = sql`insert into ingot.records as r (${columnNames(columns)}) values (${join(columns.values())})`
  const nestedParts = nestedRecordParts(fields, { name: sql`changed`, alias }, build)
  return changeStatement(join([sql`changed as (${inserted} returning r.*)`, ...nestedParts]), alias, row)
}

/** Reports the values of the new record for row accesses. */
function reportNewRecord({ fields, table, changes }: RecordInput, alias: Sql, call: Selected, build: Build): void {
  const values = writtenValues(fields, RECORD_COLUMNS, changes, build)
  const defaults = typeof table === 'object' ? defaultValues(table, values) : []
  const writtenKeyValues = [...values, ...defaults]
  const hasUnknownValues = isWholeVariable(fields)
  const fixedValues = newIdValue(fields['id'], build)
  addWriteAccess(
    {
      alias,
      rows: 'records',
      tables: namesOf(table),
      action: 'insert',
      fixedValues,
      writtenKeyValues,
      hasUnknownValues,
      range: call.range,
    },
    build,
  )
}

/** Returns the names of the possible tables; null when any table is possible. */
function namesOf(table: TableChoice): readonly string[] | null {
  return typeof table === 'object' ? [table.name] : null
}

/** Changes one record. */
export function updateRecord(call: Selected, names: readonly string[], build: Build): JsonExpression {
  const { fields, table, changes } = recordInput(call, names, build)
  const id = idParameter(call.args['id'], build)
  const target = typeof table === 'object' ? changeInTable(table, changes, build) : changeInAnyTable(changes, build)
  const columns = new Map([...target.columns, ...recordColumns(fields, build)])
  columns.delete('id')
  if (target.properties !== null) columns.set('properties', target.properties)
  if (target.undeclared !== null) columns.set('undeclared', target.undeclared)
  if (!columns.has('updated_at')) columns.set('updated_at', sql`clock_timestamp()`)
  const assigned = assignedColumns(columns)
  const condition = join([sql`r.id = ${id}`, ...target.conditions], ' and ')
  const alias = build.newAlias('r')
  const changedRows = sql`changed as (update ingot.records as r set ${assigned} where ${condition} returning r.*)`
  const tables = namesOf(table)
  const { id: _id, ...others } = fields
  const values = writtenValues(others, RECORD_COLUMNS, changes, build)
  const idCondition = keyValueOfArgument('id', call.args['id'], build)
  const hasUnknownValues = isWholeVariable(fields)
  addWriteAccess(
    {
      alias,
      rows: 'records',
      tables,
      action: 'update',
      fixedValues: idCondition,
      writtenKeyValues: values,
      hasUnknownValues,
      range: call.range,
    },
    build,
  )
  const row = writtenRowJson('records', alias, tables, call, build)
  return changeStatementOrError(
    join([changedRows, ...nestedRecordParts(fields, { name: sql`changed`, alias }, build)]),
    alias,
    row,
    missingRecordJson(id, call.args['id'], target.complaint, build),
    missingRecordMessage(table, changes, build),
    call,
  )
}

/** Returns the numbers of tables, for `in (…)`. */
function idsOf(tables: readonly Table[]): Sql {
  return integers(tables.map(({ id }) => id))
}

/** The SQL of an update of properties, and the condition on the rows that it applies to. */
interface PropertiesChange {
  /** The columns that are properties of some tables. */
  readonly columns: ColumnsSql
  readonly properties: Sql | null
  readonly undeclared: Sql | null
  readonly conditions: readonly Sql[]
  /** A text about the row `t` that says which values do not fit its table. */
  readonly complaint: Sql | null
}

const UNCHANGED: PropertiesChange = {
  columns: new Map(),
  properties: null,
  undeclared: null,
  conditions: [],
  complaint: null,
}

function changeInTable(table: Table, changes: readonly PropertyChange[], build: Build): PropertiesChange {
  const conditions = [sql`r.table_id = ${integer(table.id)}`]
  if (changes.length === 0) return { ...UNCHANGED, conditions }
  const propertiesContext = {
    owner: recordsOwner(table.id),
    properties: table.properties,
    storedPart: sql`r.properties`,
  }
  const { sql: properties } = propertiesSql(changes, propertiesContext, build)
  const undeclared = undeclaredSql(changes, table.properties, sql`r.undeclared`, build)
  return { ...UNCHANGED, properties, undeclared, conditions }
}

/**
 * Returns the change of a record whose table is not named. The statement has one case for all tables that declare the given properties in
 * the same way. The row's table selects the case.
 */
function changeInAnyTable(changes: readonly PropertyChange[], build: Build): PropertiesChange {
  if (changes.length === 0) return UNCHANGED
  const tables = allTables(build)
  const declaredNames = new Set(tables.flatMap(({ properties }) => [...properties.keys()]))
  if (tables.length > 0) remarkUndeclared(changes, declaredNames, 'No table has a', 'tables', null, build)
  const uploadChange = changes.find((change) => change.upload !== undefined)
  const suitableTables = tables.filter(({ properties }) =>
    changes.every((change) => {
      const property = properties.get(change.name)
      return property === undefined || supportsChange(property, change)
    }),
  )
  const possibleTables = uploadChange === undefined ? suitableTables : tablesForUpload(suitableTables, changes)
  if (uploadChange !== undefined && possibleTables.length > 1) {
    const message = '`value_upload` requires the name of the table.'
    build.reportProblem({
      code: 'property-type',
      message,
      range: uploadChange.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'table' },
    })
  }
  if (possibleTables.length === 0) {
    if (tables.length > 0) reportNoSuitableTable(changes, build)
    return { ...UNCHANGED, conditions: [sql`false`] }
  }
  const groups = groupByDeclaration(possibleTables, changes)
  const lenient = groups.length > 1
  if (lenient) reportUnsuitableValues(changes, groups, build)
  const cases = groups.map((group) => {
    const ids = idsOf(group)
    const [{ id, properties }] = group
    return {
      ids,
      ...propertiesSql(changes, { owner: recordsOwner(id), properties, storedPart: sql`r.properties`, lenient }, build),
      undeclared: undeclaredSql(changes, properties, sql`r.undeclared`, build),
    }
  })
  const columnChanges = columnsInAnyTable(changes, possibleTables, build)
  const everyId = idsOf(possibleTables)
  const conditions = possibleTables.length === tables.length ? [] : [sql`r.table_id in (${everyId})`]
  const [first] = cases
  if (!lenient && columnChanges.complaints.length === 0 && first !== undefined)
    return { ...UNCHANGED, properties: first.sql, undeclared: first.undeclared, conditions }
  const propertiesCases = cases.map(({ ids, sql: properties }) => sql`when r.table_id in (${ids}) then ${properties}`)
  const undeclaredCases = cases.flatMap(({ ids, undeclared }) =>
    undeclared === null ? [] : [sql`when r.table_id in (${ids}) then ${undeclared}`],
  )
  const ofProperties = cases.flatMap(({ ids, complaint }) => (complaint === null ? [] : [{ ids, complaint }]))
  const complaints = [...columnChanges.complaints, ...ofProperties]
  return {
    columns: columnChanges.columns,
    properties: sql`case ${join(propertiesCases, ' ')} end`,
    undeclared: undeclaredCases.length === 0 ? null : sql`case ${join(undeclaredCases, ' ')} else r.undeclared end`,
    conditions: [
      sql`r.table_id in (${everyId})`,
      ...complaints.map(({ ids, complaint }) => sql`(r.table_id not in (${ids}) or ${complaint} is null)`),
    ],
    complaint:
      complaints.length === 0
        ? null
        : sql`coalesce(${join(complaints.map(({ ids, complaint }) => sql`case when t.table_id in (${ids}) then ${complaint} end`))})`,
  }
}

interface CaseComplaint {
  /** The numbers of the tables to which the case applies. */
  readonly ids: Sql
  /** The SQL of the text that says which values do not fit. */
  readonly complaint: Sql
}

/** Returns the columns of properties that are columns in some tables. In rows of other tables, these columns stay unchanged. */
function columnsInAnyTable(
  changes: readonly PropertyChange[],
  tables: readonly Table[],
  build: Build,
): { readonly columns: ColumnsSql; readonly complaints: readonly CaseComplaint[] } {
  const columns = new Map<string, Sql>()
  const complaints: CaseComplaint[] = []
  for (const change of changes) {
    const tablesWithColumn = tables.filter(({ properties }) => setsColumn(change, properties))
    const kind = RECORD_COLUMNS[change.name]
    const validatedValue =
      tablesWithColumn.length === 0 || kind === undefined ? null : validatedColumn(change.name, kind, change, build)
    if (validatedValue === null) continue
    const ids = idsOf(tablesWithColumn)
    columns.set(
      change.name,
      sql`case when r.table_id in (${ids}) then ${validatedValue.sql} else r.${identifier(change.name)} end`,
    )
    complaints.push({ ids, complaint: validatedValue.complaint })
  }
  return { columns, complaints }
}

/**
 * Returns the possible tables of a record that gets a file. When some tables declare all changed properties, only these tables are
 * possible. Otherwise the tables that declare the upload properties are possible.
 */
function tablesForUpload(tables: readonly Table[], changes: readonly PropertyChange[]): readonly Table[] {
  const declaring = (requiredChanges: readonly PropertyChange[]): readonly Table[] =>
    tables.filter(({ properties }) => requiredChanges.every(({ name }) => properties.has(name)))
  const declaringAll = declaring(changes)
  if (declaringAll.length > 0) return declaringAll
  const declaringUploads = declaring(changes.filter(({ upload }) => upload !== undefined))
  return declaringUploads.length > 0 ? declaringUploads : tables
}

/** Reports literal values that do not fit any table. */
function reportUnsuitableValues(changes: readonly PropertyChange[], groups: readonly TableGroup[], build: Build): void {
  for (const change of changes) {
    const problems = groups.flatMap((group) => {
      const property = group[0].properties.get(change.name)
      return property === undefined ? [] : [literalProblem(property, change)]
    })
    if (problems[0] && problems.every((problem) => problem !== null)) build.reportProblem(problems[0])
  }
}

/** Tables that declare the changed properties in the same way. */
type TableGroup = readonly [Table, ...Table[]]

/**
 * Groups tables that declare the properties in the same way. With an upload, each table is its own group, because an upload is authorized
 * for one table only.
 */
function groupByDeclaration(tables: readonly Table[], changes: readonly PropertyChange[]): readonly TableGroup[] {
  const groups = new Map<string, [Table, ...Table[]]>()
  for (const table of tables) {
    const types = changes
      .map(({ name }) => {
        const property = table.properties.get(name)
        if (property !== undefined && isUpload(property)) return `${property.type} ${table.id}`
        return property?.column === true ? 'column' : (property?.type ?? '-')
      })
      .join(' ')
    const group = groups.get(types)
    if (group === undefined) groups.set(types, [table])
    else group.push(table)
  }
  return [...groups.values()]
}

function reportNoSuitableTable(changes: readonly PropertyChange[], build: Build): void {
  const names = [...new Set(changes.map(({ name }) => `\`${name}\``))].join(', ')
  const mistake = { kind: 'property type', name: names } as const
  const message = `No table has the properties ${names} with types that support the change.`
  build.reportProblem({
    code: 'property-type',
    message,
    range: changes[0]?.range ?? null,
    hint: null,
    mistake,
    table: null,
  })
}

/** Returns JSON that tells why no record was changed. It has the requested id, and the table when the record exists. */
function missingRecordJson(id: Sql, input: Input | undefined, complaint: Sql | null, build: Build): Sql {
  const recordSource = sql`from ingot.records t where t.id = ${id}`
  const parts = [sql`'id', ${textForError(input, build)}`, sql`'table', (select t.table_id ${recordSource})`]
  if (complaint !== null) parts.push(sql`'complaint', (select ${complaint} ${recordSource})`)
  return sql`json_build_object(${join(parts)})`
}

function missingRecordMessage(
  table: TableChoice,
  changes: readonly PropertyChange[],
  build: Build,
): (missingRecord: Readonly<Record<string, unknown>>) => string {
  const { catalog } = build
  return ({ id, table: actualTable, complaint }) => {
    const missing = `Can't find ${typeof table === 'object' ? table.name : 'Record'} with id=${String(id)}`
    if (typeof actualTable !== 'number') return missing
    if (typeof complaint === 'string') return complaint
    const name = catalog.tableName(actualTable)
    if (typeof table === 'object') {
      return table.name === name ? missing : `Record ${String(id)} is of table \`${name}\`, not of \`${table.name}\`.`
    }
    const properties = name === null ? null : catalog.properties(name)
    const unsuited = changes.find((change) => {
      const property = properties?.get(change.name)
      return property !== undefined && !supportsChange(property, change)
    })
    return unsuited === undefined
      ? missing
      : `Property \`${unsuited.name}\` of table \`${name}\` cannot ${unsuited.does}.`
  }
}

/** Soft-deletes one record. */
export function deleteRecord(call: Selected, build: Build): JsonExpression {
  const table = tableOf([call.args['table']], build)
  // Only `record_delete` has the argument for the table, and not the old mutations.
  const mustName = build.options.requireTableForDelete && call.name === 'record_delete'
  if (table === 'absent' && mustName) {
    const message =
      '`record_delete` requires `table`, unless the site turns off `require_table_for_record_delete_mutation`.'
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'table', field: call.name },
      refusedByConfiguration: true,
    })
  }
  const id = idParameter(call.args['id'], build)
  const ofTable = typeof table === 'object' ? sql` and r.table_id = ${integer(table.id)}` : emptySql
  const alias = build.newAlias('r')
  const changedRows = sql`changed as (update ingot.records as r set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where r.id = ${id}${ofTable} and r.deleted_at is null returning r.*)`
  const tables = namesOf(table)
  const idCondition = keyValueOfArgument('id', call.args['id'], build)
  addWriteAccess(
    { alias, rows: 'records', tables, action: 'update', fixedValues: idCondition, range: call.range },
    build,
  )
  const row = writtenRowJson('records', alias, tables, call, build)
  return changeStatementOrError(
    changedRows,
    alias,
    row,
    missingRecordJson(id, call.args['id'], null, build),
    missingRecordMessage(table, [], build),
    call,
  )
}
