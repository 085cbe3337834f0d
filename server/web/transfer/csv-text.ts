/** Reads CSV text record by record, with the location of each record. */
import { Readable } from 'node:stream'
import { type CsvError, type InfoRecord, type Options, parse } from 'csv-parse'
import { DataError, MAX_ROW_SIZE } from './rows.ts'

/** A cell. Undefined is a missing value. */
export type Cell = string | null | undefined

/** A record of a CSV file. */
export interface CsvRecord {
  readonly cells: readonly Cell[]
  /** The first line of the record. */
  readonly line: number
  /** Number of the record, starting at 0 for the header. */
  readonly row: number
}

/** An unreadable record. Reading continues after it. */
export interface BrokenRecord {
  /** Part of a sentence. */
  readonly reason: string
  readonly line: number
  readonly row: number
}

/**
 * Reads the records of a file.
 * @param parseCell returns the value of a cell, given its text and whether it is quoted
 * @throws DataError when the file cannot be read to its end
 */
export async function* readCsvRecords(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  parseCell: (text: string, quoted: boolean) => Cell,
): AsyncGenerator<CsvRecord | BrokenRecord> {
  const brokenRecords: BrokenRecord[] = []
  let row = -1
  let hasRecords = false
  let brokenRecord: number | null = null
  /** The last line that was read. */
  let lastLine = 0
  const options: Options<CsvRecord, readonly Cell[]> = {
    bom: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_SIZE,
    cast: (text, { quoting }): Cell => parseCell(text, quoting),
    on_record: (cells: readonly Cell[], info: InfoRecord): CsvRecord => {
      const line = lastLine + 1
      lastLine = info.lines
      return { cells, line, row: ++row }
    },
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      if (error === undefined) return
      if (FATAL.has(error.code)) throw toDataError(file, error)
      lastLine = Number(error['lines'])
      // After a misplaced quote, the parser cannot separate rows until a complete record follows. The error is reported
      // once.
      if (brokenRecord === error['records']) return
      brokenRecord = error.code === 'CSV_INVALID_CLOSING_QUOTE' ? Number(error['records']) : null
      brokenRecords.push({ reason: describeError(error), line: Number(error['lines']), row: ++row })
    },
  }
  // The package's types assume options that name the columns, which these options do not.
  const parser = parse(options as unknown as Options)
  const source = Readable.from(requireUtf8(file, chunks)).on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    const records: AsyncIterable<CsvRecord> = parser
    for await (const record of records) {
      yield* brokenRecords.splice(0)
      hasRecords = true
      yield record
    }
  } finally {
    source.destroy()
  }
  yield* brokenRecords.splice(0)
  if (!hasRecords) throw new DataError(`${file}: the file is empty. Its first line must contain the column names.`)
}

/**
 * Returns the names of the columns.
 * @throws DataError for a missing or repeated name
 */
export function columnNames(file: string, cells: readonly Cell[]): readonly string[] {
  const names = cells.map((cell) => cell ?? '')
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new DataError(`${file}:1: the column '${twice}' occurs twice.`)
  if (names.includes('')) throw new DataError(`${file}:1: a column has no name.`)
  return names
}

const FATAL: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'])

function toDataError(file: string, error: CsvError): DataError {
  const line = String(error['lines'])
  return error.code === 'CSV_MAX_RECORD_SIZE'
    ? new DataError(`${file}:${line}: a row here is larger than 16 MB. Is a quote missing?`)
    : new DataError(`${file}:${line}: a quoted cell is not closed before the end of the file.`)
}

function describeError(error: CsvError): string {
  if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') return 'its number of cells differs from the first line'
  if (error.code === 'CSV_INVALID_CLOSING_QUOTE') return 'a quote inside a cell must be written twice: ""'
  return error.message
}

/** Passes chunks on and rejects invalid UTF-8. */
async function* requireUtf8(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
