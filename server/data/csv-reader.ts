/** Reads a table or the users from CSV, row by row, in the form of the JSON reader. */
import { Readable } from 'node:stream'
import { type CsvError, type InfoRecord, type Options, parse } from 'csv-parse'
import type { PropertyDef } from '../../runtime/page/compiled.ts'
import { columnOf, withoutApostrophe } from './csv-form.ts'
import { DataError, LARGEST_ROW, type RowLocation, type ReadRow } from './rows.ts'

/** A cell; undefined is a missing value. */
type Cell = string | null | undefined

interface CsvRecord {
  readonly cells: readonly Cell[]
  /** The first line of the record. */
  readonly line: number
  readonly row: number
}

/**
 * The rows of a file.
 * @param table null for users
 * @param declared properties of the table, to find those whose values are JSON text
 * @throws DataError when the file cannot be read to its end
 */
export async function* readCsv(
  file: string,
  table: string | null,
  declared: ReadonlyMap<string, PropertyDef>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadRow> {
  const broken: { readonly reason: string; readonly line: number; readonly row: number }[] = []
  let row = -1
  let lost: number | null = null
  /** The last line that was read. */
  let behind = 0
  const options: Options<CsvRecord, readonly Cell[]> = {
    bom: true,
    skip_empty_lines: true,
    max_record_size: LARGEST_ROW,
    cast: (text, { quoting }): Cell =>
      quoting ? withoutApostrophe(text) : text === '' ? undefined : text === '\\N' ? null : text,
    on_record: (cells: readonly Cell[], info: InfoRecord): CsvRecord => {
      const line = behind + 1
      behind = info.lines
      return { cells, line, row: ++row }
    },
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      if (error === undefined) return
      if (FATAL.has(error.code)) throw fatal(file, error)
      behind = Number(error['lines'])
      // After a misplaced quote, rows cannot be told apart until a record is complete again.
      if (lost === error['records']) return
      lost = error.code === 'CSV_INVALID_CLOSING_QUOTE' ? Number(error['records']) : null
      broken.push({ reason: inWords(error), line: Number(error['lines']), row: ++row })
    },
  }
  // The types of the package assume that it names the columns.
  const parser = parse(options as unknown as Options)
  const source = Readable.from(utf8(file, chunks)).on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let columns: readonly ReturnType<typeof columnOf>[] | null = null
  const locationOf = (at: number, number: number): RowLocation => ({ file, line: at, table, row: number })
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      yield* drained(broken, locationOf)
      if (columns === null) columns = header(file, record.cells, table)
      else
        yield {
          kind: 'row',
          location: locationOf(record.line, record.row),
          value: valueOf(record.cells, columns, declared),
        }
    }
  } finally {
    source.destroy()
  }
  yield* drained(broken, locationOf)
  if (columns === null) throw new DataError(`${file}: the file is empty: its first line names the columns.`)
}

function* drained(
  broken: { readonly reason: string; readonly line: number; readonly row: number }[],
  locationOf: (line: number, row: number) => RowLocation,
): Generator<ReadRow> {
  for (const { reason, line, row } of broken.splice(0))
    yield { kind: 'broken', location: locationOf(line, row), reason }
}

const FATAL: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

function fatal(file: string, error: CsvError): DataError {
  const line = String(error['lines'])
  return error.code === 'CSV_MAX_RECORD_SIZE'
    ? new DataError(`${file}:${line}: a row here is larger than 16 MB. Is a quote missing?`)
    : new DataError(`${file}:${line}: a quote that was opened is never closed: the file ends too early.`)
}

function inWords(error: CsvError): string {
  if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH')
    return 'it has another number of cells than the first line names'
  if (error.code === 'CSV_INVALID_CLOSING_QUOTE') return 'a quote inside of a cell is written twice: ""'
  return error.message
}

function header(file: string, cells: readonly Cell[], table: string | null): readonly ReturnType<typeof columnOf>[] {
  const columns = cells.map((cell) => columnOf(cell ?? '', table === null))
  const names = cells.map((cell) => cell ?? '')
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new DataError(`${file}:1: the column '${twice}' stands there twice.`)
  if (names.includes('')) throw new DataError(`${file}:1: a column has no name.`)
  return columns
}

function valueOf(
  cells: readonly Cell[],
  columns: readonly ReturnType<typeof columnOf>[],
  declared: ReadonlyMap<string, PropertyDef>,
): Readonly<Record<string, unknown>> {
  const properties: [string, unknown][] = []
  const value: Record<string, unknown> = {}
  columns.forEach(({ kind, name }, index) => {
    const cell = cells[index]
    if (cell === undefined) return
    if (kind === 'property') properties.push([name, plain(cell, declared.get(name))])
    else value[name] = JSON_COLUMNS.has(name) && cell !== null ? (jsonOf(cell) ?? cell) : cell
  })
  // `fromEntries`, because a property may be called `__proto__`.
  return { ...value, properties: Object.fromEntries(properties) }
}

const JSON_COLUMNS: ReadonlySet<string> = new Set(['profiles', 'undeclared'])

/**
 * The value of a cell. JSON is parsed here for types that also accept plain text; for other types the casts parse it.
 */
function plain(cell: string | null, property: PropertyDef | undefined): unknown {
  if (cell === null || property === undefined) return cell
  switch (property.type) {
    case 'upload':
    case 'file':
    case 'photo':
      return cell.startsWith('{') ? (jsonOf(cell) ?? cell) : cell
    case 'address':
      return cell.startsWith('{') || cell.startsWith('"') ? (jsonOf(cell) ?? cell) : cell
    case 'array':
      return cell.startsWith('[') ? (jsonOf(cell) ?? cell) : cell
    default:
      return cell
  }
}

/** The parsed JSON; undefined for plain text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Rejects invalid UTF-8. */
async function* utf8(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunks) {
      decoder.decode(chunk, { stream: true })
      yield chunk
    }
    decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new DataError(`${file}: the file is not UTF-8 text.`)
    throw error
  }
}
