/** Stores large bodies of any type as files, for APIs that accept them. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { BadRequest, sentFile } from './message.ts'
import { crowdedError, diskFullError, type ReserveSpace, type ReceivedBody } from './multipart.ts'

/** Name of the part that contains a whole body. Fields of forms cannot have an empty name. */
export const WHOLE_BODY_FIELD = ''

/** Paths whose bodies are stored as files. */
export interface StoredBodies {
  /** Path prefixes that end in a slash. */
  readonly pathPrefixes: readonly string[]
  /** Maximum size in bytes of a body, and of a file in a form. */
  readonly limit: number
}

interface StoreLimits {
  /** Folder for the file; created when it is missing. */
  readonly folder: string
  /** Bytes. */
  readonly limit: number
  readonly reserve: ReserveSpace
}

/**
 * Stores a body in a file. The result is one part without a name.
 * @throws BadRequest 413 over the limit, 400 when interrupted, 503 when the disk is full, with its cause
 */
export async function receiveWhole(message: IncomingMessage, limits: StoreLimits): Promise<ReceivedBody> {
  const { folder, limit, reserve } = limits
  if (Number(message.headers['content-length'] ?? 0) > limit) {
    message.resume()
    throw tooLargeError(limit)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomBytes(16).toString('hex'))
  let size = 0
  let rejectBody: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_done, reject) => {
    rejectBody = reject
  })
  const reservation = reserve(() => rejectBody(crowdedError()))
  const dispose = async (): Promise<void> => {
    reservation.release()
    // `removeLeftovers` later removes files that cannot be removed now.
    await rm(path, { force: true }).catch(() => undefined)
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  const written = new Promise<void>((resolve, reject) => file.once('finish', resolve).once('error', reject))
  const count = (chunk: Buffer): void => {
    size += chunk.length
    if (size > limit) rejectBody(tooLargeError(limit))
    else if (!reservation.grow(chunk.length)) rejectBody(crowdedError())
  }
  message.on('data', count)
  message.once('close', () => {
    if (!message.complete) rejectBody(new BadRequest('the body is incomplete'))
  })
  try {
    message.pipe(file)
    await Promise.race([written, refused])
  } catch (error) {
    message.off('data', count)
    message.unpipe(file)
    // The rest is read and discarded, so that the client can read the answer.
    message.resume()
    file.destroy()
    // If the file is still being opened, it would be created after its removal.
    await closed
    await dispose()
    throw diskFullError(error) ?? error
  }
  reservation.makePermanent()
  const contentType = message.headers['content-type'] ?? 'application/octet-stream'
  return { parts: [{ name: WHOLE_BODY_FIELD, value: sentFile({ fileName: '', contentType, size, path }) }], dispose }
}

function tooLargeError(limit: number): BadRequest {
  return new BadRequest(`the body is larger than ${limit} bytes`, 413)
}
