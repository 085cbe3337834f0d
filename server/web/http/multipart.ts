/**
 * Reads multipart bodies: files are streamed to a folder, texts stay in memory, and both are limited. When a body is
 * refused, malformed or aborted, its files are removed.
 */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { errorCodeOf } from '../../core/error-code.ts'
import { BadRequest, type Part, sentFile } from './message.ts'
import { MAX_PAIRS } from './params.ts'
import type { Reservation } from './shared-capacity.ts'

interface PartLimits {
  /** Folder for the files; created when it is missing. */
  readonly folder: string
  /** Maximum size of a file in bytes. */
  readonly file: number
  /** Maximum size of all texts together in bytes. */
  readonly texts: number
  /** Maximum size of the whole body in bytes. */
  readonly total: number
  readonly reserve: ReserveSpace
}

/**
 * Opens a reservation of disk space for an upload. The space of all uploads in progress is limited, because anyone may
 * upload files to any path.
 * @param onRevoke ends the upload when other clients need its space
 */
export type ReserveSpace = (onRevoke: () => void) => Reservation

export interface ReceivedBody {
  readonly parts: readonly Part[]
  /** Removes the files. Never rejects. */
  dispose(): Promise<void>
}

/** Maximum number of files in one body. */
const MAX_FILES = 100
/** Maximum size of a part's headers, and of a part's name, in bytes. */
const MAX_HEADER = 8_192
const MAX_NAME = 1_024

/**
 * Reads a multipart body. When it is refused, the rest is read and discarded, so that the client can read the
 * answer.
 * @throws BadRequest 413 over a limit, 400 for a malformed or truncated body, 503 when the disk is full, with its cause
 */
export async function receiveParts(message: IncomingMessage, limits: PartLimits): Promise<ReceivedBody> {
  const announced = Number(message.headers['content-length'] ?? 0)
  if (announced > limits.total) {
    message.resume()
    throw tooLargeError(limits.total)
  }
  const parser = open(message, limits)
  await mkdir(limits.folder, { recursive: true, mode: 0o700 })
  const paths: string[] = []
  let onRevoke: () => void = () => undefined
  const reservation = limits.reserve(() => onRevoke())
  const setOnRevoke = (end: () => void): void => {
    onRevoke = end
  }
  const dispose = async (): Promise<void> => {
    reservation.release()
    // `removeLeftovers` later removes files that cannot be removed now.
    await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => undefined)))
  }
  try {
    const parts = await collectParts(message, parser, { ...limits, grow: reservation.grow, setOnRevoke }, paths)
    reservation.makePermanent()
    return { parts, dispose }
  } catch (error) {
    message.unpipe(parser)
    message.resume()
    await dispose()
    throw diskFullError(error) ?? error
  }
}

/** Creates the error for an upload that gets no space because of other uploads. */
export function crowdedError(): BadRequest {
  return new BadRequest('too many files are being sent at once: try again later', 503)
}

/** Returns the error for a full disk, or null for other errors. */
export function diskFullError(error: unknown): BadRequest | null {
  const code = errorCodeOf(error)
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null
  return new BadRequest(
    'the server has no space for files at the moment: try again later',
    503,
    error instanceof Error ? error : undefined,
  )
}

function open(message: IncomingMessage, limits: PartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...message.headers, 'content-type': message.headers['content-type'] ?? '' },
      limits: {
        fileSize: limits.file,
        fieldSize: limits.texts,
        fieldNameSize: MAX_NAME,
        headerSize: MAX_HEADER,
        headerPairs: 32,
        files: MAX_FILES,
        fields: MAX_PAIRS,
        parts: MAX_FILES + MAX_PAIRS,
      },
      // A text field that claims a binary type is still a text.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    })
  } catch {
    message.resume()
    throw malformedError('its Content-Type has no boundary')
  }
}

/**
 * Collects the parts of a body.
 * @param paths receives the paths of all files that were started
 */
