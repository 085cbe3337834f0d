/**
 * Fetches the files that rows of an import refer to: from uploads to this server, from its own store, or from another server if its address is
 * permitted. Fetched files are recorded, so that a repeated import does not fetch them again.
 */
import { copyFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod'
import { pathOfUpload, readUploadPath } from '../../../../runtime/data/values/upload-path.ts'
import { readStorageOptions } from '../../../web/files/storage-options.ts'
import { FileRefused, type StorageOptions, type StoredFile } from '../../../web/files/model.ts'
import { fileExtension } from '../../../web/files/names.ts'
import { downloadFile } from '../../../web/files/download.ts'
import { temporaryFilesIn } from '../../../web/files/receive-source.ts'
import type { NamedFile } from './named-files.ts'
import { sentDigest } from '../sent-keys.ts'
import type { TransferContext } from './parts.ts'

/** Number of files to fetch at once. */
const CONCURRENT_FETCHES = 8
/** Milliseconds for one file. */
const FETCH_TIMEOUT = 60_000

const stored = z.object({
  path: z.string(),
  file_name: z.string(),
  extension: z.string(),
  content_type: z.string(),
  size: z.number(),
  acl: z.enum(['public', 'private']),
  versions: z.record(z.string(), z.string()),
})

/**
 * Fetches files.
 * @param warn called for each file that cannot be fetched; its rows keep their value
 * @returns the fetched files by name
 */
export async function fetchFiles(
  parts: TransferContext,
  files: ReadonlyMap<string, NamedFile>,
  warn: (sentence: string) => void,
): Promise<ReadonlyMap<string, StoredFile>> {
  const { sql, row, progress } = parts
  const rows = await sql<{ address: string; file: unknown }[]>`
    select address, file from ingot.transfer_files where transfer_id = ${row.id}`
  const fetched = new Map(rows.map(({ address, file }) => [address, stored.parse(file)]))
  const left = [...files.values()].filter(({ name }) => !fetched.has(name))
  let doneCount = fetched.size
  const takeNext = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const file = await fetchFile(parts, next, warn)
      progress.report('fetching files', ++doneCount, files.size)
      if (file === null) continue
      fetched.set(next.name, file)
      await sql`
        insert into ingot.transfer_files (transfer_id, address, file)
        values (${row.id}, ${next.name}, ${JSON.stringify(file)}::text::jsonb) on conflict do nothing`
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_FETCHES }, takeNext))
  return fetched
}

async function fetchFile(
  parts: TransferContext,
  { address, property }: NamedFile,
  warn: (sentence: string) => void,
): Promise<StoredFile | null> {
  try {
    if (!URL.canParse(address)) return await storeFromArchive(parts, address, optionsOf(parts, property))
    return (await findStoredFile(parts, address)) ?? (await storeCopy(parts, address, optionsOf(parts, property)))
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    // URLs of files on a server like this one are stored without the host.
    const then = pathOfUpload(address) === null ? 'its row keeps this URL' : 'its row refers to a missing file'
    warn(`The file at ${formatAddress(address)} was not downloaded, and ${then}: it ${error.message}.`)
    return null
  }
}

/** Returns options without the site's limits on size and type, which only apply to visitors. */
function optionsOf({ files }: TransferContext, property: NamedFile['property']): StorageOptions {
  const own = property === null ? ATTACHMENT_OPTIONS : readStorageOptions(property)
  return { ...own, limit: files.limit, least: 1, types: null }
}

const ATTACHMENT_OPTIONS: StorageOptions = { acl: 'public', limit: 0, types: null, versions: {} }

/** Returns the stored file of a URL below `/uploads/`; null for all other URLs. */
async function findStoredFile({ sql }: TransferContext, address: string): Promise<StoredFile | null> {
  const path = pathOfUpload(address)
  const named = path === null ? null : readUploadPath(path)
  if (path === null || named === null) return null
  const [row] = await sql<{ versions: Record<string, string>; content_type: string; size: number }[]>`
    select versions, content_type, size::float8 as size from ingot.files
    where key = ${named.key} and path = ${path} and unnamed_at is distinct from '-infinity'`
  if (row === undefined) return null
  return { path, file_name: named.name, extension: fileExtension(named.name), acl: named.acl, ...row }
}

/** Stores the file with a path in an uploaded archive; returns null when there is none. */
async function storeFromArchive(
  { files, sql, blobs }: TransferContext,
  path: string,
  options: StorageOptions,
): Promise<StoredFile | null> {
  const [row] = await sql<{ digest: string }[]>`select digest from ingot.sent_uploads where path = ${path}`
  if (row === undefined) return null
  const scratch = await temporaryFilesIn(files.incoming)
  try {
    const copy = scratch.path()
    await copyFile(await blobs.get(sql, row.digest), copy)
    return await files.keep({ kind: 'sent', path: copy, fileName: basename(path), contentType: '' }, options)
  } finally {
    await scratch.dispose()
  }
}

async function storeCopy(parts: TransferContext, address: string, options: StorageOptions): Promise<StoredFile> {
  const { files, settings, addresses, sql, blobs, reachable } = parts
  const scratch = await temporaryFilesIn(files.incoming)
  try {
    const path = scratch.path()
    const key = addresses.keyIn(address)
    const digest = key === null ? null : await sentDigest(sql, key)
    if (key !== null && digest === null) throw new FileRefused('file_missing', 'is not a file of this server')
    if (key !== null && digest !== null) {
      await copyFile(await blobs.get(sql, digest), path)
      return await files.keep({ kind: 'sent', path, fileName: basename(key), contentType: '' }, options)
    }
    const { originOverrides } = settings
    const fileName = await downloadFile(address, {
      to: path,
      limit: options.limit,
      timeout: FETCH_TIMEOUT,
      reachable,
      originOverrides,
    })
    return await files.keep({ kind: 'sent', path, fileName, contentType: '' }, options)
  } finally {
    await scratch.dispose()
  }
}

/** Formats a URL without its query, which may contain a signature. */
function formatAddress(address: string): string {
  if (!URL.canParse(address)) return address.slice(0, 300)
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`.slice(0, 300)
}
