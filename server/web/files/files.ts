/**
 * Stores files: receives the bytes, detects the type, removes image metadata, creates image versions, and stores the
 * result.
 */
import { stat } from 'node:fs/promises'
import type { Sql } from 'postgres'
import type { Primary } from '../../data/store/primary.ts'
import { retryUnsent } from '../../data/store/retry-unsent.ts'
import { mediaType } from '../http/media-types.ts'
import type { OriginOverrides } from '../../core/net/outgoing.ts'
import { encryptedName, encryptFile } from './encrypt.ts'
import { cleanImage, EXTENSIONS, makeVersion, readImage, versionFormat } from './images.ts'
import {
  type Acl,
  FileRefused,
  type Files,
  type FileSource,
  type FileStore,
  type StorageOptions,
  type StoredFile,
  type UploadedFile,
  type UploadReceipt,
  type UploadTerms,
} from './model.ts'
import { encodePath, fileExtension, newKey, storePath, safeName } from './names.ts'
import { readUploadPath, versionPath } from '../../../runtime/data/values/upload-path.ts'
import { type OwnFiles, copyOwnFile } from './own-files.ts'
import { presign, readReceipt } from './presign.ts'
import { formatSize, tooLarge } from './download.ts'
import type { Signer } from './signature.ts'
import { acceptsType, isKnownExtension, type FileType, RASTER, detectType } from './detect-type.ts'
import {
  readHead,
  type TemporaryFiles,
  temporaryFilesIn,
  receiveSource,
  type LocalFile,
  type ReceiveOptions,
} from './receive-source.ts'

/** Options of the file service. */
export interface FilesOptions {
  readonly store: FileStore
  readonly sql: Sql
  /** Watches the database. Absent when the database is not watched. */
  readonly primary?: Primary
  readonly signer: Signer
  /** Finds an asset by its URL; see `OwnFiles`. By default, there are no assets. */
  readonly asset?: OwnFiles['asset']
  /** Prefix of asset URLs; see `OwnFiles`. */
  readonly assetsUrl?: OwnFiles['assetsUrl']
  /** The listener's folder of incoming files. */
  readonly incoming: string
  /** Maximum size of a file in bytes. */
  readonly limit: number
  /** Returns whether an address may be fetched from. By default only public addresses. */
  readonly reachable?: (address: string) => boolean
  /** Replacement servers by origin. */
  readonly originOverrides?: OriginOverrides
}

/** The functions that the file endpoints need in addition to `Files`. */
export interface FileService extends Files {
  readonly store: FileStore
  readonly signer: Signer
  /** The listener's folder of incoming files. */
  readonly incoming: string
  /**
   * Stores a file under a key that was issued for it.
   * @throws FileRefused when the key was used before
   */
  keepAs(key: string, source: FileSource, options: StorageOptions, receipt?: UploadReceipt): Promise<StoredFile>
  /** Stores a private copy of a local file that the server has written. The size is not limited. */
  storeGenerated(sourcePath: string, fileName: string): Promise<StoredFile>
}

/** Hours for which an uploaded file can be claimed by a property. */
const RECEIPT_HOURS = 24

interface UploadRow {
  readonly versions: Readonly<Record<string, string>>
  readonly content_type: string
  readonly size: number
  readonly receipt: unknown
}

/** Default lifetime in seconds of a private file's URL. */
const DEFAULT_LIFETIME = 900

/** A local file with its size. */
interface CheckedFile {
  readonly path: string
  readonly size: number
}

interface ReceivedFile extends CheckedFile {
  readonly name: string
  readonly extension: string
  readonly kind: FileType
}

interface UploadKey {
  readonly key: string
  /** Null for a file that the server itself stores in a property. */
  readonly receipt: UploadReceipt | null
}

/** A local file to store at a path. */
interface FileContent {
  readonly path: string
  readonly from: string
  readonly type: string
}

/** Creates the file service of a process. */
export function createFiles(options: FilesOptions): FileService {
  return new StoredFiles(options)
}

class StoredFiles implements FileService {
  readonly store: FileStore
  readonly signer: Signer
  readonly incoming: string
  readonly limit: number
  readonly #options: FilesOptions

  constructor(options: FilesOptions) {
    this.store = options.store
    this.signer = options.signer
    this.incoming = options.incoming
    this.limit = options.limit
    this.#options = options
  }

  keep(source: FileSource, options: StorageOptions): Promise<StoredFile> {
    return this.keepAs(newKey(), source, options)
  }

