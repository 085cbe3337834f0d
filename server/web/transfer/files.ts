/** Finds the files of an import, their format, and the table of each. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { nearest } from '../../../runtime/data/query/suggest.ts'
import { outsidePath } from '../../../runtime/data/site-links.ts'
import { StartError } from '../../core/start-error.ts'
import { type ImportSchema, unknownTable } from './check.ts'
import { tableOfFile } from './csv-form.ts'
import { readCsv } from './csv-reader.ts'
import { readJson } from './json-reader.ts'
import { DataError, type ReadRow } from './rows.ts'
import { readServiceArchive } from './service/archive.ts'
import { isServiceJson } from './service/detect.ts'
import { readServiceJson } from './service/read.ts'
import type { ValueOptions } from './service/values.ts'

/** `service` is JSON of the platform's service, `service-zip` an archive of its CSV. */
export type DataFormat = 'json' | 'csv' | 'service' | 'service-zip'

export interface InputFile {
  /** `-` is standard input. */
  readonly path: string
  /** As shown in messages, where that is not the path. */
  readonly name?: string
  readonly format: DataFormat
  /** For CSV; null for users. */
  readonly table: string | null
  /** Size in bytes; null when it is unknown. */
  readonly size: number | null
}

export interface InputOptions {
  readonly format: DataFormat | null
  /** Undefined to derive the table from the file name. */
  readonly table: string | null | undefined
}

/** Bytes per read. */
const CHUNK = 256 * 1024

/**
 * The files for paths on the command line. A folder stands for all its JSON and CSV files.
 * @throws StartError; DataError for a file that cannot be read
 */
export async function inputFiles(
  paths: readonly string[],
  given: InputOptions,
  schema: ImportSchema,
): Promise<readonly InputFile[]> {
  const found = filesOf(paths, given, schema)
  const own: InputFile[] = []
  for (const file of found) {
    // Standard input is read once, so that its form is known by the option only.
    const isService = given.format === null && file.format === 'json' && file.size !== null
    own.push(isService && (await isServiceJson(file.path, read(file.path))) ? { ...file, format: 'service' } : file)
  }
  return own
}

function filesOf(paths: readonly string[], given: InputOptions, schema: ImportSchema): readonly InputFile[] {
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
      const real = outsidePath([path], full)
      if (real !== null)
        throw new StartError(`'${full}' is a link out of the folder, to '${real}': copy the file, or name it itself.`)
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
  const format = given.format ?? formatOf(path)
  if (format === null)
    throw new StartError(`What is in '${path}'? Say it by --format json, csv, service or service-zip.`)
  if (format === 'service-zip' && size === null)
    throw new StartError('An archive is read from a file: its list stands at the end.')
  if (format !== 'csv') return { path, format, table: null, size }
  return { path, format, table: given.table === undefined ? tableNamed(name, schema) : given.table, size }
}

function formatOf(path: string): DataFormat | null {
  const [, ending = ''] = /\.(csv|json|zip)$/i.exec(path) ?? []
  const formats: Readonly<Record<string, DataFormat>> = { csv: 'csv', json: 'json', zip: 'service-zip' }
  return formats[ending.toLowerCase()] ?? null
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

/** How files are read. */
export interface ReadOptions {
  readonly schema: ImportSchema
  /** For the forms of the service; other files need none. */
  readonly service?: ValueOptions
  /** Called where a file of the service says whether its ids are ids of rows. */
  rawIds?(value: boolean): void
  /** Called with the number of bytes read so far, of all files. */
  progress?(bytes: number): void
}

/** The rows of all files, one file after another. */
export async function* readFiles(
  files: readonly InputFile[],
  { schema, service, rawIds, progress = () => undefined }: ReadOptions,
): AsyncGenerator<ReadRow> {
  let bytes = 0
  for (const { path, name = path, format, table } of files) {
    const chunks = counted(read(path), (more) => {
      bytes += more
      progress(bytes)
    })
    if (format === 'json') yield* readJson(path, chunks)
    else if (format === 'csv')
      yield* readCsv(path, table, (table === null ? schema.user : schema.tables.get(table)) ?? new Map(), chunks)
    else if (service === undefined) throw new Error(`there are no options for the form of ${path}`)
    else if (format === 'service') yield* readServiceJson(name, chunks, service, rawIds)
    else yield* readServiceArchive(path, name, service)
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length)
    yield chunk
  }
}

/** The bytes of a file. @throws DataError when it cannot be read */
async function* read(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (
      path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK })
    ) as AsyncIterable<Uint8Array>
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new DataError(`${path}: the file cannot be read (${error.message}).`)
  }
}
