/** Writes the service's forms: JSON as a client of the service saves it, and archives of CSV files. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { integer, join, literal, type Sql as SqlText, sql as statement } from '../../../../runtime/data/sql/sql.ts'
import { writeZip } from '../../files/zip.ts'
import { sendOnce } from '../../../data/store/send.ts'
import {
  type ColumnOptions,
  hasRare,
  isDeclaredProfile,
  ownerOfProfile,
  profileColumns,
  RARE,
  rareColumns,
  recordColumns,
  type ServiceColumn,
  userColumns,
} from './columns.ts'

export interface WriteOptions extends ColumnOptions {
  /** Names of declared tables. */
  readonly tables: readonly string[]
  readonly users: boolean
  /** Called with the number of rows written. */
  progress(rows: number): void
  /** What becomes of the text of a row. */
  text?(line: string): string
}

/** Rows per batch of the cursor. */
const FETCH_SIZE = 500
/** Rows per CSV file. */
const FILE_SIZE = 10_000

/**
 * The JSON in pieces.
 * @param wrapped whether each list is an object with its `results`, as the service answers; files have none
 */
export async function* serviceJson(
  view: TransactionSql,
  options: WriteOptions,
  wrapped: boolean,
): AsyncGenerator<string> {
  const [begin, end] = wrapped ? ['{"results":[', ']}'] : ['[', ']']
  const count = counter(options)
  yield `{"users":${begin}`
  if (options.users) yield* listed(userLines(view, options), count, true)
  yield `${end},"transactables":${begin}${end},"models":${begin}`
  let first = true
  for (const table of options.tables) {
    for await (const text of listed(recordLines(view, table, options), count, first)) {
      first = false
      yield text
    }
  }
  yield `${end}}\n`
}

function userLines(view: TransactionSql, options: WriteOptions): AsyncGenerator<readonly string[]> {
  const profile = lineOf([...profileColumns(options), ...rareColumns(RARE, 'p', 'UserProfile', options)])
  const profiles = statement`'[' || coalesce((
    select string_agg(${profile}, ',' order by p.profile_type) from ingot.profiles p
    where p.user_id = r.id and ${isDeclaredProfile(options.data)}), '') || ']'`
  const columns: readonly ServiceColumn[] = [
    ...userColumns(options),
    ...rareColumns(RARE, 'r', 'User', options),
    { name: 'profiles', value: profiles, json: true },
  ]
  return fetched(view, statement`select ${lineOf(columns)} as line from ingot.users r order by r.id`, options)
}

function recordLines(view: TransactionSql, table: string, options: WriteOptions): AsyncGenerator<readonly string[]> {
  const columns = [...recordColumns(table, options), ...rareColumns(RARE, 'r', 'Record', options)]
  return fetched(
    view,
    statement`select ${lineOf(columns)} as line from ${recordsOf(table, options)} order by r.id`,
    options,
  )
}

function recordsOf(table: string, { ids }: ColumnOptions): SqlText {
  return statement`ingot.records r where r.table_id = ${integer(ids.get(table) ?? 0)}`
}

async function* fetched(
  view: TransactionSql,
  query: SqlText,
  { text = (line) => line }: WriteOptions,
): AsyncGenerator<readonly string[]> {
  const rows = sendOnce<{ line: string }[]>(view, query)
  for await (const some of rows.cursor(FETCH_SIZE)) yield some.map(({ line }) => text(line))
}

/** A row as the text of a JSON object. What few rows have is left out of the others. */
function lineOf(columns: readonly ServiceColumn[]): SqlText {
  const members = columns.map(({ name, value, json }) => {
    const text = json ? value : statement`to_json((${value})::text)::text`
    const isRare = (RARE as readonly string[]).includes(name)
    return statement`${literal(`${JSON.stringify(name)}:`)} || ${isRare ? text : statement`coalesce(${text}, 'null')`}`
  })
  return statement`'{' || array_to_string(array[${join(members)}]::text[], ',') || '}'`
}

async function* listed(
  rows: AsyncIterable<readonly string[]>,
  count: (rows: number) => void,
  first: boolean,
): AsyncGenerator<string> {
  let separator = first ? '\n' : ',\n'
  for await (const some of rows) {
    if (some.length === 0) continue
    yield `${separator}${some.join(',\n')}`
    separator = ',\n'
    count(some.length)
  }
}

function counter(options: WriteOptions): (rows: number) => void {
  let rows = 0
  return (more) => {
    rows += more
    options.progress(rows)
  }
}

/**
 * Writes an archive of CSV files, which lie in a temporary folder meanwhile. Ids in it are ids of rows.
 * @param to its path; no file may be there yet
 */
