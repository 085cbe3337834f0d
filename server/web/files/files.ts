/**
 * Stores files: receives the bytes, determines the type, checks and cleans them, creates image versions, and stores the
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
  type KeepOptions,
  type StoredFile,
  type UploadedFile,
  type UploadReceipt,
  type UploadTerms,
} from './model.ts'
import { encodedPath, extensionOf, newKey, pathFor, safeName } from './names.ts'
import { readUploadPath, versionPath } from '../../../runtime/data/values/upload-path.ts'
import { type OwnFiles, takeOwn } from './own.ts'
import { presign, readReceipt } from './presign.ts'
import { size as inWords, tooLarge } from './remote.ts'
import type { Signer } from './signature.ts'
import { accepts, isKnownExtension, type FileType, RASTER, sniff } from './sniff.ts'
import { readHead, type TemporaryFiles, temporaryFilesIn, take, type TakenFile, type TakeOptions } from './take.ts'

export interface FilesOptions {
  readonly store: FileStore
  readonly sql: Sql
  /** The watch of the database; absent where nobody watches it. */
  readonly primary?: Primary
  readonly signer: Signer
  /** See `OwnFiles`; by default there are no assets. */
  readonly asset?: OwnFiles['asset']
  /** See `OwnFiles`. */
  readonly assetsUrl?: OwnFiles['assetsUrl']
  /** The listener's folder of incoming files. */
  readonly incoming: string
  /** Largest file in bytes. */
  readonly limit: number
  /** Whether a URL's address may be fetched from; by default only public addresses. */
  readonly reachable?: (address: string) => boolean
  /** Servers that replace others, by origin. */
  readonly standIns?: OriginOverrides
}

/** What the endpoints of files need beyond `Files`. */
export interface FileService extends Files {
  readonly store: FileStore
  readonly signer: Signer
  /** The listener's folder of incoming files. */
  readonly incoming: string
  /**
   * Stores a file under a key that was issued for it.
   * @throws FileRefused when the key has been used
   */
  keepAs(key: string, source: FileSource, options: KeepOptions, receipt?: UploadReceipt): Promise<StoredFile>
  /** Stores a private copy of a local file that the server itself has written, whatever its size. */
  keepMade(from: string, fileName: string): Promise<StoredFile>
}

/** Hours for which an uploaded file waits for its property. */
const RECEIPT_HOURS = 24

interface UploadRow {
  readonly versions: Readonly<Record<string, string>>
  readonly content_type: string
  readonly size: number
  readonly receipt: unknown
}

/** Default lifetime in seconds of a private file's URL. */
const DEFAULT_LIFETIME = 900

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

