/** Bodies that are stored as files, whatever they are: those of an API that takes large ones. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '../error-code.ts'
import { BadRequest, sentFile } from './message.ts'
import { type DiskQuota, noRoom, type ReceivedParts } from './multipart.ts'

/** Name of the part that a body is received as; no form can have it. */
export const WHOLE = ''

/** Where bodies are stored. */
export interface StoredBodies {
  /** Beginnings of paths, which end in a slash. */
  readonly below: readonly string[]
  /** Bytes of the largest body, and of the largest file of a form. */
  readonly limit: number
}

export interface StoreLimits {
  /** Folder for the file; created when it is missing. */
  readonly folder: string
  /** Bytes. */
  readonly limit: number
  readonly quota: DiskQuota
}

/**
 * Stores a body in a file, which is a part without a name.
 * @throws BadRequest 413 over the limit, 400 where it is broken off, 503 where the disk is full, with its cause
 */
export async function receiveWhole(message: IncomingMessage, limits: StoreLimits): Promise<ReceivedParts> {
  const { folder, limit, quota } = limits
  if (Number(message.headers['content-length'] ?? 0) > limit) {
    message.resume()
    throw tooLarge(limit)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${process.pid}-${randomBytes(16).toString('hex')}`)
  let size = 0
  let disposed = false
  const dispose = async (): Promise<void> => {
    if (!disposed) quota.left += size
    disposed = true
    // What cannot be removed now is removed by `sweepIncoming`.
    await rm(path, { force: true }).catch(() => undefined)
  }
  try {
    await pipeline(
      message,
      async function* measured(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length
          quota.left -= chunk.length
          if (size > limit) throw tooLarge(limit)
          if (quota.left < 0) throw new BadRequest('too many files are being sent at once: come again later', 503)
          yield chunk
        }
      },
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    )
  } catch (error) {
    message.resume()
    await dispose()
    throw asRefusal(error)
  }
  const contentType = message.headers['content-type'] ?? 'application/octet-stream'
  return { parts: [{ name: WHOLE, value: sentFile({ fileName: '', contentType, size, path }) }], dispose }
}

function asRefusal(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return new BadRequest('the body was broken off')
  return noRoom(error) ?? error
}

function tooLarge(limit: number): BadRequest {
  return new BadRequest(`the body is larger than ${limit} bytes`, 413)
}
