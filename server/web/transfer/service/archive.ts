/**
 * Reads an archive of CSV files. It comes from outside: its names are never paths of this machine, each file is read as a
 * stream, and what it unpacks to is limited. Its ids are ids of rows, and so is every reference to one of them.
 */
import { open, type Entry, type ZipFile } from 'yauzl'
import { DataError, type ReadRow } from '../rows.ts'
import { type CsvKind, kindOfFile, readServiceCsv } from './csv.ts'
import type { ValueOptions } from './values.ts'

const MOST_ENTRIES = 10_000
/** Bytes that an archive may unpack to: any archive, a larger one as many times its own, and the most. */
const FREE_BYTES = 256 * 1024 * 1024
const MOST_TIMES = 100
const MOST_BYTES = 32 * 1024 * 1024 * 1024

interface CsvEntry {
  readonly entry: Entry
  readonly kind: CsvKind
}

/** Users first, because the place of an error is easier to find in the order of the files that people know. */
const ORDER: readonly CsvKind[] = ['users', 'profiles', 'records', 'activities']

/**
 * The rows of all CSV files of an archive.
 * @param file how messages name the archive
 * @throws DataError when it cannot be read to its end
 */
export async function* readServiceArchive(
  path: string,
  file: string,
  options: Omit<ValueOptions, 'keysOf'>,
): AsyncGenerator<ReadRow> {
  const zip = await opened(path, file)
  try {
    for (const { entry, kind } of await entriesOf(zip, file))
      yield* readServiceCsv(`${file}/${entry.fileName}`, kind, chunksOf(zip, entry, file), {
        ...options,
        keysOf: null,
      })
  } finally {
    zip.close()
  }
}

function opened(path: string, file: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // `autoClose` would close the file after the list, which is read before what it lists.
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error === null) resolve(zip)
      else reject(broken(file, error))
    })
  })
}

/**
 * The CSV files of an archive that hold rows, in the order of reading. An archive without any file is an export without rows.
 * @throws DataError for an archive of other files only
 */
async function entriesOf(zip: ZipFile, file: string): Promise<readonly CsvEntry[]> {
  if (zip.entryCount > MOST_ENTRIES) throw new DataError(`${file}: the archive has more than ${MOST_ENTRIES} files.`)
  const found: CsvEntry[] = []
  const others: string[] = []
  let size = 0
  for (const entry of await listed(zip, file)) {
    const kind = kindOfFile(entry.fileName)
    if (kind !== null) {
      if (entry.isEncrypted()) throw new DataError(`${file}: '${entry.fileName}' is encrypted.`)
      size += entry.uncompressedSize
      found.push({ entry, kind })
    } else if (!entry.fileName.endsWith('/')) others.push(entry.fileName)
  }
  const limit = Math.min(MOST_BYTES, Math.max(FREE_BYTES, zip.fileSize * MOST_TIMES))
  if (size > limit) throw new DataError(`${file}: the archive would unpack to ${size} bytes, and the most is ${limit}.`)
  const [other] = others
  if (found.length === 0 && other !== undefined)
    throw new DataError(`${file}: the archive has no records.csv and no users.csv, but '${other}'.`)
  return found.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || numberOf(a) - numberOf(b))
}

/** The number of a file that is one of several. */
function numberOf({ entry }: CsvEntry): number {
  return Number(/\.(\d+)\.csv$/i.exec(entry.fileName)?.[1] ?? -1)
}

function listed(zip: ZipFile, file: string): Promise<readonly Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error) => reject(broken(file, error)))
    zip.readEntry()
  })
}

/** The reader of archives ends with an error when there are more bytes than the list says. */
async function* chunksOf(zip: ZipFile, entry: Entry, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw broken(file, error)
  }
}

function broken(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DataError) return error
  return new DataError(`${file}: the archive cannot be read (${error.message}).`)
}
