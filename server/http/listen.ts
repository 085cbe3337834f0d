/** The listener: sockets to `Request` records, `Reply` records to sockets (fastify), request logs, and a stop that loses nobody. */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { HEADER_NAME, HEADER_VALUE } from '../../runtime/page/headers.ts'
import { createConnections, expectReader, stopAccepting } from './connections.ts'
import { finish } from './finish.ts'
import {
  BadRequest,
  type FileBody,
  type Handler,
  isEvents,
  isFile,
  pathOf,
  type Reply,
  type Request,
} from './message.ts'
import { type ReceivedParts, receiveParts, type DiskQuota } from './multipart.ts'
import { plainReply } from './plain-reply.ts'
import { createRate } from './rate.ts'
import { namedBy, problemOf, toRequest } from './read-request.ts'
import { createTurns } from './turns.ts'

/** What the listener needs of a logger. */
export interface RequestLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ListenOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Proxies in front whose `X-Forwarded-*` headers are believed; 0 believes none. */
  readonly proxies: number
  /** Names that are answered to, without ports; `*.` stands for any name below. Without any, all are. */
  readonly hosts?: readonly string[]
  /** Requests that an address may send in five minutes, those for assets not counted; without it, or by 0, any number. */
  readonly rate?: number
  /** Bytes of a request's body; a larger one is answered by 413. */
  readonly bodyLimit: number
  /** What is taken of files; by default 25 MB a file, which lie in the system's temporary folder. */
  readonly uploads?: Uploads
  /** Milliseconds in which a request must have come whole, and in which something of its answer must be read; 60,000 by default. */
  readonly patience?: number
  /** Connections that may be open; by default what the system allows, up to 10,000. */
  readonly most?: number
  readonly log: RequestLog
}

export interface Uploads {
  /** Folder that files lie in until their request is answered. */
  readonly folder: string
  /** Bytes of a file. */
  readonly limit: number
  /** Bytes of all that are on their way at once; by default forty of the largest. */
  readonly together?: number
}

const UPLOADS: Uploads = { folder: join(tmpdir(), `ingot-incoming-${userInfo().uid}`), limit: 25_000_000 }

export interface Listening {
  readonly port: number
  /** That are open. */
  connections(): number
  /** Closes so many connections, each behind its next answer: whoever comes back may be taken by another process. */
  part(count: number): void
  /**
   * Stops accepting, lets open requests finish, then resolves.
   * @param grace milliseconds until what is still open is cut off
   * @param linger milliseconds in which idle connections may still bring a request, which is answered and then closed:
   *   a connection closed at once would lose a request that is already on its way
   */
  stop(grace: number, linger: number): Promise<void>
}

/** Starts to listen. @throws NodeJS.ErrnoException with the system's code (`EADDRINUSE`, …) */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listening> {
  const listener = new Listener(handler, options)
  await listener.open()
  return listener
}

class Listener implements Listening {
  readonly #handler: Handler
  readonly #options: ListenOptions
  readonly #servers: Server[] = []
  readonly #streams = new Set<ServerResponse>()
  /** Answers by a file: they are logged when they close. */
  readonly #files = new WeakSet<ServerResponse>()
  readonly #connections: ReturnType<typeof createConnections>
  readonly #load = watchLoad()
  readonly #turns: ReturnType<typeof createTurns>
  readonly #rate: ReturnType<typeof createRate>
  readonly #isOurs: ReturnType<typeof namedBy>
  /** Milliseconds: see `ListenOptions.patience`. */
  readonly #patience: number
  readonly #received = new WeakMap<object, ReceivedParts>()
  readonly #uploads: Uploads
  readonly #room: DiskQuota
  #port: number
  #draining = false
  /** Connections that are still to be closed behind their next answers. */
  #parting = 0

  constructor(handler: Handler, options: ListenOptions) {
    this.#handler = handler
    this.#options = options
    this.#port = options.port
    this.#connections = createConnections(options.most)
    this.#turns = createTurns(() => this.#connections.taken)
    this.#rate = createRate(options.rate ?? 0)
    this.#isOurs = namedBy(options.hosts ?? [])
    this.#patience = options.patience ?? 60_000
    this.#uploads = options.uploads ?? UPLOADS
    this.#room = { left: this.#uploads.together ?? 40 * this.#uploads.limit }
  }

  get port(): number {
    return this.#port
  }

  /** Takes the port. @throws NodeJS.ErrnoException with the system's code */
  async open(): Promise<void> {
    const app = this.#framework()
    await this.#addRoutes(app)
    await app.listen({ host: this.#options.host, port: this.#options.port }).catch(async (error: unknown) => {
      this.#load.stop()
      // The error that is thrown says why; what fails behind it adds nothing.
      await app.close().catch(() => undefined)
      throw error
    })
    const address = this.#servers[0]?.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
  }

  connections(): number {
    return this.#connections.size
  }

  part(count: number): void {
    this.#parting = count
  }

