/**
 * Responses whose bytes are all at hand: head and body go to their socket in one write. Node's own way takes them through a
 * table of headers, a queue and two corked writes, which is a third of the time of a small page.
 */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What Node's class keeps of a response, and reads when it is asked whether anything was sent. */
interface ResponseState {
  _header: string | null
  _headerSent: boolean
  finished: boolean
}

/** A head with its empty line, and the body behind it. */
export interface WholeAnswer {
  readonly status: number
  /** Of characters below 256. */
  readonly head: string
  /** Null for none. */
  readonly body: string | Uint8Array | null
  /** Bytes of the body. */
  readonly length: number
}

export class WholeResponse<Message extends IncomingMessage = IncomingMessage> extends ServerResponse<Message> {
  /** Whether a whole answer may be written: nothing was sent yet, no earlier answer is open, and the connection stays. */
  get takesWhole(): boolean {
    const { socket } = this
    return socket?.writable === true && this.shouldKeepAlive && !this.headersSent && !this.writableEnded
  }

  /** Sends an answer where `takesWhole` is true. */
  sendWhole(answer: WholeAnswer, buffer: AnswerBuffer): void {
    const { socket } = this
    if (socket === null) return
    const state = this as unknown as ResponseState
    this.statusCode = answer.status
    state._header = answer.head
    state._headerSent = true
    state.finished = true
    // An error closes the socket, and that the response.
    buffer.write(socket, answer, (error) => (error ? undefined : this.emit('finish')))
  }
}

/** Bytes of an answer, with its head, that goes through the buffer. */
const SIZE = 64 * 1024

/**
 * The buffer in which answers are put together, one after the other: the system has taken the bytes when a write returns, unless
 * the client reads too slowly.
 */
export class AnswerBuffer {
  #bytes = Buffer.allocUnsafeSlow(SIZE)

  /** @param done told when the bytes have gone out, or of what has kept them */
  write(socket: Socket, { head, body, length }: WholeAnswer, done: (error?: Error | null) => void): void {
    const size = head.length + length
    if (size > SIZE) {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body ?? '', done)
      socket.uncork()
      return
    }
    const bytes = this.#bytes
    bytes.write(head, 0, 'latin1')
    if (typeof body !== 'string') {
      if (body !== null) bytes.set(body, head.length)
    } else if (body.length === length) bytes.write(body, head.length, 'latin1')
    else bytes.write(body, head.length)
    socket.write(bytes.subarray(0, size), done)
    if (socket.writableLength > 0) this.#bytes = Buffer.allocUnsafeSlow(SIZE)
  }
}
