/** The bytes of a file, wherever they come from, as a file of this machine that may be read and is thrown away afterwards. */
import { open, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { OriginOverrides } from '../net/outgoing.ts'
import { FileRefused, type FileSource } from './model.ts'
import { newKey } from './names.ts'
import { fetchRemote, tooLarge } from './remote.ts'
import { HEAD } from './sniff.ts'

export interface TakenFile {
  readonly path: string
  /** As the sender calls it. */
  readonly name: string
}

/** Temporary files of one piece of work. */
export interface TemporaryFiles {
  readonly folder: string
  /** A path of a file that is not there yet. */
  path(): string
  /** Removes what was made. Never rejects. */
  dispose(): Promise<void>
}

export function scratchIn(folder: string): TemporaryFiles {
  const paths: string[] = []
  return {
    folder,
    path() {
      const path = join(folder, `${process.pid}-${newKey()}`)
      paths.push(path)
      return path
    },
    async dispose() {
      // What cannot be removed now is removed by `sweepIncoming`.
      await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => undefined)))
    },
  }
}

export interface TakeOptions {
  /** Bytes at the most. */
  readonly limit: number
  readonly reachable?: (address: string) => boolean
  readonly standIns?: OriginOverrides
}

/** @throws FileRefused */
export async function take(source: FileSource, scratch: TemporaryFiles, options: TakeOptions): Promise<TakenFile> {
  switch (source.kind) {
    case 'sent':
      // Whatever else is asked to be kept, no other file of this machine is.
      if (dirname(resolve(source.path)) !== resolve(scratch.folder))
        throw new FileRefused('file_missing', 'was not sent as a file')
      return { path: source.path, name: source.fileName }
    case 'base64': {
      const path = scratch.path()
      await writeFile(path, decoded(source.text, options.limit), { flag: 'wx', mode: 0o600 })
      return { path, name: source.fileName ?? '' }
    }
    case 'url': {
      const path = scratch.path()
      const name = await fetchRemote(source.url, { ...options, to: path })
      return { path, name: source.fileName ?? name }
    }
  }
}

/** First bytes of a file, and how many it has. */
export async function readHead(path: string): Promise<{ readonly head: Uint8Array; readonly size: number }> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    // The request that sent it is answered, and its files are gone with it.
    throw isMissing(error) ? new FileRefused('file_missing', 'was not sent as a file') : error
  })
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return { head: buffer.subarray(0, bytesRead), size }
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function decoded(text: string, limit: number): Buffer {
  const mark = /^\s*data:[^,]{0,200}?;base64,/i.exec(text)
  const body = mark === null ? text : text.slice(mark[0].length)
  // Four letters are three bytes; line breaks may stand between them.
  if (body.length > limit * 1.5 + 1_024) throw tooLarge(limit)
  const plain = body.replace(/\s+/g, '')
  if (!/^[A-Za-z\d+/_-]*={0,2}$/.test(plain)) throw new FileRefused('file_base64', 'is not base64')
  return Buffer.from(plain, 'base64')
}