  async stop(grace: number, linger: number): Promise<void> {
    this.#draining = true
    const ended = Promise.all(this.#servers.map(stopAccepting))
    for (const open of this.#streams) open.end()
    // Repeated, because an answer that was under way may leave its connection open.
    const from = performance.now() + linger
    const idle = setInterval(() => {
      if (performance.now() < from) return
      this.#connections.dropIdle()
    }, 20)
    const cut = setTimeout(() => {
      this.#connections.dropAll()
    }, grace)
    await ended
    clearInterval(idle)
    clearTimeout(cut)
    this.#load.stop()
  }

  #framework(): FastifyInstance<Server, IncomingMessage, ServerResponse> {
    const { proxies, bodyLimit } = this.#options
    return fastify<Server, IncomingMessage, ServerResponse>({
      logger: false,
      trustProxy: proxies > 0 ? (_address: string, hop: number) => hop < proxies : false,
      bodyLimit,
      requestTimeout: this.#patience,
      keepAliveTimeout: 30_000,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      // Listening on `localhost` makes a server an address family; all of them must be stopped.
      serverFactory: (handle: RequestListener) => this.#addServer(handle),
      // The compilers of schemas take as long to load as everything else, and no route has a schema.
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
      frameworkErrors: (error, incoming, outgoing) => this.#refuse(error, incoming, outgoing),
      clientErrorHandler: this.#connections.refuse,
    })
  }

  #addServer(handle: RequestListener): Server {
    const patience = this.#patience
    const times = { requestTimeout: patience, headersTimeout: patience, keepAliveTimeout: 30_000 }
    const server = createServer({ ...times, connectionsCheckingInterval: Math.min(patience / 2, 30_000) })
    this.#servers.push(server)
    this.#connections.serve(server, handle)
    return server
  }

