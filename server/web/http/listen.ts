/**
 * The HTTP listener: converts between sockets and `Request` and `Reply` records (with fastify), logs requests, and
 * stops without dropping any.
 */
import type { SendHandle } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import { discard, hasBody, waitsToSend } from './body.ts'
import { acceptWaiting, createConnections, stopAccepting, whenNoneWaits } from './connections.ts'
import { finish } from './finish.ts'
import { Gate } from './gate.ts'
import { SMALL_BODY } from './held-body.ts'
import { KEEP_ALIVE } from './head.ts'
import type { Listening, ListenOptions } from './listening.ts'
import type { Handler, Reply, Request } from './message.ts'
import { hasPlainBody, readPlainBody } from './plain-body.ts'
import { plainReply } from './plain-reply.ts'
import { type ReceivedRequest, toRequest } from './read-request.ts'
import { beginSpan } from './request-log.ts'
import { type Exchange, Sender } from './sender.ts'
import { Receiver, type Uploads } from './receive.ts'
import { createTurns } from './turns.ts'
import { watchLoad } from './watch-load.ts'
import { WholeResponse } from './whole-response.ts'

/** Milliseconds that a connection has at least for its first request while the listener stops, and in which it still accepts connections. */
const FIRST_REQUEST = 500
const ACCEPT_LIMIT = 500

const UPLOADS: Uploads = { folder: join(tmpdir(), `ingot-incoming-${userInfo().uid}`), limit: 25_000_000 }

/**
 * Starts listening.
 * @throws NodeJS.ErrnoException with the system's code (`EADDRINUSE`, …)
 */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listening> {
  const listener = new Listener(handler, options)
  await listener.open()
  return listener
}

class Listener implements Listening {
  readonly #handler: Handler
  readonly #options: ListenOptions
  readonly #servers: Server[] = []
  readonly #sender: Sender
  readonly #connections: ReturnType<typeof createConnections>
  readonly #load = watchLoad()
  readonly #turns: ReturnType<typeof createTurns>
  readonly #gate: Gate
  /** In milliseconds; see `ListenOptions.patience`. */
  readonly #patience: number
  readonly #receiver: Receiver
  /** What the framework does with a request. */
  #handle: RequestListener = () => undefined
  #port: number
  #draining = false
  /** Number of connections still to close after their next answer. */
  #parting = 0

