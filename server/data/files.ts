/** Finds the files of an import, their format, and the table of each. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { nearest } from '../../runtime/data/query/suggest.ts'
import { StartError } from '../start-error.ts'
import { type ImportSchema, unknownTable } from './check.ts'
import { tableOfFile } from './csv-form.ts'
import { readCsv } from './csv-reader.ts'
import { readJson } from './json-reader.ts'
import { DataError, type ReadRow } from './rows.ts'

export interface InputFile {
  /** As shown in messages; `-` is standard input. */
  readonly path: string
  readonly format: 'json' | 'csv'
  /** For CSV; null for users. */
  readonly table: string | null
  /** Size in bytes; null when it is unknown. */
  readonly size: number | null
}

export interface InputOptions {
  readonly format: 'json' | 'csv' | null
  /** Undefined to derive the table from the file name. */
  readonly table: string | null | undefined
}

/** Bytes per read. */
const CHUNK = 256 * 1024

/**
 * The files for paths on the command line. A folder stands for all its JSON and CSV files.
 * @throws StartError
 */
export function inputFiles(paths: readonly string[], given: InputOptions, schema: ImportSchema): readonly InputFile[] {
  return paths.flatMap((path) => {
    if (path === '-') return [inputFile(path, path, given, schema, null)]
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined) throw new StartError(`There is no file '${path}'.`)
    if (!info.isDirectory()) return [inputFile(path, path, given, schema, info.isFile() ? info.size : null)]
    const below = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((each) =>
      /\.(?:json|csv)$/i.test(each),
    )
    if (below.length === 0) throw new StartError(`The folder '${path}' holds no data: no file ends in .json or .csv.`)
    return below.sort().map((each) => {
      const full = join(path, each)
      return inputFile(full, relative(path, full), given, schema, statSync(full).size)
    })
  })
}

function inputFile(
  path: string,
  name: string,
  given: InputOptions,
  schema: ImportSchema,
  size: number | null,
): InputFile {
  const format = given.format ?? (/\.csv$/i.test(path) ? 'csv' : /\.json$/i.test(path) ? 'json' : null)
  if (format === null) throw new StartError(`What is in '${path}'? Say it by --format json or --format csv.`)
  if (format === 'json') return { path, format, table: null, size }
  return { path, format, table: given.table === undefined ? tableNamed(name, schema) : given.table, size }
}

/** The longest suffix of the path that names a table, because the names of module tables contain folders. */
function tableNamed(path: string, schema: ImportSchema): string | null {
  const parts = path.split(sep)
  const names = parts.map((_, index) => tableOfFile(parts.slice(index).join('/')))
  const found = names.find((name) => name === null || schema.tables.has(name))
  if (found !== undefined) return found
  const last = names.at(-1) ?? ''
  const near = nearest(last, schema.tables.keys())
  const hint = near === null ? unknownTable(last, schema) : `there is no table '${last}', but there is '${near}'`
  throw new StartError(`Whose rows are in '${path}'? Say it by --table T or --users: ${hint}.`)
}

/**
 * The rows of all files, one file after another.
 * @param progress called with the number of bytes read so far, of all files
 */
export async function* readFiles(
  files: readonly InputFile[],
  schema: ImportSchema,
  progress: (bytes: number) => void = () => undefined,
): AsyncGenerator<ReadRow> {
  let bytes = 0
  for (const { path, format, table } of files) {
    const chunks = counted(
      path,
      path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK }),
      (more) => {
        bytes += more
        progress(bytes)
      },
    )
    if (format === 'json') yield* readJson(path, chunks)
    else yield* readCsv(path, table, (table === null ? schema.user : schema.tables.get(table)) ?? new Map(), chunks)
  }
}

async function* counted(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      count(chunk.length)
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new DataError(`${path}: the file cannot be read (${error.message}).`)
  }
}