  async #addRoutes(app: FastifyInstance<Server, IncomingMessage, ServerResponse>): Promise<void> {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addContentTypeParser(/^multipart\/form-data/i, async (_: FastifyRequest, message: IncomingMessage) =>
      this.#receive(message),
    )
    app.setErrorHandler((error: FastifyError, incoming, outgoing) => this.#refuse(error, incoming, outgoing))
    // Reached by methods that nobody knows, and by a file that vanished while it was being sent.
    app.setNotFoundHandler((request, reply) => this.#refuseAs(404, toRequest(request), reply))
    await app.register(fastifyStatic, { serve: false, root: process.cwd() })
    app.all('*', (request, reply) => void this.#answer(request, reply))
  }

  // A body that cannot be read is handed on, so that the handler answers in the format that the visitor expects.
  async #receive(message: IncomingMessage): Promise<ReceivedParts | BadRequest> {
    const { bodyLimit } = this.#options
    try {
      const parts = await receiveParts(message, {
        folder: this.#uploads.folder,
        file: this.#uploads.limit,
        texts: bodyLimit,
        total: 4 * this.#uploads.limit + bodyLimit,
        room: this.#room,
      })
      this.#received.set(message, parts)
      return parts
    } catch (error) {
      if (error instanceof BadRequest) return error
      throw error
    }
  }

  async #answer(incoming: FastifyRequest, outgoing: FastifyReply, unreadable?: BadRequest): Promise<void> {
    const started = performance.now()
    const request = unreadable === undefined ? toRequest(incoming) : { ...toRequest(incoming), unreadable }
    let reply: Reply
    try {
      const problem = problemOf(incoming.raw, request, this.#isOurs)
      const wait = request.url.startsWith('/assets/') ? 0 : this.#rate.count(request.ip)
      const turn = problem === null && wait === 0 ? this.#turns.ask(request.ip) : null
      const inTime = turn === null || (await turn)
      if (problem !== null) reply = plainReply(400, 'html', problem)
      else if (wait > 0) reply = tooMany(wait)
      // The visitor has left, or will have left by then: nobody would read a page.
      else if (!inTime || incoming.raw.socket.destroyed) reply = plainReply(503, 'html')
      else reply = await this.#handler(request)
    } catch (error) {
      this.#options.log.error(
        { id: request.id, stack: error instanceof Error ? error.stack : String(error) },
        'the handler failed',
      )
      reply = plainReply(500, 'html')
    } finally {
      void this.#received.get(incoming.raw)?.dispose()
    }
    this.#send(request, finish(request, reply), outgoing, started)
  }

  #refuse(error: FastifyError, incoming: FastifyRequest, outgoing: FastifyReply): void {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      void this.#answer(
        incoming,
        outgoing,
        new BadRequest(`the body is larger than ${this.#options.bodyLimit} bytes`, 413),
      )
      return
    }
    // The handler decides what is wrong with an address, as it depends on the site. The body was not read.
    if (error.code === 'FST_ERR_BAD_URL') {
      void this.#answer(incoming, outgoing)
      return
    }
    const status = error.statusCode ?? 500
    const known = status >= 400 && status < 500
    const request = toRequest(incoming)
    if (!known) this.#options.log.error({ id: request.id, stack: error.stack }, error.message)
    this.#refuseAs(known ? status : 500, request, outgoing)
  }

  #refuseAs(status: number, request: Request, outgoing: FastifyReply): void {
    this.#send(request, finish(request, plainReply(status, 'html')), outgoing, performance.now())
  }

  #send(request: Request, reply: Reply, outgoing: FastifyReply, started: number): void {
    const { raw } = outgoing
    const { body } = reply
    const parts = this.#parting > 0
    if (parts) this.#parting--
    const closing = this.#draining || parts || this.#load.late() ? { connection: 'close' } : {}
    const headers = { ...safeHeaders(reply, this.#options.log), ...closing }
    const log = (): void => logRequest(this.#options.log, request, raw.statusCode, reply, started)
    if (body !== null && isFile(body)) {
      this.#sendFile(reply, body, outgoing, headers, log)
      return
    }
    // Past the framework's reply: pages are texts that are ready, and its hooks and serializers cost a tenth of the server.
    outgoing.hijack()
    if (body !== null && isEvents(body)) {
      // Not logged: an open page listens as long as it is open, and asks for nothing.
      stream(raw, reply.status, headers, body.open, this.#streams)
      return
    }
    this.#sendText(raw, request.method === 'HEAD', reply.status, headers, body)
    if (!this.#files.has(raw)) log()
  }

  #sendFile(reply: Reply, body: FileBody, outgoing: FastifyReply, headers: OutgoingHttpHeaders, log: () => void): void {
    // A file that cannot be sent comes back here as a refusal of the same request.
    this.#files.add(outgoing.raw)
    outgoing.raw.once('close', log)
    outgoing.headers(headers)
    // The answer sets the caching, and the type where it knows it; the rest (ETag, ranges, 304) is the library's.
    const typed = reply.headers['content-type'] !== undefined
    expectReader(outgoing.raw, this.#patience / 2, null)
    const sending = { cacheControl: false, contentType: !typed, dotfiles: 'allow', index: false } as const
    outgoing.sendFile(body.path, body.root, sending)
  }

  #sendText(
    raw: ServerResponse,
    head: boolean,
    status: number,
    headers: OutgoingHttpHeaders,
    body: string | Uint8Array | null,
  ): void {
    const bodiless = status === 204 || status === 304
    const length = body === null || bodiless ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const empty = body === null && !bodiless ? { 'content-length': '0' } : {}
    raw.writeHead(status, { ...headers, ...length, ...empty })
    if (body === null || bodiless || head) raw.end()
    else raw.end(body)
    // Bytes that the system has taken already need no reader to be waited for.
    if (body === null || (raw.socket?.writableLength ?? 0) === 0) return
    expectReader(raw, this.#patience / 2, Buffer.byteLength(body))
  }
}

/** Our routes have no schemas. */
function noSchemas(): never {
  throw new Error('a route has a schema, and nothing that compiles it')
}

function tooMany(wait: number): Reply {
  const reply = plainReply(429, 'html', `come again in ${Math.ceil(wait / 60)} minutes`)
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(wait) } }
}

/** Headers as they are written. One that would break the answer apart is left out: it never came from us alone. */
function safeHeaders(reply: Reply, log: RequestLog): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(reply.headers)) {
    if (HEADER_NAME.test(name) && HEADER_VALUE.test(value)) headers[name] = value
    else log.error({ header: JSON.stringify(name) }, 'a header that cannot be sent was left out')
  }
  const cookies = (reply.cookies ?? []).filter((cookie) => HEADER_VALUE.test(cookie))
  if (cookies.length > 0) headers['set-cookie'] = cookies
  return headers
}

// Only the path is logged: queries carry tokens and addresses.
function logRequest(log: RequestLog, request: Request, status: number, reply: Reply, started: number): void {
  const ms = Math.round((performance.now() - started) * 10) / 10
  const fields = { id: request.id, method: request.method, path: pathOf(request.url), status, ms }
  log.info(reply.file === undefined ? fields : { ...fields, template: reply.file }, 'request')
}

function stream(
  raw: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  open: (send: (event: string, data: string) => void) => () => void,
  streams: Set<ServerResponse>,
): void {
  raw.writeHead(status, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  raw.flushHeaders()
  streams.add(raw)
  const close = open((event, data) => {
    raw.write(
      `event: ${event}\n${data
        .split('\n')
        .map((line) => `data: ${line}\n`)
        .join('')}\n`,
    )
  })
  raw.once('close', () => {
    streams.delete(raw)
    close()
  })
}

/**
 * Tells whether this process was just kept busy by one page. Answers then close their connections: whoever comes back
 * is handed to a process that is free, instead of waiting behind the same page again.
 */
function watchLoad(): { late(): boolean; stop(): void } {
  const EVERY = 250
  let expected = performance.now() + EVERY
  let late = false
  const timer = setInterval(() => {
    const now = performance.now()
    late = now - expected > EVERY
    expected = now + EVERY
  }, EVERY)
  timer.unref()
  return { late: () => late, stop: () => clearInterval(timer) }
}
