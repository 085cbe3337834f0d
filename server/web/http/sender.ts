/** Sends answers: texts at once, files as streams, with the headers that may be sent, and tells the request log of each. */
import { open } from 'node:fs/promises'
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { disconnectSlowReader } from './connections.ts'
import { finish } from './finish.ts'
import { framesItself, headOf, HttpDate, KEEP_ALIVE_HINT, linesOf } from './head.ts'
import { type FileBody, isEvents, isFile, type Reply, type Request } from './message.ts'
import { plainReply } from './plain-reply.ts'
import { preparedFor } from './prepared.ts'
import { type RecordOptions, recordRequest } from './request-log.ts'
import { safeHeaders, sendEvents } from './sending.ts'
import { answerStored, withoutContent } from './stored-file.ts'
import { usualAnswer } from './usual-answer.ts'
import { AnswerBuffer, WholeResponse } from './whole-response.ts'

/** A request and the response to it, as Node gives them. */
export interface Exchange {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  /** Null where the framework has not seen the request. */
  readonly framework: FastifyReply | null
  /** What was read of the request's body; undefined without one. */
  readonly body: unknown
}

export interface SenderOptions {
  readonly record: RecordOptions
  /** Milliseconds within which the client must read some of the answer, twice. */
  readonly patience: number
  /** Whether some connections are closed with their next answers. */
  readonly parts: () => boolean
  /** Asked once an answer: whether its connection is closed. */
  readonly closes: () => boolean
  /** Gives a request to the framework. */
  readonly handle: RequestListener
}

interface ReadyReply {
  readonly request: Request
  readonly reply: Reply
  readonly started: number
}

