/** `records_create_rc`: inserts any number of records with one statement. The records are a single parameter. */
import {
  type Build,
  type Input,
  isInputList,
  Leaf,
  type JsonExpression,
  type ParameterHost,
  type SourceRange,
  type Problem,
  QueryError,
  type Selected,
  type Source,
} from '../model.ts'
import { fieldsOf, leafOf, knownTextOf } from '../rows/input.ts'
import { objectJson } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { keyValue } from '../rows/key-value.ts'
import type { KeyValue } from '../row-access.ts'
import { correctionOf } from '../suggest.ts'
import { checkLiteral, type ColumnKind, columnText, invalidValue } from './columns.ts'
import { undeclaredText } from './properties.ts'
import { rangeOfInput, type Table, tableNamed } from './table.ts'
import { recordsOwner } from '../upload-host.ts'
import { defaultValues, newIdValue, addWriteAccess, writtenValues } from './write-access.ts'
import { isUpload, claimUpload } from './uploads.ts'
import { defaultTexts, type StoredTexts, storedText } from './stored-values.ts'
import { objectText } from '../../values/json-text.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

const COLUMNS: Readonly<Record<string, ColumnKind>> = {
  id: 'id',
  user_id: 'id',
  external_id: 'text',
  created_at: 'required time',
  updated_at: 'required time',
  deleted_at: 'time',
}

/** Inserts the records of the argument `records`. */
export function createRecords(call: Selected, build: Build): JsonExpression {
  const input = call.args['records']
  checkLiterals(input, build)
  const leaf = asOneLeaf(input)
  const keepsFiles = build.catalog.data.tables.some(({ properties }) => properties.some(isUpload))
  if (keepsFiles) build.markDeferred()
  const rows = keepsFiles
    ? build.bind(leaf, 'text', async (value, host) =>
        rowsText(await claimUploads(value, leaf.range, build, host), leaf.range, build),
      )
    : build.bind(leaf, 'text', (value) => rowsText(value, leaf.range, build))
  const parsed = sql`jsonb_to_recordset(${rows}::jsonb) as x(n integer, "table" text, table_id integer,
    id bigint, user_id bigint, external_id text,
    created_at timestamptz, updated_at timestamptz, deleted_at timestamptz, properties jsonb, undeclared jsonb)`
  const rowsWithIds = sql`drawn as materialized (select x.*, case when x.id is null then nextval('ingot.ids') else ingot.reserved(x.id) end as new_id
    from ${parsed} order by x.n)`
  const changedRows = sql`changed as (insert into ingot.records
    (id, table_id, user_id, external_id, created_at, updated_at, deleted_at, properties, undeclared)
    select new_id, table_id, user_id, external_id, coalesce(created_at, now()), coalesce(updated_at, now()),
    deleted_at, properties, undeclared from drawn order by n)`
  reportRecords(input, call, build)
  const parts = call.selection.map(({ responseKey, name, type }) => ({
    key: responseKey,
    json: { sql: OUTPUT[name] ?? sql`null::text`, shape: null, type: scalarResultType(type) },
  }))
  const row = objectJson(parts, call.range)
  const statement = sql`with ${rowsWithIds}, ${changedRows} select coalesce(json_agg(${row.sql} order by n), '[]'::json) from drawn`
  return { sql: statement, shape: null, type: wrapType(call.type, row.type) }
}

const OUTPUT: Readonly<Record<string, Sql>> = {
  id: sql`new_id::text`,
  table: sql`"table"`,
  __typename: sql`'RecordCreate'::text`,
}

