/** Bodies of requests that nobody reads: they are discarded as they come, and neither stored nor held in memory. */
import type { IncomingMessage } from 'node:http'

/** Whether the client waits with its body until it is asked to send it. */
export function waitsToSend({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined
}

/**
 * Reads a body and forgets it, so that the client gets to read the answer: bytes that nobody has read would reset the
 * connection when it is closed.
 * @param most bytes after which the client is disconnected
 * @returns resolves when the body has ended, or the client has left
 */
export function discard(message: IncomingMessage, most: number): Promise<void> {
  let bytes = 0
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > most) message.socket.destroy()
  })
  // What was broken off has no answer, and its 'close' follows.
  message.on('error', () => undefined)
  return new Promise((done) => {
    message.once('end', done)
    message.once('close', done)
  })
}
