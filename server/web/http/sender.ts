/** Sends answers: texts at once, files and events as streams. Reports each answer to the request log. */
import { open } from 'node:fs/promises'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { ConnectionClosing } from './closing.ts'
import { disconnectSlowReader } from './connections.ts'
import { finish } from './finish.ts'
import { hasFraming, formatHead, KEEP_ALIVE_HINT, formatHeaderLines } from './head.ts'
import { type FileBody, isEvents, isFile, isStream, type NewRequest, type Reply, type StreamBody } from './message.ts'
import { plainReply } from './plain-reply.ts'
import type { Receiver } from './receive.ts'
import { type RecordOptions, recordRequest } from './request-log.ts'
import { safeHeaders, sendEvents } from './sending.ts'
import { answerStored, withoutContent } from './stored-file.ts'
import { textAnswer } from './text-answer.ts'
import { WholeResponse } from './whole-response.ts'

/** A request that is being answered, with Node's objects for it. */
export interface Exchange {
  readonly request: NewRequest
  readonly message: IncomingMessage
  readonly response: ServerResponse
  /** Null when the framework does not handle the request. */
  framework: FastifyReply | null
  /** When answering began, as a value of `performance.now()`. */
  started: number
}

interface SenderOptions {
  readonly record: RecordOptions
  /** Twice the milliseconds within which the client must read part of the answer. */
  readonly patience: number
  readonly closing: ConnectionClosing
  readonly receiver: Receiver
  /** Passes a request to the framework, which calls back with the same exchange. */
  readonly giveToFramework: (exchange: Exchange) => void
}

