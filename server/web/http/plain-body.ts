/**
 * Reads simple bodies without the framework: small bodies of a known length and a common type. The framework handles all
 * other bodies and all errors.
 */
import type { IncomingMessage } from 'node:http'
import { waitsToSend } from './body.ts'

/** JSON and simple forms. The framework handles types with other parameters. */
const PLAIN_TYPE = /^application\/(?:json|[\w.-]{1,64}\+json|x-www-form-urlencoded)(?:;\s?charset=utf-8)?$/i
const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Returns whether a request has a simple body.
 * @param limit largest body in bytes
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
 * @param done called once with the body, or with null when the client has disconnected before the end
 */
export function readPlainBody(message: IncomingMessage, done: (body: Uint8Array | null) => void): void {
  let first: Buffer | null = null
  let more: Buffer[] | null = null
  let isOver = false
  const end = (body: Uint8Array | null): void => {
    if (isOver) return
    isOver = true
    done(body)
  }
  message.on('data', (chunk: Buffer) => {
    if (first === null) first = chunk
    else if (more === null) more = [first, chunk]
    else more.push(chunk)
  })
  message.once('end', () => end(more === null ? first : Buffer.concat(more)))
  message.once('error', () => end(null))
}