  constructor(handler: Handler, options: ListenOptions) {
    this.#handler = handler
    this.#options = options
    this.#port = options.port
    this.#connections = createConnections(options.most)
    this.#turns = createTurns(() => this.#connections.accepted)
    this.#gate = new Gate(options)
    this.#patience = options.patience ?? 60_000
    this.#receiver = new Receiver({ ...options, proxies: options.proxies ?? 0, uploads: options.uploads ?? UPLOADS })
    this.#sender = new Sender({
      record: options,
      patience: this.#patience,
      parts: () => this.#parts(),
      closes: () => this.#closes(),
      handle: (message, response) => this.#handle(message, response),
    })
  }

  get port(): number {
    return this.#port
  }

  /**
   * Opens the port.
   * @throws NodeJS.ErrnoException with the system's code
   */
  async open(): Promise<void> {
    const app = this.#framework()
    await this.#addRoutes(app)
    const { host, port, sockets } = this.#options
    const listening = sockets === undefined ? app.listen({ host, port }) : this.#listenOn(app, sockets)
    await listening.catch(async (error: unknown) => {
      this.#load.stop()
      // The error thrown below is the one to report.
      await app.close().catch(() => undefined)
      throw error
    })
    const address = this.#servers[0]?.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
  }

  connections(): number {
    return this.#connections.size
  }

  visit(connection: Socket): void {
    // As Node creates the connections that a server accepts.
    connection.allowHalfOpen = true
    connection.setNoDelay(true)
    this.#servers[0]?.emit('connection', connection)
  }

  part(count: number): void {
    this.#parting = count
  }

  async stop(grace: number, linger: number): Promise<void> {
    this.#draining = true
    this.#sender.endStreams()
    const unused = Math.max(linger, FIRST_REQUEST)
    // Later in the same round, when it has read what came: closing a connection with a request in it would reset it.
    const idle = setInterval(() => setImmediate(() => this.#connections.dropIdle(linger, unused)), 20)
    const cut = setTimeout(() => {
      this.#connections.dropAll()
    }, grace)
    await acceptWaiting(this.#connections, Math.min(grace / 2, ACCEPT_LIMIT))
    this.#turns.hold()
    await whenNoneWaits(this.#connections)
    const ended = Promise.all(this.#servers.map(stopAccepting))
    this.#turns.release()
    await ended
    // Node does not count connections that another process has accepted.
    await this.#connections.emptied()
    clearInterval(idle)
    clearTimeout(cut)
    this.#load.stop()
  }

  async #listenOn(app: FastifyInstance<Server, IncomingMessage, ServerResponse>, sockets: readonly SendHandle[]) {
    await app.ready()
    const listens = sockets.map((socket, at) => {
      const server = (at === 0 ? this.#servers[0] : undefined) ?? this.#addServer(this.#handle)
      server.listen(socket)
      return once(server, 'listening')
    })
    await Promise.all(listens)
  }

  #framework(): FastifyInstance<Server, IncomingMessage, ServerResponse> {
    const { bodyLimit } = this.#options
    return fastify<Server, IncomingMessage, ServerResponse>({
      logger: false,
      bodyLimit,
      requestTimeout: this.#patience,
      keepAliveTimeout: KEEP_ALIVE,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      // For `localhost` fastify creates one server for each address family; all of them must be stopped.
      serverFactory: (handle: RequestListener) => this.#addServer(handle),
      // Loading the schema compilers would double the start time, and no route has a schema.
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
      frameworkErrors: (error, incoming, outgoing) => this.#refuse(error, incoming, outgoing),
      clientErrorHandler: this.#connections.refuse,
    })
  }

  #addServer(handle: RequestListener): Server {
    const patience = this.#patience
    const times = { requestTimeout: patience, headersTimeout: patience, keepAliveTimeout: KEEP_ALIVE }
    const interval = Math.min(patience / 2, 30_000)
    const server = createServer({ ...times, connectionsCheckingInterval: interval, ServerResponse: WholeResponse })
    this.#servers.push(server)
    this.#handle = handle
    this.#connections.serve(server, (message, response) => this.#take(message, response))
    return server
  }

  /**
   * Without a body that has to be looked for or looked at, nothing of the framework is needed, which is a tenth of the time of a small
   * page and a quarter of that of a small change.
   */
  #take(message: IncomingMessage, response: ServerResponse): void {
    const reads = message.method === 'GET' || message.method === 'HEAD'
    if (reads && !hasBody(message)) {
      const exchange = { message, response, framework: null, body: undefined }
      this.#answer(exchange, this.#requestOf(exchange))
    } else if (hasPlainBody(message, Math.min(SMALL_BODY, this.#options.bodyLimit)) && !this.#isStored(message))
      this.#takePlain(message, response)
    else this.#handle(message, response)
  }

  /** Reads a body that somebody takes; the framework sees to all others. */
  #takePlain(message: IncomingMessage, response: ServerResponse): void {
    const exchange = { message, response, framework: null, body: undefined }
    const request = this.#requestOf(exchange)
    const receive = (isTaken: boolean): void => {
      if (isTaken) readPlainBody(message, (body) => this.#answerWithBody(exchange, request, body))
      else this.#handle(message, response)
    }
    const taken = this.#takes(message, request)
    if (taken instanceof Promise) taken.then(receive, () => receive(false))
    else receive(taken)
  }

  #answerWithBody(exchange: Exchange, request: ReceivedRequest, body: Uint8Array | null): void {
    request.body = body
    if (body === null) this.#refuseAs(400, exchange)
    else this.#answer(exchange, request)
  }

  /** Whether a body goes to a file. */
  #isStored({ url = '' }: IncomingMessage): boolean {
    const below = this.#options.stored?.below ?? []
    return below.some((path) => url.startsWith(path) || url.startsWith(`/${path}`))
  }

  async #addRoutes(app: FastifyInstance<Server, IncomingMessage, ServerResponse>): Promise<void> {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', async (_: FastifyRequest, message: IncomingMessage) =>
      this.#receiver.inMemory(message),
    )
    app.addContentTypeParser(/^multipart\/form-data/i, async (_: FastifyRequest, message: IncomingMessage) =>
      this.#receiver.form(message),
    )
    app.setErrorHandler((error: FastifyError, incoming, outgoing) => this.#refuse(error, incoming, outgoing))
    // Reached for unknown methods, and for a file that was deleted while it was being sent.
    app.setNotFoundHandler((incoming, outgoing) => this.#refuseAs(404, exchangeOf(incoming, outgoing)))
    await app.register(fastifyStatic, { serve: false, root: process.cwd() })
    const answer = (incoming: FastifyRequest, outgoing: FastifyReply): void => {
      const exchange = exchangeOf(incoming, outgoing)
      if (!this.#sender.resume(exchange)) this.#answer(exchange, this.#requestOf(exchange))
    }
    const bodiless = ['GET', 'HEAD']
    app.route({ method: bodiless, url: '*', handler: answer })
    const route: Omit<RouteOptions<Server, IncomingMessage, ServerResponse>, 'url'> = {
      method: app.supportedMethods.filter((method) => !bodiless.includes(method)),
      onRequest: (request, reply, next) => void this.#admit(request, reply, next),
      handler: answer,
    }
    app.route({ ...route, url: '*' })
    const { stored } = this.#options
    if (stored === undefined) return
    await app.register(async (within) => {
      within.removeAllContentTypeParsers()
      within.addContentTypeParser('*', async (_: FastifyRequest, message: IncomingMessage) =>
        this.#receiver.stored(message, stored.limit),
      )
      // Some clients put a second slash in front.
      for (const path of stored.below) for (const url of [path, `/${path}`]) within.route({ ...route, url: `${url}*` })
    })
  }

  /** Lets the body of a request be read where somebody takes it, and otherwise answers the request without it. */
  async #admit(incoming: FastifyRequest, outgoing: FastifyReply, read: () => void): Promise<void> {
    const { raw } = incoming
    if (!hasBody(raw)) read()
    else if (await this.#takes(raw, this.#requestOf({ message: raw, body: incoming.body }))) {
      if (waitsToSend(raw)) outgoing.raw.writeContinue()
      read()
    } else void this.#answerWithoutBody(incoming, outgoing)
  }

  /** Whether somebody reads the body of a request, which has not been read yet. */
  #takes(message: IncomingMessage, request: ReceivedRequest): boolean | Promise<boolean> {
    if (request.unreadable || this.#gate.isClosedTo(message, request)) return false
    return this.#options.takesBody?.(request) ?? true
  }

  async #answerWithoutBody(incoming: FastifyRequest, outgoing: FastifyReply): Promise<void> {
    const rest = discard(incoming.raw, this.#receiver.largest)
    // A client that was not asked for its body may send it or not, so what it sends next could not be understood.
    if (waitsToSend(incoming.raw)) outgoing.raw.shouldKeepAlive = false
    else if (this.#draining || !outgoing.raw.shouldKeepAlive) await rest
    const exchange = exchangeOf(incoming, outgoing)
    this.#answer(exchange, { ...this.#requestOf(exchange), dropped: true })
  }

  #requestOf({ message, body }: Pick<Exchange, 'message' | 'body'>): ReceivedRequest {
    return toRequest(message, body, this.#options.proxies ?? 0)
  }

  /** Answers within the call where nothing has to be waited for: most pages wait for nothing. */
  #answer(exchange: Exchange, request: ReceivedRequest): void {
    const started = performance.now()
    const probe = this.#options.probes?.(request) ?? null
    if (probe !== null) {
      void probe.then((reply) => this.#sender.sendProbe(request, reply, exchange, this.#draining))
      return
    }
    const { tracer = null, proxies } = this.#options
    if (tracer !== null) request.span = beginSpan(tracer, request, proxies)
    const reply = this.#replyTo(request, exchange.message)
    if (reply instanceof Promise) void this.#sendLater(exchange, request, reply, started)
    else this.#send(exchange, request, reply, started)
  }

  /** The reply to a request. Never throws. */
  #replyTo(request: Request, message: IncomingMessage): Reply | Promise<Reply> {
    const atGate = this.#gate.enter(message, request)
    if (atGate === null) return this.#ask(request, message)
    return atGate instanceof Promise ? this.#replyLater(request, message, atGate) : atGate
  }

  async #replyLater(request: Request, message: IncomingMessage, atGate: Promise<Reply | null>): Promise<Reply> {
    try {
      return (await atGate) ?? (await this.#ask(request, message))
    } catch (error) {
      return this.#failed(request, error)
    }
  }

  /** The handler's reply, once the request has its turn. */
  #ask(request: Request, message: IncomingMessage): Reply | Promise<Reply> {
    const turn = this.#turns.ask(request.ip)
    return turn === null ? this.#handled(request, message) : this.#handledInTurn(request, message, turn)
  }

  async #handledInTurn(request: Request, message: IncomingMessage, turn: Promise<boolean>): Promise<Reply> {
    const inTime = await turn
    return inTime ? this.#handled(request, message) : plainReply(503, 'html')
  }

  #handled(request: Request, { socket }: IncomingMessage): Reply | Promise<Reply> {
    // The client has left, so nobody would read a page.
    if (socket.destroyed) return plainReply(503, 'html')
    try {
      const reply = this.#handler(request)
      return reply instanceof Promise ? reply.catch((error: unknown) => this.#failed(request, error)) : reply
    } catch (error) {
      return this.#failed(request, error)
    }
  }

  #failed({ id }: Request, error: unknown): Reply {
    const stack = error instanceof Error ? error.stack : String(error)
    this.#options.log.error({ id, stack }, 'the handler failed')
    return plainReply(500, 'html')
  }

  async #sendLater(exchange: Exchange, request: Request, reply: Promise<Reply>, started: number): Promise<void> {
    this.#send(exchange, request, await reply, started)
  }

  #send(exchange: Exchange, request: Request, reply: Reply, started: number): void {
    const { framework, message } = exchange
    if (framework !== null) this.#receiver.dispose(message)
    this.#sender.sendReply(request, reply, exchange, started)
  }

  #refuse(error: FastifyError, incoming: FastifyRequest, outgoing: FastifyReply): void {
    const exchange = exchangeOf(incoming, outgoing)
    // Whether an invalid address is an error depends on the site, so the handler decides. The body was not read.
    if (error.code === 'FST_ERR_BAD_URL') {
      this.#answer(exchange, this.#requestOf(exchange))
      return
    }
    const status = error.statusCode ?? 500
    const known = status >= 400 && status < 500
    if (!known) this.#options.log.error({ id: this.#requestOf(exchange).id, stack: error.stack }, error.message)
    this.#refuseAs(known ? status : 500, exchange)
  }

  #refuseAs(status: number, exchange: Exchange): void {
    const request = this.#requestOf(exchange)
    this.#sender.send(request, finish(request, plainReply(status, 'html')), exchange, performance.now())
  }

  /** Whether the connection of the next answer is closed; counts it. */
  #closes(): boolean {
    const closes = this.#parts()
    if (this.#parting > 0) this.#parting--
    return closes
  }

  #parts(): boolean {
    return this.#draining || this.#parting > 0 || this.#load.late()
  }
}

function exchangeOf({ raw, body }: FastifyRequest, framework: FastifyReply): Exchange {
  return { message: raw, response: framework.raw, framework, body }
}

function noSchemas(): never {
  throw new Error('a route has a schema, and nothing that compiles it')
}
