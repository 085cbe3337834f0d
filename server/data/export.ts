/** An export: the rows of tables, and users, as text, from one moment's view of the database, a few rows in memory at a time. */
import type { Sql, TransactionSql } from 'postgres'
import type { DataSchema, PropertyDef } from '../../runtime/page/compiled.ts'
import { cellText, exportColumns } from './csv-form.ts'
import { USER_TEXTS } from '../../runtime/data/values/user-columns.ts'
import { OLD_COLUMNS } from './rows.ts'

export interface ExportOptions {
  readonly data: DataSchema
  readonly ids: ReadonlyMap<string, number>
  /** Logical names; each is declared. */
  readonly tables: readonly string[]
  readonly users: boolean
  /** Of all search indexes; JSON only. */
  readonly documents: boolean
  /** Is told how many rows were written. */
  progress(rows: number): void
}

/** One table, or the users with null, as CSV. */
export interface CsvPart {
  readonly table: string | null
  readonly text: AsyncIterable<string>
}

/** Rows that come from the database at once. */
const AT_ONCE = 500

/** Calls `body` with a view of the database that does not change while it runs. */
export async function snapshot(sql: Sql, body: (view: TransactionSql) => Promise<void>): Promise<void> {
  await sql.begin('isolation level repeatable read read only', async (view) => {
    await view.unsafe('set local statement_timeout = 0')
    await body(view)
  })
}

/** The document of README.md, in pieces. */
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

/** The part `documents`, where there are any. */
async function* documentsText(sql: TransactionSql, count: (rows: number) => void): AsyncGenerator<string> {
  if (!(await hasDocuments(sql))) return
  yield ',\n  "documents": {'
  const line = joined([text('id'), time('created_at'), time('updated_at'), `'"document":' || document::text`])
  const query = sql.unsafe<{ name: string; line: string }[]>(
    `select search_index as name, ${line} as line from ingot.documents order by search_index, id`,
  )
  let index: string | null = null
  for await (const rows of query.cursor(AT_ONCE)) {
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

/** Each table, and the users, as a text of its own; each is read to its end before the next. */
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
  // What is a column is written as one.
  const declared = data.tables.find(({ name }) => name === table)?.properties ?? []
  return declared.filter(({ column }) => column !== true)
}

async function hasOld(sql: TransactionSql, table: string, { ids }: ExportOptions): Promise<boolean> {
  const [row] = await sql.unsafe<{ old: boolean }[]>(
    `select exists (select from ingot.records where table_id = $1::integer
      and (${OLD_COLUMNS.map((name) => `${name} is not null`).join(' or ')})) as old`,
    [ids.get(table) ?? 0],
  )
  return row?.old === true
}

async function hasUndeclared(sql: TransactionSql, table: string | null, { ids }: ExportOptions): Promise<boolean> {
  const [row] = await sql.unsafe<{ some: boolean }[]>(
    table === null
      ? 'select exists (select from ingot.users where undeclared is not null) as some'
      : 'select exists (select from ingot.records where undeclared is not null and table_id = $1::integer) as some',
    table === null ? [] : [ids.get(table) ?? 0],
  )
  return row?.some === true
}

/** Rows as JSON texts, one line each. Names are parameters like values. */
async function* lines(
  sql: TransactionSql,
  table: string | null,
  options: ExportOptions,
): AsyncGenerator<readonly string[]> {
  const parameters: (string | number)[] = []
  const name = (text: string): string => `$${parameters.push(text)}::text`
  const properties = object(propertiesOf(table, options.data), 'r.properties', name)
  const text = table === null ? usersSql(properties, options.data, name) : recordsSql(properties)
  if (table !== null) parameters.push(options.ids.get(table) ?? 0)
  const where = table === null ? '' : `where r.table_id = $${parameters.length}::integer`
  for await (const rows of sql.unsafe<{ line: string }[]>(`${text} ${where} order by r.id`, parameters).cursor(AT_ONCE))
    yield rows.map(({ line }) => line)
}

const time = (column: string): string =>
  `'"${column.replace(/^.*\./, '')}":"' || to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`
const digits = (column: string): string => `'"${column.replace(/^.*\./, '')}":"' || ${column} || '"'`
/** What was written to properties that no file declares, where there is any. */
const undeclared = (alias: string): string => `'"undeclared":' || ${alias}.undeclared::text`
const text = (column: string): string => `'"${column.replace(/^.*\./, '')}":' || to_json(${column})`

/** SQL of a JSON object's text; parts that are null are left out. */
function joined(parts: readonly string[]): string {
  return `'{' || array_to_string(array[${parts.join(', ')}]::text[], ',') || '}'`
}

function recordsSql(properties: string): string {
  const parts = [
    digits('r.id'),
    text('r.external_id'),
    digits('r.user_id'),
    time('r.created_at'),
    time('r.updated_at'),
    time('r.deleted_at'),
    text('r.name'),
    digits('r.customizable_id'),
    text('r.customizable_type'),
    `'"properties":' || ${properties}`,
    undeclared('r'),
  ]
  return `select ${joined(parts)} as line from ingot.records r`
}

function usersSql(properties: string, data: DataSchema, name: (text: string) => string): string {
  const types = data.profiles.some((each) => each.name === 'default')
    ? data.profiles
    : [...data.profiles, { name: 'default', file: '', properties: [] }]
  const own = types.map((each) => `when ${name(each.name)} then ${object(each.properties, 'p.properties', name)}`)
  const profile = [
    digits('p.id'),
    text('p.profile_type'),
    time('p.created_at'),
    time('p.updated_at'),
    time('p.deleted_at'),
    `'"properties":' || case p.profile_type ${own.join(' ')} end`,
    undeclared('p'),
  ]
  const profiles = `(select string_agg(${joined(profile)}, ',' order by p.id) from ingot.profiles p
    where p.user_id = r.id and p.profile_type in (${types.map((each) => name(each.name)).join(', ')}))`
  const parts = [
    digits('r.id'),
    ...[...USER_TEXTS, 'encrypted_password'].map((column) => text(`r.${column}`)),
    time('r.created_at'),
    time('r.updated_at'),
    time('r.deleted_at'),
    `'"properties":' || ${properties}`,
    undeclared('r'),
    `'"profiles":[' || ${profiles} || ']'`,
  ]
  return `select ${joined(parts)} as line from ingot.users r`
}

/** SQL of the text of an object with the properties that are declared, in that order. */
function object(properties: readonly PropertyDef[], column: string, name: (text: string) => string): string {
  if (properties.length === 0) return `'{}'`
  const parts = properties.map((property) => {
    const key = name(property.name)
    const value = `${column} -> ${key}`
    const asText = `to_json(${column} ->> ${key})::text`
    // Readers of JSON make doubles of numbers: what a double cannot hold is text.
    const exact = {
      decimal: `case jsonb_typeof(${value}) when 'number' then ${asText} else (${value})::text end`,
      integer: `case when jsonb_typeof(${value}) = 'number' and abs((${column} ->> ${key})::numeric) > 9007199254740991 then ${asText} else (${value})::text end`,
    }
    const shown = property.type === 'decimal' || property.type === 'integer' ? exact[property.type] : `(${value})::text`
    return `case when ${column} ? ${key} then to_json(${key}) || ':' || (${shown}) end`
  })
  return joined(parts)
}
