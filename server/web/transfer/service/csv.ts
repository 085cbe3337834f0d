/**
 * Reads the CSV files of the service's archives. There is one file per kind of row, or several numbered files for many
 * rows. Values of undeclared properties are kept.
 */
import { type Cell, columnNames, readCsvRecords } from '../csv-text.ts'
import type { ReadRow, RowLocation, RowStyle } from '../rows.ts'
import { reportLeftOut } from './read.ts'
import { convertProfile, convertRecord, convertUser, type ValueOptions } from './values.ts'

export type CsvKind = 'records' | 'users' | 'profiles' | 'activities'

/** The kinds of rows by file name, without number and extension. */
const KIND_OF_NAME: Readonly<Record<string, CsvKind>> = {
  records: 'records',
  models: 'records',
  customizations: 'records',
  transactables: 'records',
  users: 'users',
  user_profiles: 'profiles',
  profiles: 'profiles',
  activity_streams_activities: 'activities',
  activity_streams: 'activities',
  // This spelling is used in the platform's documentation.
  activity_steams: 'activities',
  activities: 'activities',
}

/** Returns the kind of rows in a file of an archive, or null for other files. */
export function findKind(path: string): CsvKind | null {
  const name = /(?:^|\/)([a-z_]+)(?:\.\d+)?\.csv$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KIND_OF_NAME, name) ? (KIND_OF_NAME[name] ?? null) : null
}

/** Columns whose cells are JSON. */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  ...['properties', 'undeclared', 'payload', 'metadata'],
  ...['addresses', 'images', 'attachments'],
])

/**
 * Reads the rows of a CSV file.
 * @throws DataError when the file cannot be read to its end
 */
export async function* readServiceCsv(
  file: string,
  kind: CsvKind,
  chunks: AsyncIterable<Uint8Array>,
  options: ValueOptions,
): AsyncGenerator<ReadRow> {
  const style: RowStyle = { properties: 'together', undeclared: 'kept', keysOf: options.keysOf }
  let columns: readonly string[] | null = null
  for await (const record of readCsvRecords(file, chunks, parseCell)) {
    const { line, row } = record
    const location = { file, line, table: kind === 'records' ? 'records' : null, row }
    if ('reason' in record) yield { kind: 'broken', location, reason: record.reason }
    else if (columns === null) columns = columnNames(file, record.cells)
    else yield* convertRow(kind, location, { cells: record.cells, columns, style }, options)
  }
}

/** Parses a cell. An empty cell is null, and `""` is an empty text. */
function parseCell(text: string, quoted: boolean): Cell {
  return !quoted && text === '' ? null : text
}

interface CsvRow {
  readonly cells: readonly Cell[]
  readonly columns: readonly string[]
  readonly style: RowStyle
}

async function* convertRow(
  kind: CsvKind,
  rowLocation: RowLocation,
  { cells, columns, style }: CsvRow,
  options: ValueOptions,
): AsyncGenerator<ReadRow> {
  const row: Record<string, unknown> = {}
  for (const [at, name] of columns.entries()) {
    const cell = cells[at]
    if (cell === undefined) continue
    const value = cell !== null && JSON_COLUMNS.has(name) ? tryParseJson(cell) : cell
    if (value === undefined)
      return yield { kind: 'broken', location: rowLocation, reason: `the column '${name}' does not contain valid JSON` }
    row[name] = value
  }
  if (kind === 'activities') {
    if (row['deleted_at'] === null || row['deleted_at'] === undefined)
      yield { kind: 'activity', location: rowLocation, value: row }
    else yield { kind: 'left out', location: rowLocation, property: null, reason: 'the activity is deleted' }
  } else if (kind === 'users') {
    const converted = await convertUser(row, options)
    yield { kind: 'row', location: rowLocation, value: converted.value, style }
    yield* reportLeftOut(rowLocation, converted)
  } else if (kind === 'profiles') {
    const converted = convertProfile(row, options)
    yield { kind: 'profile', location: rowLocation, value: converted.value, style }
    yield* reportLeftOut(rowLocation, converted)
  } else {
    const table = row['model_schema'] ?? row['type_name'] ?? row['table']
    const location = { ...rowLocation, table: typeof table === 'string' ? table : 'records' }
    const converted = convertRecord(row, location.table, options)
    yield { kind: 'row', location, value: converted.value, style }
    yield* reportLeftOut(location, converted)
  }
}

function tryParseJson(text: string): unknown {
  try {
    return text.trim() === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}
