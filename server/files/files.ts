/**
 * Stores files: receives the bytes, determines the type, checks and cleans them, creates image versions, and stores the
 * result.
 */
import { mkdir, stat } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { mediaType } from '../http/media-types.ts'
import type { OriginOverrides } from '../net/outgoing.ts'
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
} from './model.ts'
import { encodedPath, newKey, pathFor, safeName } from './names.ts'
import { readUploadPath, versionPath } from '../../runtime/data/values/upload-path.ts'
import { type OwnFiles, takeOwn } from './own.ts'
import { presign } from './presign.ts'
import { size as inWords, tooLarge } from './remote.ts'
import type { Signer } from './signature.ts'
import { admits, isKnownExtension, type FileType, RASTER, sniff } from './sniff.ts'
import { readHead, type TemporaryFiles, scratchIn, take, type TakenFile, type TakeOptions } from './take.ts'

export interface FilesOptions {
  readonly store: FileStore
  readonly sql: Sql
  readonly signer: Signer
  /** See `OwnFiles`; by default there are no assets. */
  readonly asset?: OwnFiles['asset']
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
  keepAs(key: string, source: FileSource, options: KeepOptions): Promise<StoredFile>
  /** Stores a private copy of a local file that the server itself has written, whatever its size. */
  keepMade(from: string, fileName: string): Promise<StoredFile>
}

/** Default lifetime in seconds of a private file's URL. */
const SHOWN = 900

interface CheckedFile {
  readonly path: string
  readonly size: number
}

export function createFiles(options: FilesOptions): FileService {
  const { store, sql, signer, incoming, limit, asset = async () => null } = options

  async function keepAs(key: string, source: FileSource, wanted: KeepOptions): Promise<StoredFile> {
    const scratch = scratchIn(incoming)
    const most = Math.min(wanted.limit, limit)
    try {
      // Jobs and migrations have received no upload, so the folder may not exist yet.
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const { reachable, standIns = {} } = options
      const given = { limit: most, standIns, ...(reachable !== undefined && { reachable }) }
      const taken = await takeAny(source, scratch, given)
      const { head, size } = await readHead(taken.path)
      checkSize(size, wanted.least ?? 1, most)
      const own = safeName(taken.name).extension
      const kind = sniff(head, own)
      const { name, extension } = safeName(taken.name, extensionFor(kind, own))
      if (!admits(wanted.types, kind.type))
        throw new FileRefused('file_type', `is not of a type that is allowed (${kind.type})`, { count: kind.type })
      if (wanted.encryptFor !== undefined) {
        const closed = scratch.path()
        await encryptFile(taken.path, closed, wanted.encryptFor)
        return await keepMade(key, closed, encryptedName(name, wanted.encryptFor), wanted.acl)
      }
      const ready = await cleaned(taken.path, size, kind, scratch)
      const path = pathFor(key, name, wanted.acl, new Date())
      const made = await versionsOf(ready.path, path, kind, wanted, scratch)
      const file: StoredFile = {
        path,
        file_name: name,
        extension,
        content_type: kind.type,
        size: ready.size,
        acl: wanted.acl,
        versions: Object.fromEntries(made.map((version) => [version.name, version.path])),
      }
      await note(key, file)
      try {
        await store.put(path, ready.path, kind.type)
        for (const version of made) await store.put(version.path, version.from, version.type)
      } catch (error) {
        // The original error is the one to report. If dropping fails too, the nightly sweep removes the file.
        await drop([file]).catch(() => undefined)
        throw error
      }
      return file
    } finally {
      await scratch.dispose()
    }
  }

  /**
   * Files and assets of this server are copied from the disk or fetched from its own store, which may be in a private
   * network.
   */
  async function takeAny(source: FileSource, scratch: TemporaryFiles, given: TakeOptions): Promise<TakenFile> {
    if (source.kind !== 'url') return take(source, scratch, given)
    const path = scratch.path()
    const own = await takeOwn({ store, signer, asset }, source.url, path)
    if (own === null) return take(source, scratch, given)
    const fileName = source.fileName ?? own.name
    if (own.kind === 'copied') return { path, name: fileName }
    return take({ kind: 'url', url: own.url, fileName }, scratch, { ...given, reachable: () => true })
  }

  /** Stores a file that the server itself has written, whatever its size. */
  async function keepMade(key: string, from: string, fileName: string, acl: Acl): Promise<StoredFile> {
    const { name, extension } = safeName(fileName)
    const path = pathFor(key, name, acl, new Date())
    const { size } = await stat(from)
    const type = mediaType(name)
    const file: StoredFile = { path, file_name: name, extension, content_type: type, size, acl, versions: {} }
    await note(key, file)
    try {
      await store.put(path, from, type)
    } catch (error) {
      // The original error is the one to report. If dropping fails too, the nightly sweep removes the file.
      await drop([file]).catch(() => undefined)
      throw error
    }
    return file
  }

  // The row is written before the file is stored, so that the sweep finds the file after a crash in between.
  async function note(key: string, file: StoredFile): Promise<void> {
    const { path, versions, content_type, size } = file
    const { count } = await sql`
      insert into ingot.files (key, path, versions, content_type, size)
      values (${key}, ${path}, ${JSON.stringify(versions)}::text::jsonb, ${content_type}, ${size})
      on conflict (key) do nothing`
    if (count === 0) throw new FileRefused('file_sent_already', 'was sent already', { status: 409 })
  }

  async function drop(files: readonly StoredFile[]): Promise<void> {
    for (const { path, versions } of files) {
      const key = readUploadPath(path)?.key
      if (key === undefined) continue
      await Promise.all([path, ...Object.values(versions)].map((each) => store.remove(each)))
      await sql`delete from ingot.files where key = ${key}`
    }
  }

  function urlOf(path: string, expiresIn: number | null): string {
    const named = readUploadPath(path)
    if (named === null) return path
    if (named.acl === 'public') return store.direct(path) ?? `/${encodedPath(path)}`
    const expires = String(Math.floor(Date.now() / 1000) + (expiresIn ?? SHOWN))
    return `/${encodedPath(path)}?expires=${expires}&signature=${signer.sign('see', `${path}\n${expires}`)}`
  }

  return {
    store,
    signer,
    incoming,
    limit,
    keep: (source, wanted) => keepAs(newKey(), source, wanted),
    keepAs,
    keepMade: (from, fileName) => keepMade(newKey(), from, fileName, 'private'),
    urlOf,
    url({ path, versions }, expiresIn, version) {
      const made = version !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined
      return urlOf(made ?? path, expiresIn)
    },
    drop,
    presign: (terms) => presign(signer, terms),
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

interface GeneratedFile {
  readonly name: string
  readonly path: string
  readonly from: string
  readonly type: string
}

async function versionsOf(
  from: string,
  path: string,
  kind: FileType,
  { versions }: KeepOptions,
  scratch: TemporaryFiles,
): Promise<readonly GeneratedFile[]> {
  if (!RASTER.has(kind.type)) return []
  const made: GeneratedFile[] = []
  for (const [name, version] of Object.entries(versions)) {
    const to = scratch.path()
    await makeVersion(from, to, kind.type, version)
    const format = versionFormat(kind.type, version)
    made.push({ name, path: versionPath(path, name, EXTENSIONS[format]), from: to, type: `image/${format}` })
  }
  return made
}
