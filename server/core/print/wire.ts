/** Messages between the processes of a server and the process that prints: a record as JSON, followed by bytes. */
import type { Socket } from 'node:net'
import * as z from 'zod'
import { FAILURES, MAX_HTML, MAX_PDF, MAX_RESOURCE } from './model.ts'

const headers = z.record(z.string(), z.string())

/** Messages to the printing process. */
export const toPrinter = z.discriminatedUnion('type', [
  /** Prints the HTML in the body. `time`: milliseconds for waiting and printing. */
  z.object({ type: z.literal('print'), id: z.number(), url: z.string(), time: z.number() }),
  /** Answers `fetch`. `status`: 0 for a refused request. */
  z.object({ type: z.literal('answer'), id: z.number(), request: z.number(), status: z.number(), headers }),
])
export type ToPrinter = z.infer<typeof toPrinter>

/** Messages from the printing process. */
export const fromPrinter = z.discriminatedUnion('type', [
  /** Asks for a resource of a document. */
  z.object({ type: z.literal('fetch'), id: z.number(), request: z.number(), url: z.string(), accept: z.string() }),
  /** The body is the PDF. */
  z.object({ type: z.literal('printed'), id: z.number() }),
  z.object({ type: z.literal('failed'), id: z.number(), reason: z.enum(FAILURES), message: z.string() }),
])
export type FromPrinter = z.infer<typeof fromPrinter>

/** Bytes of the two lengths before each message. */
const LENGTHS = 8
const MAX_HEAD = 1_000_000
const MAX_BODY = Math.max(MAX_HTML, MAX_PDF, MAX_RESOURCE)

const NOTHING = new Uint8Array(0)

/** Sends a message. */
export function sendMessage(socket: Socket, message: ToPrinter | FromPrinter, body: Uint8Array = NOTHING): void {
  if (socket.destroyed) return
  const head = Buffer.from(JSON.stringify(message))
  const lengths = Buffer.alloc(LENGTHS)
  lengths.writeUInt32BE(head.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  socket.cork()
  socket.write(lengths)
  socket.write(head)
  if (body.length > 0) socket.write(body)
  socket.uncork()
}

/**
 * Receives messages. An invalid message closes the connection.
 * @param schema of the messages
 */
export function receiveMessages<T>(
  socket: Socket,
  schema: z.ZodType<T>,
  onMessage: (message: T, body: Buffer) => void,
): void {
  let chunks: Buffer[] = []
  let size = 0

  /** Takes bytes from the beginning of what has arrived. */
  const take = (count: number): Buffer => {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
    chunks = [all.subarray(count)]
    size -= count
    return all.subarray(0, count)
  }
  let lengths: { readonly head: number; readonly body: number } | null = null

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    try {
      for (;;) {
        if (lengths === null) {
          if (size < LENGTHS) return
          const bytes = take(LENGTHS)
          lengths = { head: bytes.readUInt32BE(0), body: bytes.readUInt32BE(4) }
          if (lengths.head > MAX_HEAD || lengths.body > MAX_BODY) throw new Error('a message is too large')
        }
        if (size < lengths.head + lengths.body) return
        const message = schema.parse(JSON.parse(take(lengths.head).toString()))
        const body = take(lengths.body)
        lengths = null
        onMessage(message, body)
      }
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
