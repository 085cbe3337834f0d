/** Reads bodies into memory, within a limit that all clients share. */
import type { IncomingMessage } from 'node:http'
import { discard } from './body.ts'
import { BadRequest } from './message.ts'
import type { SharedCapacity } from './shared-capacity.ts'

interface HeldBody {
  readonly body: Uint8Array
  /** Releases the memory of the body. */
  dispose(): Promise<void>
}

interface HeldBodyLimits {
  /** Maximum size of a body in bytes. */
  readonly limit: number
  /** Maximum number of bytes of a refused body that are read and discarded. */
  readonly discarded: number
  readonly capacity: SharedCapacity
  /** IP address of the client. */
  readonly address: string
}

/**
 * Maximum size in bytes of a small body. Small bodies are not counted, because the number of connections already limits
 * them.
 */
export const SMALL_BODY = 16_384

/**
 * Reads a body.
 * @throws BadRequest 413 over the limit, 400 when interrupted, 503 when other bodies leave no memory
 */
export async function holdBody(message: IncomingMessage, limits: HeldBodyLimits): Promise<HeldBody> {
  const { limit, discarded, capacity, address } = limits
  const chunks: Buffer[] = []
  let size = 0
  let rejectBody: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_done, reject) => {
    rejectBody = reject
  })
  const reservation = capacity.reserve(address, () => rejectBody(crowdedError()))
  const readChunk = (chunk: Buffer): void => {
    const bytesBefore = size
    size += chunk.length
    if (size > limit) rejectBody(tooLargeError(limit))
    else if (size > SMALL_BODY && !reservation.grow(bytesBefore <= SMALL_BODY ? size : chunk.length))
      rejectBody(crowdedError())
    else chunks.push(chunk)
  }
  try {
    if (Number(message.headers['content-length'] ?? 0) > limit) throw tooLargeError(limit)
    const ended = new Promise<void>((resolve) => message.once('end', resolve))
    message.on('data', readChunk)
    message.once('error', () => rejectBody(incompleteError()))
    message.once('close', () => (message.complete ? undefined : rejectBody(incompleteError())))
    await Promise.race([ended, refused])
  } catch (error) {
    message.off('data', readChunk)
    chunks.length = 0
    reservation.release()
    void discard(message, discarded)
    throw error
  }
  reservation.makePermanent()
  return { body: Buffer.concat(chunks, size), dispose: async () => reservation.release() }
}

function tooLargeError(limit: number): BadRequest {
  return new BadRequest(`the body is larger than ${limit} bytes`, 413)
}

function crowdedError(): BadRequest {
  return new BadRequest('too many bodies are being sent at once: try again later', 503)
}

function incompleteError(): BadRequest {
  return new BadRequest('the body is incomplete')
}
