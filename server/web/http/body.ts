/** Discards request bodies that are not needed, without storing them. */
import type { IncomingMessage } from 'node:http'

/** Returns whether the client waits for `100 Continue` before it sends its body. */
export function waitsToSend({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined
}

/**
 * Reads and discards a body, so that the client can read the answer. Closing a connection with unread bytes would reset
 * it.
 * @param maxBytes number of bytes after which the client is disconnected
 * @returns a promise that resolves when the body has ended, or the client has left
 */
export function discard(message: IncomingMessage, maxBytes: number): Promise<void> {
  let bytes = 0
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) message.socket.destroy()
  })
  // An interrupted request gets no answer. The event `close` follows.
  message.on('error', () => undefined)
  return new Promise((resolve) => {
    message.once('end', resolve)
    message.once('close', resolve)
  })
}
