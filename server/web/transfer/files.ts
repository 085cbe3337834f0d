/** Finds the input files of an import, their formats and their tables. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { nearest } from '../../../runtime/data/query/suggest.ts'
import { outsidePath } from '../../../runtime/data/site-links.ts'
import { StartError } from '../../core/start-error.ts'
import { type ImportSchema, describeUnknownTable } from './import-schema.ts'
import { tableFromFileName } from './csv-form.ts'
import { readCsv } from './csv-reader.ts'
import { readJson } from './json-reader.ts'
import { DataError, type ReadRow } from './rows.ts'
import { readServiceArchive } from './service/archive.ts'
import { isServiceJson } from './service/detect.ts'
import { readServiceJson } from './service/read.ts'
import type { ValueOptions } from './service/values.ts'

/** `service` is the platform service's JSON format. `service-zip` is an archive of its CSV files. */
export type DataFormat = 'json' | 'csv' | 'service' | 'service-zip'

/** A file to import. */
export interface InputFile {
  /** The path; `-` is standard input. */
  readonly path: string
  /** Name in messages; by default the path. */
  readonly name?: string
  readonly format: DataFormat
  /** The table of a CSV file; null for users. */
  readonly table: string | null
  /** Size in bytes; null when it is unknown. */
  readonly size: number | null
}

export interface InputOptions {
  readonly format: DataFormat | null
  /** Undefined derives the table from the file name. */
  readonly table: string | null | undefined
}

/** Number of bytes per read. */
const CHUNK = 256 * 1024

/**
 * Returns the files for paths on the command line. A folder stands for all its JSON and CSV files.
 * @throws StartError, and DataError for a file that cannot be read
 */
export async function findInputFiles(
  paths: readonly string[],
  options: InputOptions,
  schema: ImportSchema,
): Promise<readonly InputFile[]> {
  const inputFiles = listFiles(paths, options, schema)
  const files: InputFile[] = []
  for (const file of inputFiles) {
    // Standard input can be read only once, so its format must be given by the option.
    const isService = options.format === null && file.format === 'json' && file.size !== null
    files.push(isService && (await isServiceJson(file.path, read(file.path))) ? { ...file, format: 'service' } : file)
  }
  return files
}

function listFiles(paths: readonly string[], options: InputOptions, schema: ImportSchema): readonly InputFile[] {
  return paths.flatMap((path) => {
    if (path === '-') return [inputFile(path, path, options, schema, null)]
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined) throw new StartError(`There is no file '${path}'.`)
    if (!info.isDirectory()) return [inputFile(path, path, options, schema, info.isFile() ? info.size : null)]
    const filePaths = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((each) =>
      /\.(?:json|csv)$/i.test(each),
    )
    if (filePaths.length === 0) throw new StartError(`The folder '${path}' contains no .json or .csv files.`)
    return filePaths.sort().map((each) => {
      const fullPath = join(path, each)
      const outsideFile = outsidePath([path], fullPath)
      if (outsideFile !== null)
        throw new StartError(
          `'${fullPath}' is a link to '${outsideFile}', outside of the folder: copy the file, or pass its real path.`,
        )
      return inputFile(fullPath, relative(path, fullPath), options, schema, statSync(fullPath).size)
    })
  })
}

function inputFile(
  path: string,
  name: string,
  options: InputOptions,
  schema: ImportSchema,
  size: number | null,
): InputFile {
  const format = options.format ?? formatFromName(path)
  if (format === null)
    throw new StartError(`The format of '${path}' is unknown: add --format json, csv, service or service-zip.`)
  if (format === 'service-zip' && size === null)
    throw new StartError('An archive cannot be read from standard input: pass a file.')
  if (format !== 'csv') return { path, format, table: null, size }
  return { path, format, table: options.table === undefined ? findTable(name, schema) : options.table, size }
}

function formatFromName(path: string): DataFormat | null {
  const [, ending = ''] = /\.(csv|json|zip)$/i.exec(path) ?? []
  const formats: Readonly<Record<string, DataFormat>> = { csv: 'csv', json: 'json', zip: 'service-zip' }
  return formats[ending.toLowerCase()] ?? null
}

/**
 * Finds the table of a file. The longest suffix of the path that names a table is used, because names of module tables
 * contain folders.
 */
function findTable(path: string, schema: ImportSchema): string | null {
  const parts = path.split(sep)
  const names = parts.map((_, index) => tableFromFileName(parts.slice(index).join('/')))
  const tableName = names.find((name) => name === null || schema.tables.has(name))
  if (tableName !== undefined) return tableName
  const fileName = names.at(-1) ?? ''
  const nearestName = nearest(fileName, schema.tables.keys())
  const hint =
    nearestName === null
      ? describeUnknownTable(fileName, schema)
      : `there is no table '${fileName}', but there is '${nearestName}'`
  throw new StartError(`The table of '${path}' is unknown (${hint}): add --table T or --users.`)
}

/** Options for reading files. */
export interface ReadOptions {
  readonly schema: ImportSchema
  /** Options for the service formats. Other files need none. */
  readonly service?: ValueOptions
  /** Called when a service file declares whether its ids are ids of rows. */
  rawIds?(value: boolean): void
  /** Called with the number of bytes read so far in all files. */
  progress?(bytes: number): void
}

/** Reads the rows of all files, one file after another. */
export async function* readFiles(
  files: readonly InputFile[],
  { schema, service, rawIds, progress = () => undefined }: ReadOptions,
): AsyncGenerator<ReadRow> {
  let bytes = 0
  for (const { path, name = path, format, table } of files) {
    const chunks = countBytes(read(path), (more) => {
      bytes += more
      progress(bytes)
    })
    if (format === 'json') yield* readJson(name, chunks)
    else if (format === 'csv')
      yield* readCsv(name, table, (table === null ? schema.user : schema.tables.get(table)) ?? new Map(), chunks)
    else if (service === undefined) throw new Error(`there are no options for the format of ${path}`)
    else if (format === 'service') yield* readServiceJson(name, chunks, service, rawIds)
    else yield* readServiceArchive(path, name, service)
  }
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length)
    yield chunk
  }
}

/**
 * Reads the bytes of a file.
 * @throws DataError when it cannot be read
 */
async function* read(path: string): AsyncGenerator<Uint8Array> {
  try {
    const source: AsyncIterable<Uint8Array> =
      path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK })
    yield* source
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new DataError(`${path}: the file cannot be read (${error.message}).`)
  }
}