/** Reports the inserted records for row accesses: each record of a list in the document, or all records of a variable together. */
function reportRecords(input: Input | undefined, call: Selected, build: Build): void {
  const alias = build.newAlias('r')
  const inserted = { alias, rows: 'records', action: 'insert', at: call.range } as const
  const items =
    input === undefined || input === null || input instanceof Leaf ? [] : isInputList(input) ? input : [input]
  if (items.length === 0) addWriteAccess({ ...inserted, hasUnknownValues: true }, build)
  for (const item of items) {
    const recordFields = fieldsOf(item)
    const name = knownTextOf(recordFields?.['table'])
    const table = name === null ? null : tableNamed(name, null, build)
    const properties = recordFields?.['properties']
    const values = writtenValues(recordFields ?? {}, COLUMNS, [], build)
    const writtenKeyValues = [...values, ...(properties instanceof Leaf ? propertyValues(properties, build) : [])]
    addWriteAccess(
      {
        ...inserted,
        alias: build.newAlias('r'),
        tables: table === null ? null : [table.name],
        fixedValues: newIdValue(recordFields?.['id'], build),
        writtenKeyValues: [...writtenKeyValues, ...(table === null ? [] : defaultValues(table, writtenKeyValues))],
        hasUnknownValues:
          recordFields === null || (properties instanceof Leaf && properties.source.kind === 'variable'),
      },
      build,
    )
  }
}

/** Returns the values of properties in a literal object. */
function propertyValues(object: Leaf, build: Build): readonly KeyValue[] {
  return fieldSources(object).map(([name, source]) =>
    keyValue({ kind: 'property', name }, new Leaf(null, source, object.range, false), build),
  )
}

/** Combines an argument into one value, whether it is a variable or a literal. */
function asOneLeaf(input: Input | undefined): Leaf {
  if (input instanceof Leaf) return input
  const source = sourceOf(input)
  return new Leaf(null, source, null, false)
}

function sourceOf(input: Input | undefined): Source {
  if (input instanceof Leaf) return input.source
  if (input === null || input === undefined) return { kind: 'constant', value: null }
  if (isInputList(input)) return { kind: 'list', items: input.map(sourceOf) }
  const fields = Object.entries(input).flatMap(([name, item]): [string, Source][] =>
    item === undefined ? [] : [[name, sourceOf(item)]],
  )
  return { kind: 'object', fields }
}

/** Reports errors in records that are literals. */
function checkLiterals(input: Input | undefined, build: Build): void {
  if (input instanceof Leaf) {
    if (input.source.kind === 'variable') build.allowUndeclaredWrite()
    if (input.source.kind === 'constant') checkLiteral(input, (value) => rowsText(value, input.range, build), build)
    return
  }
  const items = input === null || input === undefined ? [] : isInputList(input) ? input : [input]
  for (const item of items) {
    const fields = fieldsOf(item)
    const name = knownTextOf(fields?.['table'])
    const table = name === null ? null : tableNamed(name, rangeOfInput(fields?.['table']), build)
    const properties = leafOf(fields?.['properties'])
    if (table === null || properties === null) continue
    if (properties.source.kind === 'variable') build.allowUndeclaredWrite()
    checkProperties(table, properties, build)
    for (const property of writtenNames(properties)) {
      if (table.properties.has(property)) continue
      const remark = unknownProperty(property, table, properties)
      if (remark.undeclared?.use === 'set') build.allowUndeclaredWrite(property)
      build.reportToCompiler(remark)
    }
  }
}

/** Reports literals in an object that their properties cannot hold. */
function checkProperties({ properties }: Table, object: Leaf, build: Build): void {
  for (const [name, source] of fieldSources(object)) {
    const property = properties.get(name)
    if (property === undefined || property.column === true || isUpload(property)) continue
    const value = source.kind === 'constant' ? source.value : null
    checkLiteral(new Leaf(value, source, object.range), (one) => storedText(property, one, object.range), build)
  }
}

/** Returns the names in a literal object. */
function writtenNames(object: Leaf): readonly string[] {
  return fieldSources(object).map(([name]) => name)
}

/** Returns the values of the fields of a literal object. */
function fieldSources({ source }: Leaf): readonly (readonly [string, Source])[] {
  if (source.kind === 'object') return source.fields
  return source.kind === 'constant' && isObject(source.value)
    ? Object.entries(source.value).map(([name, value]) => [name, { kind: 'constant', value }])
    : []
}

function unknownProperty(name: string, table: Table, { source, range }: Leaf): Problem {
  const message = `Table \`${table.name}\` has no property \`${name}\`.`
  const use = source.kind === 'constant' ? 'literal' : 'set'
  return {
    code: 'unknown-property',
    message,
    range,
    ...correctionOf(name, table.properties.keys()),
    table: table.name,
    knownNames: [...table.properties.keys()],
    undeclared: { property: name, use, of: 'table' },
    mistake: { kind: 'unknown property', name, type: table.name },
  }
}