export class Sender {
  readonly #options: SenderOptions
  readonly #streams = new Set<ServerResponse>()
  #endsStreams = false
  /** Finished replies that the framework sends, for requests that it has not handled before. */
  readonly #ready = new WeakMap<IncomingMessage, Reply>()
  /** Responses that stream a file; they are logged when they close. */
  readonly #files = new WeakSet<ServerResponse>()

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** Ends all event streams. Streams opened later end at once, because clients reconnect when a stream has ended. */
  endStreams(): void {
    this.#endsStreams = true
    for (const openStream of this.#streams) openStream.end()
  }

  /** Sends a reply: as one text when possible, or else after it is completed. */
  send(exchange: Exchange, reply: Reply): void {
    const { request, message, response } = exchange
    const { record, closing, receiver } = this.#options
    // Bodies of requests that the framework has not handled are small, and reserve no memory.
    if (exchange.framework !== null) receiver.dispose(message)
    else if (!closing.isDue && response instanceof WholeResponse && response.takesWhole) {
      const answer = textAnswer(request, reply, record.log)
      if (answer !== null) {
        const { status, lines, body, length } = answer
        const head = formatHead(status, `${lines}x-request-id: ${request.id}\r\n`, false)
        response.sendWhole({ status, head, body, length })
        this.#watchReader(response, length)
        recordRequest(record, request, status, reply, exchange.started)
        return
      }
    }
    this.sendFinished(exchange, finish(request, reply))
  }

  /** Sends a reply that is complete. */
  sendFinished(exchange: Exchange, reply: Reply): void {
    const { request, message, response, framework } = exchange
    const { status, headers, body } = reply
    if (body !== null && typeof body !== 'string' && isFile(body)) {
      if (body.etag !== undefined) void this.#sendStored(exchange, reply, body, body.etag)
      else if (framework !== null) this.#sendFile(exchange, reply, body, framework)
      else {
        this.#ready.set(message, reply)
        this.#options.giveToFramework(exchange)
      }
      return
    }
    // Bypasses the framework's reply: pages are ready texts, and its hooks and serializers cost a tenth of the
    // throughput.
    framework?.hijack()
    if (body !== null && typeof body !== 'string' && isEvents(body)) {
      // Not logged, because the stream stays open as long as the page.
      request.span?.end()
      sendEvents(response, status, this.#headersOf(reply, response), body.open, this.#streams)
      if (this.#endsStreams) response.end()
      return
    }
    if (body !== null && typeof body !== 'string' && isStream(body)) {
      void this.#sendStream(exchange, reply, body)
      return
    }
    const hasNoBody = request.method === 'HEAD' || status === 204 || status === 304
    this.#sendText(response, reply, hasNoBody ? null : body, Number(headers['content-length']))
    if (!this.#files.has(response))
      recordRequest(this.#options.record, request, response.statusCode, reply, exchange.started)
  }

  /** Sends the reply that `sendFinished` has given to the framework. Returns false without such a reply. */
  resume(exchange: Exchange): boolean {
    const reply = this.#ready.get(exchange.message)
    if (reply === undefined) return false
    this.#ready.delete(exchange.message)
    this.sendFinished(exchange, reply)
    return true
  }

  /** Sends the answer to a health probe. Probes come every few seconds, so they are not logged and have no ETag. */
  sendProbe({ request, response, framework }: Exchange, { status, headers, body }: Reply): void {
    framework?.hijack()
    const text = typeof body === 'string' ? body : ''
    const allHeaders = { ...headers, 'content-length': String(Buffer.byteLength(text)) }
    const isClosed = this.#options.closing.isStopping
    this.#sendByNode(
      response,
      status,
      withConnection(allHeaders, response, isClosed),
      request.method === 'HEAD' ? null : text,
    )
  }

  #headersOf(reply: Reply, response: ServerResponse): OutgoingHttpHeaders {
    const { record, closing } = this.#options
    return withConnection(safeHeaders(reply, record.log), response, closing.countAnswer())
  }

  #sendFile({ request, started }: Exchange, reply: Reply, body: FileBody, framework: FastifyReply): void {
    const { raw } = framework
    // If sending fails, the request comes back here to be refused.
    this.#files.add(raw)
    raw.once('close', () => recordRequest(this.#options.record, request, raw.statusCode, reply, started))
    framework.headers(this.#headersOf(reply, raw))
    // The reply sets caching and, if known, the type. The library sets the ETag and answers ranges and conditions.
    const hasType = reply.headers['content-type'] !== undefined
    disconnectSlowReader(raw, this.#options.patience / 2, null)
    const sending = { cacheControl: false, contentType: !hasType, dotfiles: 'allow', index: false } as const
    framework.sendFile(body.path, body.root, sending)
  }

  async #sendStored(exchange: Exchange, reply: Reply, body: FileBody, etag: string): Promise<void> {
    const { request, response: raw, framework, started } = exchange
    const { record, patience } = this.#options
    const file = await open(join(body.root, body.path)).catch((error: NodeJS.ErrnoException) => {
      record.log.error({ id: request.id, file: body.path, code: error.code }, 'a file of the build is missing')
      return null
    })
    if (file === null) {
      exchange.started = performance.now()
      this.sendFinished(exchange, finish(request, plainReply(404, 'html')))
      return
    }
    framework?.hijack()
    raw.once('close', () => recordRequest(record, request, raw.statusCode, reply, started))
    const { size } = await file.stat()
    const headers = this.#headersOf(reply, raw)
    const coded = headers['content-encoding'] !== undefined
    const answer = answerStored(request, { etag, size, isEncoded: coded })
    raw.writeHead(answer.status, { ...(answer.status === 304 ? withoutContent(headers) : headers), ...answer.headers })
    if (answer.range === null || request.method === 'HEAD') {
      raw.end()
      await file.close()
      return
    }
    disconnectSlowReader(raw, patience / 2, null)
    // The stream closes the file, also when the client leaves.
    await pipeline(file.createReadStream(answer.range), raw).catch(() => raw.destroy())
  }

  async #sendStream({ request, response: raw, started }: Exchange, reply: Reply, body: StreamBody): Promise<void> {
    const { record, patience } = this.#options
    raw.once('close', () => recordRequest(record, request, raw.statusCode, reply, started))
    raw.writeHead(reply.status, this.#headersOf(reply, raw))
    if (request.method === 'HEAD') {
      raw.end()
      return
    }
    disconnectSlowReader(raw, patience / 2, null)
    try {
      await body.write(raw)
    } catch (error) {
      const hasLeft = raw.socket === null || raw.socket.destroyed
      if (!hasLeft) {
        const stack = error instanceof Error ? error.stack : String(error)
        record.log.error({ id: request.id, stack }, 'a body could not be sent to its end')
      }
      raw.destroy()
    }
  }

  /**
   * Sends a complete text reply.
   * @param length bytes of the body
   */
  #sendText(response: ServerResponse, reply: Reply, body: string | Uint8Array | null, length: number): void {
    const { status } = reply
    const { record, closing } = this.#options
    if (!(response instanceof WholeResponse) || !response.takesWhole || hasFraming(reply)) {
      this.#sendByNode(response, status, this.#headersOf(reply, response), body)
      return
    }
    if (closing.countAnswer()) {
      this.#sendByNode(response, status, { ...safeHeaders(reply, record.log), connection: 'close' }, body)
      return
    }
    const head = formatHead(status, formatHeaderLines(reply, record.log), reply.headers['date'] !== undefined)
    const sentBytes = body === null ? 0 : length
    response.sendWhole({ status, head, body, length: sentBytes })
    this.#watchReader(response, sentBytes)
  }

  #sendByNode(
    response: ServerResponse,
    status: number,
    headers: OutgoingHttpHeaders,
    body: string | Uint8Array | null,
  ): void {
    response.writeHead(status, headers)
    if (body === null || body.length === 0) response.end()
    else response.end(body)
    this.#watchReader(response, body === null ? 0 : Buffer.byteLength(body))
  }

  #watchReader(response: ServerResponse, bytes: number): void {
    // Bytes that the system has already accepted need no waiting.
    if ((response.socket?.writableLength ?? 0) === 0) return
    disconnectSlowReader(response, this.#options.patience / 2, bytes)
  }
}

/**
 * Adds the header that says whether the connection stays open. Node would announce the full time for which the connection is kept, which
 * leaves no reserve.
 */
function withConnection(headers: OutgoingHttpHeaders, response: ServerResponse, closes: boolean): OutgoingHttpHeaders {
  if (closes) headers['connection'] = 'close'
  else if (response.shouldKeepAlive) headers['keep-alive'] ??= KEEP_ALIVE_HINT
  return headers
}
