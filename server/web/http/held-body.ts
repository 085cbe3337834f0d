/** Reads bodies into memory, within a limit that all clients share. */
import type { IncomingMessage } from 'node:http'
import { discard } from './body.ts'
import { BadRequest } from './message.ts'
import type { SharedCapacity } from './shared-capacity.ts'

interface HeldBody {
  readonly body: Uint8Array
  /** Releases its memory. */
  dispose(): Promise<void>
}

interface HeldBodyLimits {
  /** Largest body in bytes. */
  readonly limit: number
  /** Bytes of a refused body that are read and discarded at most. */
  readonly discarded: number
  readonly room: SharedCapacity
  /** IP address of the client. */
  readonly from: string
}

/** Bytes of a body that is not counted: the number of connections bounds small bodies. */
export const SMALL_BODY = 16_384

/**
 * Reads a body.
 * @throws BadRequest 413 over the limit, 400 when interrupted, 503 when other bodies leave no memory
 */
export async function holdBody(message: IncomingMessage, limits: HeldBodyLimits): Promise<HeldBody> {
  const { limit, discarded, room, from } = limits
  const chunks: Buffer[] = []
  let size = 0
  let stop: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_done, reject) => {
    stop = reject
  })
  const hold = room.open(from, () => stop(crowdedError()))
  const read = (chunk: Buffer): void => {
    const held = size
    size += chunk.length
    if (size > limit) stop(tooLargeError(limit))
    else if (size > SMALL_BODY && !hold.take(held <= SMALL_BODY ? size : chunk.length)) stop(crowdedError())
    else chunks.push(chunk)
  }
  try {
    if (Number(message.headers['content-length'] ?? 0) > limit) throw tooLargeError(limit)
    const ended = new Promise<void>((done) => message.once('end', done))
    message.on('data', read)
    message.once('error', () => stop(incompleteError()))
    message.once('close', () => (message.complete ? undefined : stop(incompleteError())))
    await Promise.race([ended, refused])
  } catch (error) {
    message.off('data', read)
    chunks.length = 0
    hold.leave()
    void discard(message, discarded)
    throw error
  }
  hold.settle()
  return { body: Buffer.concat(chunks, size), dispose: async () => hold.leave() }
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
