/** Exports rows of tables and users as text, from one snapshot of the database, with only a few rows in memory. */
import type { Sql, TransactionSql } from 'postgres'
import type { DataSchema, PropertyDef } from '../../../runtime/page/compiled.ts'
import { cellText, exportColumns } from './csv-form.ts'
import { identifier, join, parameter, type Sql as SqlText, sql as statement } from '../../../runtime/data/sql/sql.ts'
import { USER_TEXTS } from '../../../runtime/data/values/user-columns.ts'
import { sendOnce } from '../../data/store/send.ts'
import { digits, joined, json, object, text, time, undeclared } from './line-sql.ts'
import { OLD_COLUMNS } from './rows.ts'

export interface ExportOptions {
  readonly data: DataSchema
  readonly ids: ReadonlyMap<string, number>
  /** Names of declared tables. */
  readonly tables: readonly string[]
  readonly users: boolean
  /** Whether to export the documents of all search indexes; JSON only. */
  readonly documents: boolean
  /** Called with the number of rows written. */
  progress(rows: number): void
}

/** A table as CSV, or the users when it is null. */
export interface CsvPart {
  readonly table: string | null
  readonly text: AsyncIterable<string>
}

/** Rows per batch of the cursor. */
const FETCH_SIZE = 500

/** Calls `body` with a snapshot of the database. */
export async function snapshot(sql: Sql, body: (view: TransactionSql) => Promise<void>): Promise<void> {
  await sql.begin('isolation level repeatable read read only', async (view) => {
    await view`set local statement_timeout = 0`
    await body(view)
  })
}

/** The JSON document that README.md describes, in pieces. */
export async function* jsonText(sql: TransactionSql, options: ExportOptions): AsyncGenerator<string> {
  const count = counter(options)
  yield '{\n  "format": "ingot-data",\n  "version": 1'
  if (options.users) {
    yield ',\n  "users": ['
    yield* listed(lines(sql, null, options), '    ', count)
    yield '\n  ]'
  }
  yield ',\n  "tables": {'
  let first = true
  for (const table of options.tables) {
    yield `${first ? '' : ','}\n    ${JSON.stringify(table)}: [`
    first = false
    yield* listed(lines(sql, table, options), '      ', count)
    yield '\n    ]'
  }
  yield '\n  }'
  if (options.documents) yield* documentsText(sql, count)
  yield '\n}\n'
}

/** Whether any search index holds a document. */
export async function hasDocuments(sql: TransactionSql): Promise<boolean> {
  const [some] = await sql`select from ingot.documents limit 1`
  return some !== undefined
}

