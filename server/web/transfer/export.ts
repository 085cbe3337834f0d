/**
 * Exports rows of tables and users as text. All rows come from one snapshot of the database, and only a few are in
 * memory at a time.
 */
import type { Sql, TransactionSql } from 'postgres'
import type { DataSchema, PropertyDef } from '../../../runtime/page/compiled.ts'
import { cellText, exportColumns } from './csv-form.ts'
import { identifier, join, parameter, type Sql as SqlText, sql as statement } from '../../../runtime/data/sql/sql.ts'
import { USER_TEXTS } from '../../../runtime/data/values/user-columns.ts'
import { sendOnce } from '../../data/store/send.ts'
import {
  digitsMember,
  jsonObject,
  jsonMember,
  propertiesObject,
  textMember,
  timeMember,
  undeclaredMember,
} from './line-sql.ts'
import { OLD_COLUMNS } from './rows.ts'

/** Options of an export. */
export interface ExportOptions {
  readonly data: DataSchema
  readonly ids: ReadonlyMap<string, number>
  /** Names of declared tables. */
  readonly tables: readonly string[]
  readonly users: boolean
  /** Whether to export the documents of all search indexes; JSON only. */
  readonly documents: boolean
  /** Whether the hashes of passwords are left out. */
  readonly withoutPasswords?: boolean
  /** Called with the number of rows written. */
  progress(rows: number): void
}

/** The CSV text of a table. The table is null for users. */
export interface CsvPart {
  readonly table: string | null
  readonly text: AsyncIterable<string>
}

/** Column of the hash of a user's password. */
const PASSWORD = 'encrypted_password'

/** Number of rows per batch of the cursor. */
const FETCH_SIZE = 100

/** Runs `body` with a snapshot of the database. */
export async function withSnapshot(sql: Sql, body: (view: TransactionSql) => Promise<void>): Promise<void> {
  await sql.begin('isolation level repeatable read read only', async (snapshot) => {
    await snapshot`set local statement_timeout = 0`
    await body(snapshot)
  })
}

/** Returns the JSON export in pieces. README.md describes the format. */
export async function* jsonExport(sql: TransactionSql, options: ExportOptions): AsyncGenerator<string> {
  const count = createCounter(options)
  yield '{\n  "format": "ingot-data",\n  "version": 1'
  if (options.users) {
    yield ',\n  "users": ['
    yield* joinRows(readLines(sql, null, options), '    ', count)
    yield '\n  ]'
  }
  yield ',\n  "tables": {'
  let isFirst = true
  for (const table of options.tables) {
    yield `${isFirst ? '' : ','}\n    ${JSON.stringify(table)}: [`
    isFirst = false
    yield* joinRows(readLines(sql, table, options), '      ', count)
    yield '\n    ]'
  }
  yield '\n  }'
  if (options.documents) yield* exportDocuments(sql, count)
  yield '\n}\n'
}

/** Returns whether any search index contains a document. */
export async function hasDocuments(sql: TransactionSql): Promise<boolean> {
  const [batch] = await sql`select from ingot.documents limit 1`
  return batch !== undefined
}

/** Returns the part `documents` in pieces. It is omitted when there are no documents. */
async function* exportDocuments(sql: TransactionSql, count: (rows: number) => void): AsyncGenerator<string> {
  if (!(await hasDocuments(sql))) return
  yield ',\n  "documents": {'
  const line = jsonObject([
    textMember('d', 'id'),
    timeMember('d', 'created_at'),
    timeMember('d', 'updated_at'),
    jsonMember('document', statement`d.document::text`),
  ])
  const query = sendOnce<{ name: string; line: string }[]>(
    sql,
    statement`
      select search_index as name, ${line} as line from ingot.documents d order by search_index, id`,
  )
  let index: string | null = null
  for await (const rows of query.cursor(FETCH_SIZE)) {
    let piece = ''
    for (const row of rows) {
      if (row.name === index) piece += `,\n      ${row.line}`
      else piece += `${index === null ? '' : '\n    ],'}\n    ${JSON.stringify(row.name)}: [\n      ${row.line}`
      index = row.name
    }
    yield piece
    count(rows.length)
  }
  yield '\n    ]\n  }'
}

/** Returns each table, and the users, as separate texts. Each text must be read to its end before the next one. */
export async function* csvExport(sql: TransactionSql, options: ExportOptions): AsyncGenerator<CsvPart> {
  const count = createCounter(options)
  for (const table of [...(options.users ? [null] : []), ...options.tables])
    yield { table, text: csvText(sql, table, options, count) }
}

async function* csvText(
  sql: TransactionSql,
  table: string | null,
  options: ExportOptions,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  const declaredProperties = exportedProperties(table, options.data)
  const byName = new Map(declaredProperties.map((property) => [property.name, property]))
  const columns = exportColumns(declaredProperties, table === null, [
    ...(table !== null && (await usesOldColumns(sql, table, options)) ? OLD_COLUMNS : []),
    ...((await hasUndeclared(sql, table, options)) ? ['undeclared'] : []),
  ]).filter(({ kind, name }) => kind === 'property' || name !== PASSWORD || options.withoutPasswords !== true)
  yield `${columns.map(({ header }) => cellText(header, null)).join(',')}\n`
  for await (const batch of readLines(sql, table, options)) {
    const text = batch.map((line) => {
      const parsed: { readonly [column: string]: unknown; readonly properties: Readonly<Record<string, unknown>> } =
        JSON.parse(line)
      const { properties } = parsed
      const cells = columns.map(({ kind, name }) => {
        const from = kind === 'property' ? properties : parsed
        return cellText(
          Object.hasOwn(from, name) ? from[name] : undefined,
          byName.get(kind === 'property' ? name : '') ?? null,
        )
      })
      return `${cells.join(',')}\n`
    })
    yield text.join('')
    count(batch.length)
  }
}

