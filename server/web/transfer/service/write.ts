/** Writes the service's formats: JSON as clients of the service save it, and archives of CSV files. */
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
  profileOwner,
  profileColumns,
  RARE_COLUMNS,
  rareColumns,
  recordColumns,
  type ServiceColumn,
  userColumns,
} from './columns.ts'

/** Options of an export in the service's formats. */
export interface WriteOptions extends ColumnOptions {
  /** Names of declared tables. */
  readonly tables: readonly string[]
  readonly users: boolean
  /** Called with the number of rows written. */
  progress(rows: number): void
  /** Transforms the text of each row. */
  text?(line: string): string
}

/** Number of rows per batch of the cursor. */
const FETCH_SIZE = 100
/** Maximum number of rows per CSV file. */
const FILE_SIZE = 10_000

/**
 * Returns the JSON in pieces.
 * @param wrapped whether each list is an object with `results`, as in replies of the service; files have plain lists
 */
export async function* serviceJson(
  snapshot: TransactionSql,
  options: WriteOptions,
  wrapped: boolean,
): AsyncGenerator<string> {
  const [begin, end] = wrapped ? ['{"results":[', ']}'] : ['[', ']']
  const count = createCounter(options)
  yield `{"users":${begin}`
  if (options.users) yield* joinRows(userLines(snapshot, options), count, true)
  yield `${end},"transactables":${begin}${end},"models":${begin}`
  let isFirst = true
  for (const table of options.tables) {
    for await (const text of joinRows(recordLines(snapshot, table, options), count, isFirst)) {
      isFirst = false
      yield text
    }
  }
  yield `${end}}\n`
}

function userLines(view: TransactionSql, options: WriteOptions): AsyncGenerator<readonly string[]> {
  const profile = jsonLine([...profileColumns(options), ...rareColumns(RARE_COLUMNS, 'p', 'UserProfile', options)])
  const profiles = statement`'[' || coalesce((
    select string_agg(${profile}, ',' order by p.profile_type) from ingot.profiles p
    where p.user_id = r.id and ${isDeclaredProfile(options.data)}), '') || ']'`
  const columns: readonly ServiceColumn[] = [
    ...userColumns(options),
    ...rareColumns(RARE_COLUMNS, 'r', 'User', options),
    { name: 'profiles', value: profiles, json: true },
  ]
  return fetchLines(view, statement`select ${jsonLine(columns)} as line from ingot.users r order by r.id`, options)
}

function recordLines(view: TransactionSql, table: string, options: WriteOptions): AsyncGenerator<readonly string[]> {
  const columns = [...recordColumns(table, options), ...rareColumns(RARE_COLUMNS, 'r', 'Record', options)]
  return fetchLines(
    view,
    statement`select ${jsonLine(columns)} as line from ${recordsFrom(table, options)} order by r.id`,
    options,
  )
}

function recordsFrom(table: string, { ids }: ColumnOptions): SqlText {
  return statement`ingot.records r where r.table_id = ${integer(ids.get(table) ?? 0)}`
}

async function* fetchLines(
  view: TransactionSql,
  query: SqlText,
  { text = (line) => line }: WriteOptions,
): AsyncGenerator<readonly string[]> {
  const rows = sendOnce<{ line: string }[]>(view, query)
  for await (const batch of rows.cursor(FETCH_SIZE)) yield batch.map(({ line }) => text(line))
}

/** Returns a row as the text of a JSON object. Rare columns are omitted for rows without a value. */
function jsonLine(columns: readonly ServiceColumn[]): SqlText {
  const members = columns.map(({ name, value, json }) => {
    const text = json ? value : statement`to_json((${value})::text)::text`
    const isRare = RARE_COLUMNS.some((rare) => rare === name)
    return statement`${literal(`${JSON.stringify(name)}:`)} || ${isRare ? text : statement`coalesce(${text}, 'null')`}`
  })
  return statement`'{' || array_to_string(array[${join(members)}]::text[], ',') || '}'`
}

async function* joinRows(
  rows: AsyncIterable<readonly string[]>,
  count: (rows: number) => void,
  isFirst: boolean,
): AsyncGenerator<string> {
  let separator = isFirst ? '\n' : ',\n'
  for await (const batch of rows) {
    if (batch.length === 0) continue
    yield `${separator}${batch.join(',\n')}`
    separator = ',\n'
    count(batch.length)
  }
}

function createCounter(options: WriteOptions): (rows: number) => void {
  let rows = 0
  return (more) => {
    rows += more
    options.progress(rows)
  }
}

/**
 * Writes an archive of CSV files, which are stored in a temporary folder meanwhile. Ids in the archive are ids of rows.
 * @param targetPath path of the archive, where no file may exist yet
 */