export async function writeServiceArchive(
  view: TransactionSql,
  archived: Omit<WriteOptions, 'keysOf'>,
  to: string,
): Promise<void> {
  const options: WriteOptions = { ...archived, keysOf: null }
  const folder = await mkdtemp(pathOf(tmpdir(), 'ingot-export-'))
  try {
    const count = counter(options)
    const names: string[] = []
    for (const part of await partsOf(view, options))
      names.push(...(await writePart(view, part, folder, { count, options })))
    await writeZip(
      names.map((name) => ({ name, from: pathOf(folder, name) })),
      to,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The files of one kind: selections of the same columns, one after another. */
interface CsvPart {
  readonly name: string
  readonly header: readonly string[]
  readonly selections: readonly {
    readonly columns: readonly ServiceColumn[]
    /** With the order of the rows. */
    readonly from: SqlText
  }[]
}

async function partsOf(view: TransactionSql, options: WriteOptions): Promise<readonly CsvPart[]> {
  const rare = await rareOf(view)
  const records = options.tables.map((table) => ({
    // The archives name the table otherwise than the JSON, and at the end.
    columns: [
      ...recordColumns(table, options).filter(({ name }) => name !== 'type_name'),
      { name: 'model_schema', value: literal(table), json: false },
      ...rareColumns(rare.records, 'r', 'Record', options),
    ],
    from: statement`${recordsOf(table, options)} order by r.id`,
  }))
  const profiles = [
    ...profileColumns(options).map((column) =>
      column.name === 'type_name' ? { ...column, name: 'profile_type' } : column,
    ),
    { name: 'user_id', value: ownerOfProfile(options), json: false },
    ...rareColumns(rare.profiles, 'p', 'UserProfile', options),
  ]
  const users = [...userColumns(options), ...rareColumns(rare.users, 'r', 'User', options)]
  const activities = ['uuid', 'created_at', 'updated_at'].map((name) => ({
    name,
    value: name === 'uuid' ? statement`r.uuid` : timeOf(name),
    json: false,
  }))
  const payload = { name: 'payload', value: statement`r.payload::text`, json: true }
  const single = (name: string, columns: readonly ServiceColumn[], from: SqlText): CsvPart => ({
    name,
    header: columns.map((column) => column.name),
    selections: [{ columns, from }],
  })
  const [first] = records
  return [
    ...(options.users
      ? [
          single('users', users, statement`ingot.users r order by r.id`),
          single(
            'user_profiles',
            profiles,
            statement`ingot.profiles p where ${isDeclaredProfile(options.data)} order by p.user_id, p.profile_type`,
          ),
          single('activity_streams_activities', [...activities, payload], statement`ingot.activities r order by r.id`),
        ]
      : []),
    ...(first === undefined
      ? []
      : [{ name: 'records', header: first.columns.map(({ name }) => name), selections: records }]),
  ]
}

function timeOf(name: string): SqlText {
  const column = name === 'created_at' ? statement`r.created_at` : statement`r.updated_at`
  return statement`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

type RareOf = Readonly<Record<'records' | 'users' | 'profiles', readonly (typeof RARE)[number][]>>

/** The columns of `RARE` that any row has. */
async function rareOf(view: TransactionSql): Promise<RareOf> {
  const kinds = ['records', 'users', 'profiles'] as const
  const all = kinds.flatMap((kind) => RARE.map((name) => ({ kind, name })))
  const [row] = await sendOnce<{ found: string }[]>(
    view,
    statement`select array_to_string(array[${join(all.map(({ kind, name }) => hasRare(name, kind)))}], ',') as found`,
  )
  const answers = (row?.found ?? '').split(',')
  const found = all.filter((_, index) => answers[index] === 't')
  const of = (kind: (typeof kinds)[number]) => found.filter((each) => each.kind === kind).map(({ name }) => name)
  return { records: of('records'), users: of('users'), profiles: of('profiles') }
}

/**
 * Writes the files of a part: one, or several numbered ones when there are many rows. Without rows it has the names of columns only.
 * @returns their names
 */
async function writePart(
  view: TransactionSql,
  { name, header, selections }: CsvPart,
  folder: string,
  { count, options }: { readonly count: (rows: number) => void; readonly options: WriteOptions },
): Promise<readonly string[]> {
  const names: string[] = []
  for await (const rows of batches(csvLines(view, selections, options), count)) {
    const file = `${name}.${names.length}.csv`
    const text = [`${header.map((column) => `"${column}"`).join(',')}\n`, ...rows]
    await pipeline(Readable.from(text), createWriteStream(pathOf(folder, file), { mode: 0o600 }))
    names.push(file)
  }
  const [only = '', second] = names
  if (second !== undefined) return names
  await rename(pathOf(folder, only), pathOf(folder, `${name}.csv`))
  return [`${name}.csv`]
}

/** Lines in groups of the rows of a file, each as texts; one group at least. */
async function* batches(
  lines: AsyncIterable<readonly string[]>,
  count: (rows: number) => void,
): AsyncGenerator<readonly string[]> {
  let texts: string[] = []
  let rows = 0
  let any = false
  for await (const some of lines) {
    texts.push(some.map((line) => `${line}\n`).join(''))
    rows += some.length
    count(some.length)
    if (rows < FILE_SIZE) continue
    yield texts
    any = true
    texts = []
    rows = 0
  }
  if (rows > 0 || !any) yield texts
}

async function* csvLines(
  view: TransactionSql,
  selections: CsvPart['selections'],
  options: WriteOptions,
): AsyncGenerator<readonly string[]> {
  for (const { columns, from } of selections) {
    const cells = columns.map(
      ({ value }) => statement`coalesce('"' || replace((${value})::text, '"', '""') || '"', '')`,
    )
    yield* fetched(
      view,
      statement`select array_to_string(array[${join(cells)}]::text[], ',') as line from ${from}`,
      options,
    )
  }
}