export class Sender {
  readonly #options: SenderOptions
  readonly #streams = new Set<ServerResponse>()
  #endsStreams = false
  /** Answers that the framework sends, of requests that it has not seen before. */
  readonly #ready = new WeakMap<IncomingMessage, ReadyReply>()
  /** Responses that stream a file; they are logged when they close. */
  readonly #files = new WeakSet<ServerResponse>()
  readonly #buffer = new AnswerBuffer()
  readonly #date = new HttpDate()

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** Ends the streams of events, also those that clients open from now on: they do that when one has ended. */
  endStreams(): void {
    this.#endsStreams = true
    for (const open of this.#streams) open.end()
  }

  /**
   * Sends a finished reply.
   * @param started when the request came, as a value of `performance.now()`
   */
  send(request: Request, reply: Reply, exchange: Exchange, started: number): void {
    const { response, framework } = exchange
    const { body } = reply
    const { record } = this.#options
    if (body !== null && typeof body !== 'string' && isFile(body)) {
      if (body.etag !== undefined)
        void this.#sendStored(request, reply, { ...body, etag: body.etag }, exchange, started)
      else if (framework !== null) this.#sendFile(request, reply, body, framework, started)
      else {
        this.#ready.set(exchange.message, { request, reply, started })
        this.#options.handle(exchange.message, response)
      }
      return
    }
    // Bypasses the framework's reply: pages are ready texts, and its hooks and serializers cost a tenth of the
    // throughput.
    framework?.hijack()
    if (body !== null && typeof body !== 'string' && isEvents(body)) {
      // Not logged, because the stream stays open as long as the page.
      request.span?.end()
      sendEvents(response, reply.status, this.#headersOf(reply, response), body.open, this.#streams)
      if (this.#endsStreams) response.end()
      return
    }
    this.#sendText(request, reply as TextReply, response)
    if (!this.#files.has(response)) recordRequest(record, request, response.statusCode, reply, started)
  }

  /** Sends a reply that was prepared or is a usual one, or any other once it is finished. */
  sendReply(request: Request, reply: Reply, exchange: Exchange, started: number): void {
    const { response, framework } = exchange
    const isPlain = framework === null && response instanceof WholeResponse
    if (!isPlain || !response.takesWhole || this.#options.parts()) {
      this.send(request, finish(request, reply), exchange, started)
      return
    }
    const prepared = preparedFor(request, reply) ?? usualAnswer(request, reply, this.#options.record.log)
    if (prepared === null) {
      this.send(request, finish(request, reply), exchange, started)
      return
    }
    const { status, lines, body, length } = prepared
    const head = headOf(status, `${lines}x-request-id: ${request.id}\r\n`, false, this.#date)
    response.sendWhole({ status, head, body, length }, this.#buffer)
    this.#watchReader(response, length)
    recordRequest(this.#options.record, request, status, reply, started)
  }

  /** Sends the answer that `send` has given to the framework; false where there is none. */
  resume(exchange: Exchange): boolean {
    const ready = this.#ready.get(exchange.message)
    if (ready === undefined) return false
    this.#ready.delete(exchange.message)
    this.send(ready.request, ready.reply, exchange, ready.started)
    return true
  }

  /** Not logged, and without ETag: it is asked every few seconds, and must be answered anew each time. */
  sendProbe({ method }: Request, { status, headers, body }: Reply, exchange: Exchange, closes: boolean): void {
    exchange.framework?.hijack()
    const text = typeof body === 'string' ? body : ''
    const more = { 'content-length': String(Buffer.byteLength(text)) }
    const all = withEnd({ ...headers, ...more }, exchange.response, closes)
    this.#sendByNode(exchange.response, status, all, method === 'HEAD' ? null : text)
  }

  #headersOf(reply: Reply, response: ServerResponse): OutgoingHttpHeaders {
    return withEnd(safeHeaders(reply, this.#options.record.log), response, this.#options.closes())
  }

  #sendFile(request: Request, reply: Reply, body: FileBody, framework: FastifyReply, started: number): void {
    const { raw } = framework
    // If sending fails, the request comes back here to be refused.
    this.#files.add(raw)
    raw.once('close', () => recordRequest(this.#options.record, request, raw.statusCode, reply, started))
    framework.headers(this.#headersOf(reply, raw))
    // The reply sets caching and, if known, the type; ETag, ranges and 304 are the library's.
    const typed = reply.headers['content-type'] !== undefined
    disconnectSlowReader(raw, this.#options.patience / 2, null)
    const sending = { cacheControl: false, contentType: !typed, dotfiles: 'allow', index: false } as const
    framework.sendFile(body.path, body.root, sending)
  }

  async #sendStored(
    request: Request,
    reply: Reply,
    body: FileBody & { readonly etag: string },
    exchange: Exchange,
    started: number,
  ): Promise<void> {
    const { response: raw, framework } = exchange
    const { record, patience } = this.#options
    const file = await open(join(body.root, body.path)).catch((error: NodeJS.ErrnoException) => {
      record.log.error({ id: request.id, file: body.path, code: error.code }, 'a file of the build is missing')
      return null
    })
    if (file === null) {
      this.send(request, finish(request, plainReply(404, 'html')), exchange, performance.now())
      return
    }
    framework?.hijack()
    raw.once('close', () => recordRequest(record, request, raw.statusCode, reply, started))
    const { size } = await file.stat()
    const headers = this.#headersOf(reply, raw)
    const coded = headers['content-encoding'] !== undefined
    const answer = answerStored(request, { etag: body.etag, size, coded })
    raw.writeHead(answer.status, { ...(answer.status === 304 ? withoutContent(headers) : headers), ...answer.headers })
    if (answer.part === null || request.method === 'HEAD') {
      raw.end()
      await file.close()
      return
    }
    disconnectSlowReader(raw, patience / 2, null)
    // The stream closes the file, also when the client leaves.
    await pipeline(file.createReadStream(answer.part), raw).catch(() => raw.destroy())
  }

  #sendText({ method }: Request, reply: TextReply, response: ServerResponse): void {
    const { status } = reply
    const body = method === 'HEAD' || status === 204 || status === 304 ? null : reply.body
    if (!(response instanceof WholeResponse) || !response.takesWhole || framesItself(reply)) {
      this.#sendByNode(response, status, this.#headersOf(reply, response), body)
      return
    }
    if (this.#options.closes()) {
      this.#sendByNode(response, status, { ...safeHeaders(reply, this.#options.record.log), connection: 'close' }, body)
      return
    }
    const lines = linesOf(reply, this.#options.record.log)
    const head = headOf(status, lines, reply.headers['date'] !== undefined, this.#date)
    const length = body === null ? 0 : Number(reply.headers['content-length'])
    response.sendWhole({ status, head, body, length }, this.#buffer)
    this.#watchReader(response, length)
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

/** Adds what becomes of the connection. Node would tell the client how long the connection is really kept. */
function withEnd(headers: OutgoingHttpHeaders, response: ServerResponse, closes: boolean): OutgoingHttpHeaders {
  if (closes) headers['connection'] = 'close'
  else if (response.shouldKeepAlive) headers['keep-alive'] ??= KEEP_ALIVE_HINT
  return headers
}

/** An answer that is neither a file nor a stream. */
interface TextReply extends Reply {
  readonly body: string | Uint8Array | null
}