/** The part `documents`, if there are any. */
async function* documentsText(sql: TransactionSql, count: (rows: number) => void): AsyncGenerator<string> {
  if (!(await hasDocuments(sql))) return
  yield ',\n  "documents": {'
  const line = joined([
    text('d', 'id'),
    time('d', 'created_at'),
    time('d', 'updated_at'),
    json('document', statement`d.document::text`),
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

/** Each table, and the users, as separate texts. Each must be read to its end before the next. */
export async function* csvParts(sql: TransactionSql, options: ExportOptions): AsyncGenerator<CsvPart> {
  const count = counter(options)
  for (const table of [...(options.users ? [null] : []), ...options.tables])
    yield { table, text: csvText(sql, table, options, count) }
}

async function* csvText(
  sql: TransactionSql,
  table: string | null,
  options: ExportOptions,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  const declared = propertiesOf(table, options.data)
  const byName = new Map(declared.map((property) => [property.name, property]))
  const columns = exportColumns(declared, table === null, [
    ...(table !== null && (await hasOld(sql, table, options)) ? OLD_COLUMNS : []),
    ...((await hasUndeclared(sql, table, options)) ? ['undeclared'] : []),
  ])
  yield `${columns.map(({ header }) => cellText(header, null)).join(',')}\n`
  for await (const some of lines(sql, table, options)) {
    const text = some.map((line) => {
      const row = JSON.parse(line) as Readonly<Record<string, unknown>>
      const properties = row['properties'] as Readonly<Record<string, unknown>>
      const cells = columns.map(({ kind, name }) => {
        const from = kind === 'property' ? properties : row
        return cellText(
          Object.hasOwn(from, name) ? from[name] : undefined,
          byName.get(kind === 'property' ? name : '') ?? null,
        )
      })
      return `${cells.join(',')}\n`
    })
    yield text.join('')
    count(some.length)
  }
}

function counter(options: ExportOptions): (rows: number) => void {
  let rows = 0
  return (more) => {
    rows += more
    options.progress(rows)
  }
}

async function* listed(
  rows: AsyncIterable<readonly string[]>,
  indent: string,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  let first = true
  for await (const some of rows) {
    const text = some.join(`,\n${indent}`)
    yield `${first ? '' : ','}\n${indent}${text}`
    first = false
    count(some.length)
  }
}

function propertiesOf(table: string | null, data: DataSchema): readonly PropertyDef[] {
  if (table === null) return data.user
  // Properties that are columns are exported as columns.
  const declared = data.tables.find(({ name }) => name === table)?.properties ?? []
  return declared.filter(({ column }) => column !== true)
}

async function hasOld(sql: TransactionSql, table: string, { ids }: ExportOptions): Promise<boolean> {
  const given = OLD_COLUMNS.map((name) => statement`r.${identifier(name)} is not null`)
  const [row] = await sendOnce<{ old: boolean }[]>(
    sql,
    statement`
      select exists (select from ${rowsOf(table, ids)} and (${join(given, ' or ')})) as old`,
  )
  return row?.old === true
}

async function hasUndeclared(sql: TransactionSql, table: string | null, { ids }: ExportOptions): Promise<boolean> {
  const [row] = await sendOnce<{ found: boolean }[]>(
    sql,
    statement`select exists (select from ${rowsOf(table, ids)} and r.undeclared is not null) as found`,
  )
  return row?.found === true
}

/** The rows of a table, or the users, under the alias `r`. Further conditions may follow. */
function rowsOf(table: string | null, ids: ExportOptions['ids']): SqlText {
  if (table === null) return statement`ingot.users r where true`
  return statement`ingot.records r where r.table_id = ${ids.get(table) ?? 0}::integer`
}

/** The rows as JSON texts, one line each. */
async function* lines(
  sql: TransactionSql,
  table: string | null,
  { data, ids }: ExportOptions,
): AsyncGenerator<readonly string[]> {
  const properties = object('r', propertiesOf(table, data))
  const line = table === null ? userLine(properties, data) : recordLine(properties)
  const query = sendOnce<{ line: string }[]>(
    sql,
    statement`select ${line} as line from ${rowsOf(table, ids)} order by r.id`,
  )
  for await (const some of query.cursor(FETCH_SIZE)) yield some.map((row) => row.line)
}

function recordLine(properties: SqlText): SqlText {
  return joined([
    digits('r', 'id'),
    text('r', 'external_id'),
    digits('r', 'user_id'),
    time('r', 'created_at'),
    time('r', 'updated_at'),
    time('r', 'deleted_at'),
    text('r', 'name'),
    digits('r', 'customizable_id'),
    text('r', 'customizable_type'),
    json('properties', properties),
    undeclared('r'),
  ])
}

function userLine(properties: SqlText, data: DataSchema): SqlText {
  return joined([
    digits('r', 'id'),
    ...[...USER_TEXTS, 'encrypted_password'].map((column) => text('r', column)),
    time('r', 'created_at'),
    time('r', 'updated_at'),
    time('r', 'deleted_at'),
    json('properties', properties),
    undeclared('r'),
    statement`'"profiles":[' || ${profiles(data)} || ']'`,
  ])
}

/** The JSON texts of a user's profiles. */
function profiles(data: DataSchema): SqlText {
  const types = data.profiles.some((each) => each.name === 'default')
    ? data.profiles
    : [...data.profiles, { name: 'default', file: '', properties: [] }]
  const named = types.map(({ name, properties }) => ({ name: parameter(name, 'text'), properties }))
  const own = named.map(({ name, properties }) => statement`when ${name} then ${object('p', properties)}`)
  const profile = joined([
    digits('p', 'id'),
    text('p', 'profile_type'),
    time('p', 'created_at'),
    time('p', 'updated_at'),
    time('p', 'deleted_at'),
    json('properties', statement`case p.profile_type ${join(own, ' ')} end`),
    undeclared('p'),
  ])
  return statement`(
    select string_agg(${profile}, ',' order by p.id) from ingot.profiles p
    where p.user_id = r.id and p.profile_type in (${join(named.map(({ name }) => name))}))`
}