async function collectParts(
  message: IncomingMessage,
  parser: BusboyInstance,
  limits: PartLimits & {
    readonly grow: (bytes: number) => boolean
    readonly setOnRevoke: (end: () => void) => void
  },
  paths: string[],
): Promise<readonly Part[]> {
  // Placeholders keep the order of the parts while files are still being written.
  const parts: (Part | null)[] = []
  const writing: Promise<void>[] = []
  let texts = 0
  let total = 0
  const abortController = new AbortController()
  let isRefused = false
  let rejectBody: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_done, reject) => {
    rejectBody = (error) => {
      isRefused = true
      reject(error)
    }
  })
  const read = new Promise<void>((resolve) => {
    parser.on('field', (name, value, nameCut, valueCut, _encoding, type) => {
      // Browsers send an empty text of this type for an empty file field.
      if (value === '' && type === 'application/octet-stream') return
      texts += Buffer.byteLength(value)
      if (valueCut || texts > limits.texts) return rejectBody(tooLargeError(limits.texts))
      if (!isPartName(name, nameCut)) return rejectBody(malformedError('a part has no name, or one that is too long'))
      parts.push({ name, value })
    })
    parser.on('file', (name, stream, fileName, _encoding, type) => {
      // An error after the listeners are gone must not end the process.
      stream.on('error', () => undefined)
      if (!isPartName(name, false)) return rejectBody(malformedError('a part has no name, or one that is too long'))
      const index = parts.push(null) - 1
      const path = join(limits.folder, randomBytes(16).toString('hex'))
      paths.push(path)
      const written = write(stream, path, limits.file, abortController.signal).then((size) => {
        const file = sentFile({ fileName: plainName(fileName), contentType: plainType(type), size, path })
        parts[index] = { name, value: file }
      })
      written.catch(rejectBody)
      writing.push(written)
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => rejectBody(new BadRequest('the form has too many parts', 413)))
    }
    parser.on('error', () => rejectBody(malformedError('it is incomplete, or not a form')))
    parser.on('finish', resolve)
    limits.setOnRevoke(() => rejectBody(crowdedError()))
    message.on('data', (chunk: Buffer) => {
      // The rest of a refused body is discarded.
      if (isRefused) return
      total += chunk.length
      if (total > limits.total) rejectBody(tooLargeError(limits.total))
      else if (!limits.grow(chunk.length)) rejectBody(crowdedError())
    })
    message.once('error', () => rejectBody(malformedError('it is incomplete')))
    message.once('close', () => {
      if (!message.complete) rejectBody(malformedError('it is incomplete'))
    })
    message.pipe(parser)
  })
  try {
    await Promise.race([read, refused])
    await Promise.race([Promise.all(writing), refused])
    return parts.filter((part) => part !== null)
  } catch (error) {
    parser.destroy()
    abortController.abort()
    // If a file is still being opened, it would be created after its removal.
    await Promise.allSettled(writing)
    throw error
  }
}

/**
 * Writes a file.
 * @returns its size in bytes
 */
async function write(
  stream: BusboyFileStream,
  path: string,
  limit: number,
  abortController: AbortSignal,
): Promise<number> {
  const cut = new AbortController()
  stream.once('limit', () => cut.abort())
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  try {
    await pipeline(stream, file, { signal: AbortSignal.any([cut.signal, abortController]) })
  } catch (error) {
    // If the file is still being opened, it would be created after its removal.
    await closed
    if (cut.signal.aborted) throw tooLargeError(limit)
    throw error
  }
  if (stream.truncated) throw tooLargeError(limit)
  return stream.bytesRead ?? 0
}

function isPartName(name: unknown, cut: boolean): name is string {
  return typeof name === 'string' && name !== '' && !cut && Buffer.byteLength(name) <= MAX_NAME
}

/** Returns the last segment of a path, without control and bidirectional characters. */
function plainName(name: string): string {
  const fileName = name.replace(/^.*[/\\]/s, '')
  return fileName.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(0, 512)
}

function plainType(type: string): string {
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? type.toLowerCase() : 'application/octet-stream'
}

function tooLargeError(limit: number): BadRequest {
  return new BadRequest(`the form is larger than ${limit} bytes`, 413)
}

function malformedError(reason: string): BadRequest {
  return new BadRequest(`the body is not a valid multipart form: ${reason}`)
}
