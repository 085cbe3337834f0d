/**
 * Reads an archive of CSV files. Archives are untrusted: their file names are never used as local paths, files are read
 * as streams, and the unpacked size is limited. Ids and references in an archive are ids of rows.
 */
import { open, type Entry, type ZipFile } from 'yauzl'
import { DataError, type ReadRow } from '../rows.ts'
import { type CsvKind, findKind, readServiceCsv } from './csv.ts'
import type { ValueOptions } from './values.ts'

const MAX_ENTRIES = 10_000
/** Limits of the unpacked size: a size that every archive may have, a factor of the archive's size, and a maximum. */
const ALLOWED_BYTES = 256 * 1024 * 1024
const MAX_FACTOR = 100
const MAX_BYTES = 32 * 1024 * 1024 * 1024

interface CsvEntry {
  readonly entry: Entry
  readonly kind: CsvKind
}

/** Users are read first, because errors are easier to find in the usual order of files. */
const READ_ORDER: readonly CsvKind[] = ['users', 'profiles', 'records', 'activities']

/**
 * Reads the rows of all CSV files of an archive.
 * @param file name of the archive in messages
 * @throws DataError when it cannot be read to its end
 */
export async function* readServiceArchive(
  path: string,
  file: string,
  options: Omit<ValueOptions, 'keysOf'>,
): AsyncGenerator<ReadRow> {
  const zip = await openArchive(path, file)
  try {
    for (const { entry, kind } of await listCsvFiles(zip, file))
      yield* readServiceCsv(`${file}/${entry.fileName}`, kind, readEntry(zip, entry, file), {
        ...options,
        keysOf: null,
      })
  } finally {
    zip.close()
  }
}

function openArchive(path: string, file: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // `autoClose` would close the archive after the list of entries, before their content is read.
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error === null) resolve(zip)
      else reject(toDataError(file, error))
    })
  })
}

/**
 * Lists the CSV files of an archive in the order of reading. An archive without files is an export without rows.
 * @throws DataError for an archive that contains only other files
 */
async function listCsvFiles(zip: ZipFile, file: string): Promise<readonly CsvEntry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw new DataError(`${file}: the archive has more than ${MAX_ENTRIES} files.`)
  const csvEntries: CsvEntry[] = []
  const otherFiles: string[] = []
  let size = 0
  for (const entry of await listEntries(zip, file)) {
    const kind = findKind(entry.fileName)
    if (kind !== null) {
      if (entry.isEncrypted()) throw new DataError(`${file}: '${entry.fileName}' is encrypted.`)
      size += entry.uncompressedSize
      csvEntries.push({ entry, kind })
    } else if (!entry.fileName.endsWith('/')) otherFiles.push(entry.fileName)
  }
  const limit = Math.min(MAX_BYTES, Math.max(ALLOWED_BYTES, zip.fileSize * MAX_FACTOR))
  if (size > limit)
    throw new DataError(`${file}: the archive would unpack to ${size} bytes, but at most ${limit} are allowed.`)
  const [other] = otherFiles
  if (csvEntries.length === 0 && other !== undefined)
    throw new DataError(`${file}: the archive has no records.csv and no users.csv, but '${other}'.`)
  return csvEntries.toSorted(
    (a, b) => READ_ORDER.indexOf(a.kind) - READ_ORDER.indexOf(b.kind) || fileNumber(a) - fileNumber(b),
  )
}

/** Returns the number in the name of a file that is split into several files. */
function fileNumber({ entry }: CsvEntry): number {
  return Number(/\.(\d+)\.csv$/i.exec(entry.fileName)?.[1] ?? -1)
}

function listEntries(zip: ZipFile, file: string): Promise<readonly Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error) => reject(toDataError(file, error)))
    zip.readEntry()
  })
}

/** Reads the content of an entry. The library reports an error when there are more bytes than the list says. */
async function* readEntry(zip: ZipFile, entry: Entry, file: string): AsyncGenerator<Uint8Array> {
  try {
    const chunks: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry)
    yield* chunks
  } catch (error) {
    throw toDataError(file, error)
  }
}

function toDataError(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DataError) return error
  return new DataError(`${file}: the archive cannot be read (${error.message}).`)
}