function createCounter(options: ExportOptions): (rows: number) => void {
  let rows = 0
  return (more) => {
    rows += more
    options.progress(rows)
  }
}

async function* joinRows(
  rows: AsyncIterable<readonly string[]>,
  indent: string,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const batch of rows) {
    const text = batch.join(`,\n${indent}`)
    yield `${isFirst ? '' : ','}\n${indent}${text}`
    isFirst = false
    count(batch.length)
  }
}

function exportedProperties(table: string | null, data: DataSchema): readonly PropertyDef[] {
  if (table === null) return data.user
  // Properties that are columns are exported as columns.
  const declaredProperties = data.tables.find(({ name }) => name === table)?.properties ?? []
  return declaredProperties.filter(({ column }) => column !== true)
}

async function usesOldColumns(sql: TransactionSql, table: string, { ids }: ExportOptions): Promise<boolean> {
  const presentColumns = OLD_COLUMNS.map((name) => statement`r.${identifier(name)} is not null`)
  const [row] = await sendOnce<{ old: boolean }[]>(
    sql,
    statement`
      select exists (select from ${rowsFrom(table, ids)} and (${join(presentColumns, ' or ')})) as old`,
  )
  return row?.old === true
}

async function hasUndeclared(sql: TransactionSql, table: string | null, { ids }: ExportOptions): Promise<boolean> {
  const [row] = await sendOnce<{ found: boolean }[]>(
    sql,
    statement`select exists (select from ${rowsFrom(table, ids)} and r.undeclared is not null) as found`,
  )
  return row?.found === true
}

/** Returns the `from` clause for the rows of a table or the users, with the alias `r`. More conditions may follow. */
function rowsFrom(table: string | null, ids: ExportOptions['ids']): SqlText {
  if (table === null) return statement`ingot.users r where true`
  return statement`ingot.records r where r.table_id = ${ids.get(table) ?? 0}::integer`
}

/** Reads the rows as JSON texts, one line each. */
async function* readLines(
  sql: TransactionSql,
  table: string | null,
  { data, ids, withoutPasswords }: ExportOptions,
): AsyncGenerator<readonly string[]> {
  const properties = propertiesObject('r', exportedProperties(table, data))
  const line =
    table === null ? userLine(properties, data, withoutPasswords === true ? [] : [PASSWORD]) : recordLine(properties)
  const query = sendOnce<{ line: string }[]>(
    sql,
    statement`select ${line} as line from ${rowsFrom(table, ids)} order by r.id`,
  )
  for await (const batch of query.cursor(FETCH_SIZE)) yield batch.map((row) => row.line)
}

function recordLine(properties: SqlText): SqlText {
  return jsonObject([
    digitsMember('r', 'id'),
    textMember('r', 'external_id'),
    digitsMember('r', 'user_id'),
    timeMember('r', 'created_at'),
    timeMember('r', 'updated_at'),
    timeMember('r', 'deleted_at'),
    textMember('r', 'name'),
    digitsMember('r', 'customizable_id'),
    textMember('r', 'customizable_type'),
    jsonMember('properties', properties),
    undeclaredMember('r'),
  ])
}

function userLine(properties: SqlText, data: DataSchema, secrets: readonly string[]): SqlText {
  return jsonObject([
    digitsMember('r', 'id'),
    ...[...USER_TEXTS, ...secrets].map((column) => textMember('r', column)),
    timeMember('r', 'created_at'),
    timeMember('r', 'updated_at'),
    timeMember('r', 'deleted_at'),
    jsonMember('properties', properties),
    undeclaredMember('r'),
    statement`'"profiles":[' || ${profiles(data)} || ']'`,
  ])
}

/** Returns SQL for the JSON texts of a user's profiles. */
function profiles(data: DataSchema): SqlText {
  const types = data.profiles.some((each) => each.name === 'default')
    ? data.profiles
    : [...data.profiles, { name: 'default', file: '', properties: [] }]
  const typeParameters = types.map(({ name, properties }) => ({ name: parameter(name, 'text'), properties }))
  const profileJson = typeParameters.map(
    ({ name, properties }) => statement`when ${name} then ${propertiesObject('p', properties)}`,
  )
  const profile = jsonObject([
    digitsMember('p', 'id'),
    textMember('p', 'profile_type'),
    timeMember('p', 'created_at'),
    timeMember('p', 'updated_at'),
    timeMember('p', 'deleted_at'),
    jsonMember('properties', statement`case p.profile_type ${join(profileJson, ' ')} end`),
    undeclaredMember('p'),
  ])
  return statement`(
    select string_agg(${profile}, ',' order by p.id) from ingot.profiles p
    where p.user_id = r.id and p.profile_type in (${join(typeParameters.map(({ name }) => name))}))`
}