/** Returns the records with the addresses of uploaded files replaced by the files' values. */
async function claimUploads(
  value: unknown,
  range: SourceRange | null,
  { catalog }: Build,
  host: ParameterHost,
): Promise<unknown> {
  const records: readonly unknown[] = Array.isArray(value) ? value : [value]
  const claimedRecords: unknown[] = []
  for (const record of records) {
    const table = isObject(record) && typeof record['table'] === 'string' ? record['table'] : ''
    const [id, declaredProperties] = [catalog.tableId(table), catalog.properties(table)]
    const properties = isObject(record) ? record['properties'] : null
    if (!isObject(record) || id === null || declaredProperties === null || !isObject(properties)) {
      claimedRecords.push(record)
      continue
    }
    const values = new Map(Object.entries(properties))
    for (const [name, each] of values) {
      const property = declaredProperties.get(name)
      if (property === undefined || !isUpload(property)) continue
      const owner = recordsOwner(id)
      values.set(name, await claimUpload({ property, owner, mayHold: false, range }, each, host))
    }
    claimedRecords.push({ ...record, properties: Object.fromEntries(values) })
  }
  return claimedRecords
}

/**
 * Returns the JSON text of the rows to insert.
 * @throws QueryError for the first invalid record, with its position in the list
 */
function rowsText(value: unknown, range: SourceRange | null, build: Build): string {
  const records: readonly unknown[] = Array.isArray(value) ? value : [value]
  const tablesByName = new Map<string, { readonly table: Table; readonly defaults: StoredTexts }>()
  const knownTable = (name: string): { readonly table: Table; readonly defaults: StoredTexts } => {
    let entry = tablesByName.get(name)
    if (entry === undefined) {
      const { catalog } = build
      const [id, properties] = [catalog.tableId(name), catalog.properties(name)]
      if (id === null || properties === null) {
        const tableNames = catalog.data.tables.map((one) => one.name)
        throw new QueryError([
          {
            code: 'unknown-table',
            message: `There is no table \`${name}\`.`,
            range,
            ...correctionOf(name, tableNames),
            table: name,
            mistake: { kind: 'unknown table', name },
          },
        ])
      }
      entry = { table: { name, id, properties }, defaults: defaultTexts(properties.values()) }
      tablesByName.set(name, entry)
    }
    return entry
  }
  const rows = records.map((record, index) => {
    try {
      return rowText(record, index, knownTable, range)
    } catch (error) {
      if (!(error instanceof QueryError) || records.length === 1) throw error
      throw new QueryError(error.problems.map((one) => ({ ...one, message: `Record ${index + 1}: ${one.message}` })))
    }
  })
  return `[${rows.join(',')}]`
}

function rowText(
  record: unknown,
  index: number,
  knownTable: (name: string) => { readonly table: Table; readonly defaults: StoredTexts },
  range: SourceRange | null,
): string {
  if (!isObject(record)) throw invalidValue('', 'A record must be an object.', range)
  if (typeof record['table'] !== 'string')
    throw invalidValue('table', 'A new record needs the name of its table.', range)
  const { table, defaults } = knownTable(record['table'])
  const texts = new Map(defaults)
  const others = new Map<string, string>()
  const columns: Record<string, unknown> = {}
  const properties = record['properties'] ?? {}
  if (!isObject(properties))
    throw invalidValue('properties', '`properties` must be an object of names and values.', range)
  for (const [name, value] of Object.entries(properties)) {
    const property = table.properties.get(name)
    if (property?.column === true) columns[name] = value === '' && name !== 'id' ? null : value
    else if (property === undefined) others.set(name, undeclaredText(name, value, range))
    else texts.set(name, storedText(property, value, range))
  }
  const row = new Map([
    ['n', `${index}`],
    ['table', JSON.stringify(table.name)],
    ['table_id', `${table.id}`],
  ])
  for (const [column, kind] of Object.entries(COLUMNS)) {
    const value = record[column] ?? columns[column]
    if (value !== null && value !== undefined) row.set(column, JSON.stringify(columnText(column, kind, value, range)))
  }
  row.set('properties', objectText(texts))
  if (others.size > 0) row.set('undeclared', objectText(others))
  return objectText(row)
}
