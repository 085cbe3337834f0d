/**
 * Reads simple bodies without the framework. A simple body is small and has a known length and a common type. The
 * framework handles all other bodies and all errors.
 */
import type { IncomingMessage } from 'node:http'
import { waitsToSend } from './body.ts'

/** JSON and simple forms. The framework handles types with other parameters. */
const PLAIN_TYPE = /^application\/(?:json|[\w.-]{1,64}\+json|x-www-form-urlencoded)(?:;\s?charset=utf-8)?$/i
const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Returns whether a request has a simple body.
 * @param limit maximum size of a body in bytes
 */
export function hasPlainBody(message: IncomingMessage, limit: number): boolean {
  const { method = '', url = '', headers } = message
  if (!METHODS.has(method) || headers['transfer-encoding'] !== undefined || waitsToSend(message)) return false
  // The framework checks whether escapes in a URL are valid.
  if (!url.startsWith('/') || url.includes('%')) return false
  const length = Number(headers['content-length'])
  return length > 0 && length <= limit && PLAIN_TYPE.test(headers['content-type'] ?? '')
}

/**
 * Reads a body of a known length. Node guarantees the length.
 * @param callback called once with the body, or with null when the client has disconnected before the end
 */
export function readPlainBody(message: IncomingMessage, callback: (body: Uint8Array | null) => void): void {
  let firstChunk: Buffer | null = null
  let chunks: Buffer[] | null = null
  let isOver = false
  const finish = (body: Uint8Array | null): void => {
    if (isOver) return
    isOver = true
    callback(body)
  }
  message.on('data', (chunk: Buffer) => {
    if (firstChunk === null) firstChunk = chunk
    else if (chunks === null) chunks = [firstChunk, chunk]
    else chunks.push(chunk)
  })
  message.once('end', () => finish(chunks === null ? firstChunk : Buffer.concat(chunks)))
  message.once('error', () => finish(null))
}