  async keepAs(
    key: string,
    source: FileSource,
    options: StorageOptions,
    receipt: UploadReceipt | null = null,
  ): Promise<StoredFile> {
    const scratch = await temporaryFilesIn(this.incoming)
    try {
      const received = await this.#receive(source, scratch, options)
      if (options.encryptFor !== undefined) {
        const encrypted = scratch.path()
        await encryptFile(received.path, encrypted, options.encryptFor)
        return await this.#storeOne(key, encrypted, encryptedName(received.name, options.encryptFor), options.acl)
      }
      return await this.#storeWithVersions({ key, receipt }, received, options, scratch)
    } finally {
      await scratch.dispose()
    }
  }

  storeGenerated(sourcePath: string, fileName: string): Promise<StoredFile> {
    return this.#storeOne(newKey(), sourcePath, fileName, 'private')
  }

  async uploaded(path: string): Promise<UploadedFile | null> {
    const upload = readUploadPath(path)
    if (upload === null) return null
    const [row] = await this.#options.sql<UploadRow[]>`
      select versions, content_type, size::float8 as size, receipt from ingot.files
      where key = ${upload.key} and path = ${path} and receipt is not null
        and created_at > now() - ${RECEIPT_HOURS} * interval '1 hour' and unnamed_at is distinct from '-infinity'`
    const receipt = readReceipt(row?.receipt)
    if (row === undefined || receipt === null) return null
    const { name, acl } = upload
    const { versions, content_type, size } = row
    return {
      file: { path, file_name: name, extension: fileExtension(name), content_type, size, acl, versions },
      receipt,
    }
  }

  async drop(files: readonly StoredFile[]): Promise<void> {
    for (const { path, versions } of files) {
      const key = readUploadPath(path)?.key
      if (key === undefined) continue
      await Promise.all([path, ...Object.values(versions)].map((each) => this.store.remove(each)))
      await this.#options.sql`delete from ingot.files where key = ${key}`
    }
  }

  createUrl(path: string, expiresIn: number | null): string {
    const upload = readUploadPath(path)
    if (upload === null) return path
    if (upload.acl === 'public') return this.store.direct(path) ?? `/${encodePath(path)}`
    const expires = String(Math.floor(Date.now() / 1000) + (expiresIn ?? DEFAULT_LIFETIME))
    const signature = this.signer.sign('see', `${path}\n${expires}`)
    return `/${encodePath(path)}?expires=${expires}&signature=${signature}`
  }

  url(...[{ path, versions }, expiresIn, version]: Parameters<Files['url']>): string {
    const versionPath = version !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined
    return this.createUrl(versionPath ?? path, expiresIn)
  }

  presign(terms: UploadTerms): ReturnType<Files['presign']> {
    return presign(this.signer, terms)
  }

  /** Copies the source to a temporary file and checks its size, name and type. */
  async #receive(source: FileSource, scratch: TemporaryFiles, options: StorageOptions): Promise<ReceivedFile> {
    const limit = Math.min(options.limit, this.limit)
    const { reachable, originOverrides = {} } = this.#options
    const copied = await this.#copySource(source, scratch, {
      limit,
      originOverrides,
      ...(reachable !== undefined && { reachable }),
    })
    const { head, size } = await readHead(copied.path)
    checkSize(size, options.least ?? 1, limit)
    const nameExtension = safeName(copied.name).extension
    const kind = detectType(head, nameExtension)
    const { name, extension } = safeName(copied.name, extensionFor(kind, nameExtension))
    if (!acceptsType(options.types, kind.type))
      throw new FileRefused('file_type', `is not of a type that is allowed (${kind.type})`, { count: kind.type })
    return { path: copied.path, size, name, extension, kind }
  }

  /**
   * Copies the bytes of a source to a temporary file. Files and assets of this server are copied from disk or fetched
   * from its own store, which may be in a private network.
   */
  async #copySource(source: FileSource, scratch: TemporaryFiles, options: ReceiveOptions): Promise<LocalFile> {
    if (source.kind !== 'url') return receiveSource(source, scratch, options)
    const path = scratch.path()
    const { asset = async () => null, assetsUrl = null } = this.#options
    const ownFile = await copyOwnFile({ store: this.store, signer: this.signer, asset, assetsUrl }, source.url, path)
    if (ownFile === null) return receiveSource(source, scratch, options)
    const fileName = source.fileName ?? ownFile.name
    if (ownFile.kind === 'copied') return { path, name: fileName }
    return receiveSource({ kind: 'url', url: ownFile.url, fileName }, scratch, { ...options, reachable: () => true })
  }

  async #storeWithVersions(
    { key, receipt }: UploadKey,
    received: ReceivedFile,
    options: StorageOptions,
    scratch: TemporaryFiles,
  ): Promise<StoredFile> {
    const { name, extension, kind } = received
    const { acl } = options
    const original = await removeMetadata(received.path, received.size, kind, scratch)
    const path = storePath(key, name, acl, new Date())
    const versions = await createVersions(original.path, path, kind, options, scratch)
    const file: StoredFile = {
      path,
      file_name: name,
      extension,
      content_type: kind.type,
      size: original.size,
      acl,
      versions: Object.fromEntries(versions.map((version) => [version.name, version.path])),
    }
    await this.#store({ key, receipt }, file, [{ path, from: original.path, type: kind.type }, ...versions])
    return file
  }

  /** Stores a single file that the server has written. The size is not limited. */
  async #storeOne(key: string, sourcePath: string, fileName: string, acl: Acl): Promise<StoredFile> {
    const { name, extension } = safeName(fileName)
    const path = storePath(key, name, acl, new Date())
    const { size } = await stat(sourcePath)
    const type = mediaType(name)
    const file: StoredFile = { path, file_name: name, extension, content_type: type, size, acl, versions: {} }
    await this.#store({ key, receipt: null }, file, [{ path, from: sourcePath, type }])
    return file
  }

  async #store(key: UploadKey, file: StoredFile, contents: readonly FileContent[]): Promise<void> {
    await this.#record(key, file)
    try {
      for (const { path, from, type } of contents) await this.store.put(path, from, type)
    } catch (error) {
      // The original error is reported. If the removal fails too, the nightly cleanup removes the file.
      await this.drop([file]).catch(() => undefined)
      throw error
    }
  }

  // Inserts the file's row before the file is stored, so that the cleanup finds the file after a crash in between.
  async #record({ key, receipt }: UploadKey, { path, versions, content_type, size }: StoredFile): Promise<void> {
    const { sql, primary } = this.#options
    const insert = (): Promise<{ readonly count: number }> =>
      sql`
        insert into ingot.files (key, path, versions, content_type, size, receipt)
        values (${key}, ${path}, ${JSON.stringify(versions)}::text::jsonb, ${content_type}, ${size},
          ${receipt === null ? null : JSON.stringify(receipt)}::text::jsonb)
        on conflict (key) do nothing`.then(({ count }) => ({ count }))
    const { count } = await retryUnsent(insert, primary)
    if (count === 0) throw new FileRefused('file_sent_already', 'was sent already', { status: 409 })
  }
}

function checkSize(size: number, least: number, limit: number): void {
  if (size > limit) throw tooLarge(limit)
  if (size === 0) throw new FileRefused('file_empty', 'is empty')
  if (size < least)
    throw new FileRefused('file_too_small', `is too small (minimum is ${formatSize(least)})`, {
      count: formatSize(least),
    })
}

/**
 * Returns the extension to store a file under.
 * @throws FileRefused when the name's extension contradicts the content
 */
function extensionFor(kind: FileType, nameExtension: string): string {
  const defaultExtension = kind.extensions[0] ?? ''
  if (nameExtension === '' || RASTER.has(kind.type))
    return kind.extensions.includes(nameExtension) ? nameExtension : defaultExtension
  if (kind.extensions.includes(nameExtension) || !isKnownExtension(nameExtension)) return nameExtension
  throw new FileRefused('file_name', 'has a file extension that does not match its content')
}

/** Returns the image without the camera's metadata, or the original file when there is none. */
async function removeMetadata(
  path: string,
  size: number,
  kind: FileType,
  scratch: TemporaryFiles,
): Promise<CheckedFile> {
  if (!RASTER.has(kind.type)) return { path, size }
  const { hasMetadata, frames } = await readImage(path)
  if (!hasMetadata || frames > 1) return { path, size }
  const clean = scratch.path()
  await cleanImage(path, clean, kind.type)
  return { path: clean, size: (await stat(clean)).size }
}

/** A version of an image to store. */
interface ImageVersionFile extends FileContent {
  readonly name: string
}

async function createVersions(
  sourcePath: string,
  path: string,
  kind: FileType,
  { versions }: StorageOptions,
  scratch: TemporaryFiles,
): Promise<readonly ImageVersionFile[]> {
  if (!RASTER.has(kind.type)) return []
  const created: ImageVersionFile[] = []
  for (const [name, version] of Object.entries(versions)) {
    const targetPath = scratch.path()
    await makeVersion(sourcePath, targetPath, kind.type, version)
    const format = versionFormat(kind.type, version)
    created.push({ name, path: versionPath(path, name, EXTENSIONS[format]), from: targetPath, type: `image/${format}` })
  }
  return created
}