/** What is stored at a path: a local file with its media type. */
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

  keep(source: FileSource, options: KeepOptions): Promise<StoredFile> {
    return this.keepAs(newKey(), source, options)
  }

  async keepAs(
    key: string,
    source: FileSource,
    options: KeepOptions,
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

  keepMade(from: string, fileName: string): Promise<StoredFile> {
    return this.#storeOne(newKey(), from, fileName, 'private')
  }

  async uploaded(path: string): Promise<UploadedFile | null> {
    const named = readUploadPath(path)
    if (named === null) return null
    const [row] = await this.#options.sql<UploadRow[]>`
      select versions, content_type, size::float8 as size, receipt from ingot.files
      where key = ${named.key} and path = ${path} and receipt is not null
        and created_at > now() - ${RECEIPT_HOURS} * interval '1 hour' and unnamed_at is distinct from '-infinity'`
    const receipt = readReceipt(row?.receipt)
    if (row === undefined || receipt === null) return null
    const { name, acl } = named
    const { versions, content_type, size } = row
    return { file: { path, file_name: name, extension: extensionOf(name), content_type, size, acl, versions }, receipt }
  }

  async drop(files: readonly StoredFile[]): Promise<void> {
    for (const { path, versions } of files) {
      const key = readUploadPath(path)?.key
      if (key === undefined) continue
      await Promise.all([path, ...Object.values(versions)].map((each) => this.store.remove(each)))
      await this.#options.sql`delete from ingot.files where key = ${key}`
    }
  }

  urlOf(path: string, expiresIn: number | null): string {
    const upload = readUploadPath(path)
    if (upload === null) return path
    if (upload.acl === 'public') return this.store.direct(path) ?? `/${encodedPath(path)}`
    const expires = String(Math.floor(Date.now() / 1000) + (expiresIn ?? DEFAULT_LIFETIME))
    const signature = this.signer.sign('see', `${path}\n${expires}`)
    return `/${encodedPath(path)}?expires=${expires}&signature=${signature}`
  }

  url(...[{ path, versions }, expiresIn, version]: Parameters<Files['url']>): string {
    const versionPath = version !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined
    return this.urlOf(versionPath ?? path, expiresIn)
  }

  presign(terms: UploadTerms): ReturnType<Files['presign']> {
    return presign(this.signer, terms)
  }

  /** Copies the source to a temporary file and checks its size, name and type. */
  async #receive(source: FileSource, scratch: TemporaryFiles, options: KeepOptions): Promise<ReceivedFile> {
    const limit = Math.min(options.limit, this.limit)
    const { reachable, standIns = {} } = this.#options
    const taken = await this.#take(source, scratch, { limit, standIns, ...(reachable !== undefined && { reachable }) })
    const { head, size } = await readHead(taken.path)
    checkSize(size, options.least ?? 1, limit)
    const claimed = safeName(taken.name).extension
    const kind = sniff(head, claimed)
    const { name, extension } = safeName(taken.name, extensionFor(kind, claimed))
    if (!accepts(options.types, kind.type))
      throw new FileRefused('file_type', `is not of a type that is allowed (${kind.type})`, { count: kind.type })
    return { path: taken.path, size, name, extension, kind }
  }

  /** Files and assets of this server are copied from the disk or fetched from its own store, which may be in a private network. */
  async #take(source: FileSource, scratch: TemporaryFiles, options: TakeOptions): Promise<TakenFile> {
    if (source.kind !== 'url') return take(source, scratch, options)
    const path = scratch.path()
    const { asset = async () => null, assetsUrl = null } = this.#options
    const own = await takeOwn({ store: this.store, signer: this.signer, asset, assetsUrl }, source.url, path)
    if (own === null) return take(source, scratch, options)
    const fileName = source.fileName ?? own.name
    if (own.kind === 'copied') return { path, name: fileName }
    return take({ kind: 'url', url: own.url, fileName }, scratch, { ...options, reachable: () => true })
  }

  async #storeWithVersions(
    { key, receipt }: UploadKey,
    received: ReceivedFile,
    options: KeepOptions,
    scratch: TemporaryFiles,
  ): Promise<StoredFile> {
    const { name, extension, kind } = received
    const { acl } = options
    const original = await cleaned(received.path, received.size, kind, scratch)
    const path = pathFor(key, name, acl, new Date())
    const versions = await versionsOf(original.path, path, kind, options, scratch)
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

  /** Stores a file that the server itself has written, whatever its size. */
  async #storeOne(key: string, from: string, fileName: string, acl: Acl): Promise<StoredFile> {
    const { name, extension } = safeName(fileName)
    const path = pathFor(key, name, acl, new Date())
    const { size } = await stat(from)
    const type = mediaType(name)
    const file: StoredFile = { path, file_name: name, extension, content_type: type, size, acl, versions: {} }
    await this.#store({ key, receipt: null }, file, [{ path, from, type }])
    return file
  }

  async #store(key: UploadKey, file: StoredFile, contents: readonly FileContent[]): Promise<void> {
    await this.#record(key, file)
    try {
      for (const { path, from, type } of contents) await this.store.put(path, from, type)
    } catch (error) {
      // The original error is the one to report. If dropping fails too, the nightly sweep removes the file.
      await this.drop([file]).catch(() => undefined)
      throw error
    }
  }

  // The row is written before the file is stored, so that the sweep finds the file after a crash in between.
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

function checkSize(size: number, least: number, most: number): void {
  if (size > most) throw tooLarge(most)
  if (size === 0) throw new FileRefused('file_empty', 'is empty')
  if (size < least)
    throw new FileRefused('file_too_small', `is too small (minimum is ${inWords(least)})`, { count: inWords(least) })
}

/**
 * The extension to store a file under.
 * @throws FileRefused when the name's extension contradicts the content
 */
function extensionFor(kind: FileType, own: string): string {
  const usual = kind.extensions[0] ?? ''
  if (own === '' || RASTER.has(kind.type)) return kind.extensions.includes(own) ? own : usual
  if (kind.extensions.includes(own) || !isKnownExtension(own)) return own
  throw new FileRefused('file_name', 'is not what its name says')
}

/** The image without the camera's metadata. */
async function cleaned(path: string, size: number, kind: FileType, scratch: TemporaryFiles): Promise<CheckedFile> {
  if (!RASTER.has(kind.type)) return { path, size }
  const { marked, frames } = await readImage(path)
  if (!marked || frames > 1) return { path, size }
  const clean = scratch.path()
  await cleanImage(path, clean, kind.type)
  return { path: clean, size: (await stat(clean)).size }
}

interface ImageVersionFile extends FileContent {
  readonly name: string
}

async function versionsOf(
  from: string,
  path: string,
  kind: FileType,
  { versions }: KeepOptions,
  scratch: TemporaryFiles,
): Promise<readonly ImageVersionFile[]> {
  if (!RASTER.has(kind.type)) return []
  const made: ImageVersionFile[] = []
  for (const [name, version] of Object.entries(versions)) {
    const to = scratch.path()
    await makeVersion(from, to, kind.type, version)
    const format = versionFormat(kind.type, version)
    made.push({ name, path: versionPath(path, name, EXTENSIONS[format]), from: to, type: `image/${format}` })
  }
  return made
}