export async function writeServiceArchive(
  view: TransactionSql,
  archived: Omit<WriteOptions, 'keysOf'>,
  targetPath: string,
): Promise<void> {
  const options: WriteOptions = { ...archived, keysOf: null }
  const folder = await mkdtemp(pathOf(tmpdir(), 'ingot-export-'))
  try {
    const count = createCounter(options)
    const names: string[] = []
    for (const archiveFile of await createParts(view, options))
      names.push(...(await writePart(view, archiveFile, folder, { count, options })))
    await writeZip(
      names.map((name) => ({ name, from: pathOf(folder, name) })),
      targetPath,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The CSV files of one kind of rows. Their selections have the same columns and are written one after another. */
interface CsvPart {
  readonly name: string
  readonly header: readonly string[]
  readonly selections: readonly {
    readonly columns: readonly ServiceColumn[]
    /** The SQL includes the order of the rows. */
    readonly from: SqlText
  }[]
}

async function createParts(view: TransactionSql, options: WriteOptions): Promise<readonly CsvPart[]> {
  const rare = await findRareColumns(view)
  const records = options.tables.map((table) => ({
    // In archives, the column with the table has a different name and position than in the JSON.
    columns: [
      ...recordColumns(table, options).filter(({ name }) => name !== 'type_name'),
      { name: 'model_schema', value: literal(table), json: false },
      ...rareColumns(rare.records, 'r', 'Record', options),
    ],
    from: statement`${recordsFrom(table, options)} order by r.id`,
  }))
  const profiles = [
    ...profileColumns(options).map((column) =>
      column.name === 'type_name' ? { ...column, name: 'profile_type' } : column,
    ),
    { name: 'user_id', value: profileOwner(options), json: false },
    ...rareColumns(rare.profiles, 'p', 'UserProfile', options),
  ]
  const users = [...userColumns(options), ...rareColumns(rare.users, 'r', 'User', options)]
  const activities = ['uuid', 'created_at', 'updated_at'].map((name) => ({
    name,
    value: name === 'uuid' ? statement`r.uuid` : formatTime(name),
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

function formatTime(name: string): SqlText {
  const column = name === 'created_at' ? statement`r.created_at` : statement`r.updated_at`
  return statement`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

type RareColumns = Readonly<Record<'records' | 'users' | 'profiles', readonly (typeof RARE_COLUMNS)[number][]>>

/** Finds the rare columns that any row has. */
async function findRareColumns(view: TransactionSql): Promise<RareColumns> {
  const kinds = ['records', 'users', 'profiles'] as const
  const rareColumns = kinds.flatMap((kind) => RARE_COLUMNS.map((name) => ({ kind, name })))
  const [row] = await sendOnce<{ found: string }[]>(
    view,
    statement`select array_to_string(array[${join(rareColumns.map(({ kind, name }) => hasRare(name, kind)))}], ',') as found`,
  )
  const answers = (row?.found ?? '').split(',')
  const usedColumns = rareColumns.filter((_, index) => answers[index] === 't')
  const usedColumnsOfKind = (kind: (typeof kinds)[number]) =>
    usedColumns.filter((each) => each.kind === kind).map(({ name }) => name)
  return {
    records: usedColumnsOfKind('records'),
    users: usedColumnsOfKind('users'),
    profiles: usedColumnsOfKind('profiles'),
  }
}

/**
 * Writes the files of a part: one file, or several numbered files for many rows. Without rows, the file contains only
 * the header.
 * @returns the file names
 */
async function writePart(
  view: TransactionSql,
  { name, header, selections }: CsvPart,
  folder: string,
  { count, options }: { readonly count: (rows: number) => void; readonly options: WriteOptions },
): Promise<readonly string[]> {
  const names: string[] = []
  for await (const rows of groupByFile(csvLines(view, selections, options), count)) {
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

/** Groups lines into the rows of a file. Returns at least one group. */
async function* groupByFile(
  lines: AsyncIterable<readonly string[]>,
  count: (rows: number) => void,
): AsyncGenerator<readonly string[]> {
  let texts: string[] = []
  let rows = 0
  let hasGroup = false
  for await (const batch of lines) {
    texts.push(batch.map((line) => `${line}\n`).join(''))
    rows += batch.length
    count(batch.length)
    if (rows < FILE_SIZE) continue
    yield texts
    hasGroup = true
    texts = []
    rows = 0
  }
  if (rows > 0 || !hasGroup) yield texts
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
    yield* fetchLines(
      view,
      statement`select array_to_string(array[${join(cells)}]::text[], ',') as line from ${from}`,
      options,
    )
  }
}
