/** Reads CSV text record by record, each with its place. */
import { Readable } from 'node:stream'
import { type CsvError, type InfoRecord, type Options, parse } from 'csv-parse'
import { DataError, LARGEST_ROW } from './rows.ts'

/** A cell; undefined is a missing value. */
export type Cell = string | null | undefined

export interface CsvRecord {
  readonly cells: readonly Cell[]
  /** The first line of the record. */
  readonly line: number
  /** From 0, which is the header. */
  readonly row: number
}

/** A record that cannot be read, after which reading continues. */
export interface BrokenRecord {
  /** Half a sentence. */
  readonly reason: string
  readonly line: number
  readonly row: number
}

/**
 * The records of a file.
 * @param cellOf the value of a cell, by its text and by whether it is quoted
 * @throws DataError when the file cannot be read to its end
 */
export async function* csvRecords(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  cellOf: (text: string, quoted: boolean) => Cell,
): AsyncGenerator<CsvRecord | BrokenRecord> {
  const broken: BrokenRecord[] = []
  let row = -1
  let any = false
  let lost: number | null = null
  /** The last line that was read. */
  let behind = 0
  const options: Options<CsvRecord, readonly Cell[]> = {
    bom: true,
    skip_empty_lines: true,
    max_record_size: LARGEST_ROW,
    cast: (text, { quoting }): Cell => cellOf(text, quoting),
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
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      yield* broken.splice(0)
      any = true
      yield record
    }
  } finally {
    source.destroy()
  }
  yield* broken.splice(0)
  if (!any) throw new DataError(`${file}: the file is empty: its first line names the columns.`)
}

/**
 * The names of the columns.
 * @throws DataError for a name that is missing or stands there twice
 */
export function columnNames(file: string, cells: readonly Cell[]): readonly string[] {
  const names = cells.map((cell) => cell ?? '')
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new DataError(`${file}:1: the column '${twice}' stands there twice.`)
  if (names.includes('')) throw new DataError(`${file}:1: a column has no name.`)
  return names
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
