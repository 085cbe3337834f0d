/** Copies the bytes of a file source to a temporary local file. */
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import type { OriginOverrides } from '../../core/net/outgoing.ts'
import { FileRefused, type FileSource } from './model.ts'
import { newKey } from './names.ts'
import { downloadFile, tooLarge } from './download.ts'
import { HEAD } from './detect-type.ts'

/** A temporary copy of a file. */
export interface LocalFile {
  readonly path: string
  /** The name from the sender. */
  readonly name: string
}

/** Temporary files that are removed together. */
export interface TemporaryFiles {
  readonly folder: string
  /** A new path; no file exists there yet. */
  path(): string
  /** Removes the files. Never rejects. */
  dispose(): Promise<void>
}

/** Creates a group of temporary files in a folder. The folder is created if the process has not received files yet. */
export async function temporaryFilesIn(folder: string): Promise<TemporaryFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const paths: string[] = []
  return {
    folder,
    path() {
      const path = join(folder, newKey())
      paths.push(path)
      return path
    },
    async dispose() {
      // Files that cannot be removed now are removed later by `removeLeftovers`.
      await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => undefined)))
    },
  }
}

/** Options of receiving a file. */
export interface ReceiveOptions {
  /** Largest size in bytes. */
  readonly limit: number
  readonly reachable?: (address: string) => boolean
  readonly originOverrides?: OriginOverrides
}

/**
 * Copies the bytes of a source to a temporary file.
 * @throws FileRefused
 */
export async function receiveSource(
  source: FileSource,
  scratch: TemporaryFiles,
  options: ReceiveOptions,
): Promise<LocalFile> {
  switch (source.kind) {
    case 'sent':
      // Only files in the listener's folder are accepted. Any other path could read a private file of this machine.
      if (dirname(resolve(source.path)) !== resolve(scratch.folder))
        throw new FileRefused('file_missing', 'was not uploaded as a file')
      return { path: source.path, name: source.fileName }
    case 'base64': {
      const path = scratch.path()
      await writeFile(path, decodeBase64(source.text, options.limit), { flag: 'wx', mode: 0o600 })
      return { path, name: source.fileName ?? '' }
    }
    case 'url': {
      const path = scratch.path()
      const name = await downloadFile(source.url, { ...options, to: path })
      return { path, name: source.fileName ?? name }
    }
  }
}

/** Reads the first bytes of a file and its size. */
export async function readHead(path: string): Promise<{ readonly head: Uint8Array; readonly size: number }> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    // The request that sent the file has been answered, and its files were removed.
    throw errorCodeOf(error) === 'ENOENT' ? new FileRefused('file_missing', 'was not uploaded as a file') : error
  })
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return { head: buffer.subarray(0, bytesRead), size }
  } finally {
    await handle.close()
  }
}

function decodeBase64(text: string, limit: number): Buffer {
  const prefix = /^\s*data:[^,]{0,200}?;base64,/i.exec(text)
  const body = prefix === null ? text : text.slice(prefix[0].length)
  // Four characters encode three bytes. The rest is room for line breaks.
  if (body.length > limit * 1.5 + 1_024) throw tooLarge(limit)
  const compact = body.replace(/\s+/g, '')
  if (!/^[A-Za-z\d+/_-]*={0,2}$/.test(compact)) throw new FileRefused('file_base64', 'is not base64')
  return Buffer.from(compact, 'base64')
}
