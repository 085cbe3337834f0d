/**
 * Bodies that are read without the framework: of a known length that is allowed, and of a type that is kept as it comes. All others,
 * and all that is wrong with a body before it is read, are the framework's.
 */
import type { IncomingMessage } from 'node:http'
import { waitsToSend } from './body.ts'

/** JSON and simple forms as clients name them; whatever says more is looked at by the framework. */
const PLAIN_TYPE = /^application\/(?:json|[\w.-]{1,64}\+json|x-www-form-urlencoded)(?:;\s?charset=utf-8)?$/i
const METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** @param limit largest body in bytes */
export function hasPlainBody(message: IncomingMessage, limit: number): boolean {
  const { method = '', url = '', headers } = message
  if (!METHODS.has(method) || headers['transfer-encoding'] !== undefined || waitsToSend(message)) return false
  // An address with escapes may be malformed, which the framework finds out.
  if (!url.startsWith('/') || url.includes('%')) return false
  const length = Number(headers['content-length'])
  return length > 0 && length <= limit && PLAIN_TYPE.test(headers['content-type'] ?? '')
}

/**
 * Reads a body whose length Node has been told, and which therefore has that length when it ends.
 * @param done called once: with the body, or null when the client has left in the middle of it
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
