/**
 * Reads the CSV files of the service's archives: a file for each kind of row, split into numbered ones where there are many.
 * Values of properties that no file declares are kept.
 */
import { type Cell, columnNames, csvRecords } from '../csv-text.ts'
import type { ReadRow, RowLocation, RowStyle } from '../rows.ts'
import { leftOut } from './read.ts'
import { turnProfile, turnRecord, turnUser, type ValueOptions } from './values.ts'

export type CsvKind = 'records' | 'users' | 'profiles' | 'activities'

/** The names of files, without a number and the ending. */
const KINDS: Readonly<Record<string, CsvKind>> = {
  records: 'records',
  models: 'records',
  customizations: 'records',
  transactables: 'records',
  users: 'users',
  user_profiles: 'profiles',
  profiles: 'profiles',
  activity_streams_activities: 'activities',
  activity_streams: 'activities',
  // The platform's guide spells it so.
  activity_steams: 'activities',
  activities: 'activities',
}

/** What a file of an archive holds; null for others. */
export function kindOfFile(path: string): CsvKind | null {
  const name = /(?:^|\/)([a-z_]+)(?:\.\d+)?\.csv$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KINDS, name) ? (KINDS[name] ?? null) : null
}

/** Columns whose cells are JSON. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...['properties', 'undeclared', 'payload', 'metadata'],
  ...['addresses', 'images', 'attachments'],
])

/** @throws DataError when the file cannot be read to its end */
export async function* readServiceCsv(
  file: string,
  kind: CsvKind,
  chunks: AsyncIterable<Uint8Array>,
  options: ValueOptions,
): AsyncGenerator<ReadRow> {
  const style: RowStyle = { properties: 'together', undeclared: 'kept', keysOf: options.keysOf }
  let columns: readonly string[] | null = null
  for await (const record of csvRecords(file, chunks, cellOf)) {
    const { line, row } = record
    const location = { file, line, table: kind === 'records' ? 'records' : null, row }
    if ('reason' in record) yield { kind: 'broken', location, reason: record.reason }
    else if (columns === null) columns = columnNames(file, record.cells)
    else yield* rowOf(kind, location, { cells: record.cells, columns, style }, options)
  }
}

/** An empty cell is null, and `""` an empty text. */
function cellOf(text: string, quoted: boolean): Cell {
  return !quoted && text === '' ? null : text
}

interface CsvRow {
  readonly cells: readonly Cell[]
  readonly columns: readonly string[]
  readonly style: RowStyle
}

async function* rowOf(
  kind: CsvKind,
  place: RowLocation,
  { cells, columns, style }: CsvRow,
  options: ValueOptions,
): AsyncGenerator<ReadRow> {
  const row: Record<string, unknown> = {}
  for (const [at, name] of columns.entries()) {
    const cell = cells[at]
    if (cell === undefined) continue
    const value = cell !== null && JSON_COLUMNS.has(name) ? jsonOf(cell) : cell
    if (value === undefined)
      return yield { kind: 'broken', location: place, reason: `the column '${name}' holds no JSON` }
    row[name] = value
  }
  if (kind === 'activities') {
    if (row['deleted_at'] === null || row['deleted_at'] === undefined)
      yield { kind: 'activity', location: place, value: row }
    else yield { kind: 'left out', location: place, property: null, reason: 'the activity is deleted' }
  } else if (kind === 'users') {
    const turned = await turnUser(row, options)
    yield { kind: 'row', location: place, value: turned.value, style }
    yield* leftOut(place, turned)
  } else if (kind === 'profiles') {
    const turned = turnProfile(row, options)
    yield { kind: 'profile', location: place, value: turned.value, style }
    yield* leftOut(place, turned)
  } else {
    const table = row['model_schema'] ?? row['type_name'] ?? row['table']
    const location = { ...place, table: typeof table === 'string' ? table : 'records' }
    const turned = turnRecord(row, location.table, options)
    yield { kind: 'row', location, value: turned.value, style }
    yield* leftOut(location, turned)
  }
}

function jsonOf(text: string): unknown {
  try {
    return text.trim() === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}
