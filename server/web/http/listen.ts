/**
 * The HTTP listener: converts between sockets and `Request` and `Reply` records (with fastify), logs requests, and
 * stops without dropping any.
 */
import type { SendHandle } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
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
import { discard, waitsToSend } from './body.ts'
import { ConnectionClosing } from './closing.ts'
import { acceptWaiting, createConnections, stopAccepting, whenNoneWaits } from './connections.ts'
import { finish } from './finish.ts'
import { Gate } from './gate.ts'
import { SMALL_BODY } from './held-body.ts'
import { KEEP_ALIVE } from './head.ts'
import type { Listening, ListenOptions } from './listening.ts'
import type { Handler, NewRequest, Reply } from './message.ts'
import { hasPlainBody, readPlainBody } from './plain-body.ts'
import { plainReply, refusedReply } from './plain-reply.ts'
import { addBody, readRequest } from './read-request.ts'
import { beginSpan, recordRequest } from './request-log.ts'
import { type Exchange, Sender } from './sender.ts'
import { Receiver, type Uploads } from './receive.ts'
import { createRequestScheduler } from './request-scheduler.ts'
import { refuseUpgrade, UpgradableMessage } from './upgrade.ts'
import { WholeResponse } from './whole-response.ts'

/**
 * Limits while the listener stops: milliseconds that a connection has for its first request, and milliseconds for which
 * connections are accepted.
 */
const FIRST_REQUEST = 500
const ACCEPT_LIMIT = 500

/** The reason of an answer to a request that waited for too long. */
const OVERLOADED = 'too many other requests were waiting'
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
  readonly #closing = new ConnectionClosing()
  readonly #scheduler: ReturnType<typeof createRequestScheduler>
  readonly #gate: Gate
  /** In milliseconds; see `ListenOptions.patience`. */
  readonly #patience: number
  readonly #receiver: Receiver
  /** Number of proxies whose headers are trusted. */
  readonly #proxies: number
  /** Exchanges that the framework handles. */
  readonly #exchanges = new WeakMap<IncomingMessage, Exchange>()
  /** Passes a request to the framework. */
  #handle: RequestListener = () => undefined
  #port: number

  constructor(handler: Handler, options: ListenOptions) {
    this.#handler = handler
    this.#options = options
    this.#port = options.port
    this.#connections = createConnections(options.most)
    this.#scheduler = createRequestScheduler(() => this.#connections.acceptedCount)
    this.#gate = new Gate(options)
    this.#patience = options.patience ?? 60_000
    this.#proxies = options.proxies ?? 0
    this.#receiver = new Receiver({ ...options, proxies: this.#proxies, uploads: options.uploads ?? UPLOADS })
    this.#sender = new Sender({
      record: options,
      patience: this.#patience,
      closing: this.#closing,
      receiver: this.#receiver,
      giveToFramework: (exchange) => this.#giveToFramework(exchange),
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
      this.#closing.stopChecking()
      // The error thrown below is reported instead.
      await app.close().catch(() => undefined)
      throw error
    })
    const address = this.#servers[0]?.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
  }

  connections(): number {
    return this.#connections.size
  }

  handleConnection(connection: Socket): void {
    // The same options that Node sets for accepted connections.
    connection.allowHalfOpen = true
    connection.setNoDelay(true)
    this.#servers[0]?.emit('connection', connection)
  }

  closeConnections(count: number): void {
    this.#closing.closeSome(count)
  }

  async stop(grace: number, linger: number): Promise<void> {
    this.#closing.beginStop()
    this.#sender.endStreams()
    const webSocketsEnded = this.#options.webSockets?.stop(grace)
    const unused = Math.max(linger, FIRST_REQUEST)
    // Later in the same round, after arrived requests were read: closing a connection with an unread request would reset it.
    const idle = setInterval(() => setImmediate(() => this.#connections.dropIdle(linger, unused)), 20)
    const closeTimer = setTimeout(() => {
      this.#connections.dropAll()
    }, grace)
    await acceptWaiting(this.#connections, Math.min(grace / 2, ACCEPT_LIMIT))
    this.#scheduler.pause()
    await whenNoneWaits(this.#connections)
    const ended = Promise.all(this.#servers.map(stopAccepting))
    this.#scheduler.resume()
    await ended
    // Node does not count connections that another process has accepted.
    await this.#connections.whenEmpty()
    // Partials still run for subscriptions that have ended.
    await webSocketsEnded
    clearInterval(idle)
    clearTimeout(closeTimer)
    this.#closing.stopChecking()
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
      frameworkErrors: (error, incoming, outgoing) => this.#failed(error, incoming, outgoing),
      clientErrorHandler: this.#connections.refuse,
    })
  }

  #addServer(handle: RequestListener): Server {
    const patience = this.#patience
    const times = { requestTimeout: patience, headersTimeout: patience, keepAliveTimeout: KEEP_ALIVE }
    const interval = Math.min(patience / 2, 30_000)
    const classes = { IncomingMessage: UpgradableMessage, ServerResponse: WholeResponse }
    const server = createServer({ ...times, connectionsCheckingInterval: interval, ...classes })
    if (this.#options.webSockets !== undefined) server.on('upgrade', this.#upgrade)
    this.#servers.push(server)
    this.#handle = handle
    this.#connections.serve(server, this.#receive)
    return server
  }

  /**
   * Receives a request. Requests without a body and with a simple body bypass the framework, which saves a tenth of the
   * time of a small page and a quarter of that of a small change.
   */
  readonly #receive = (message: IncomingMessage, response: ServerResponse): void => {
    const request = readRequest(message, this.#proxies)
    const exchange: Exchange = { request, message, response, framework: null, started: 0 }
    const { method, hasBody } = request
    if (!hasBody && (method === 'GET' || method === 'HEAD')) this.#answer(exchange)
    else if (hasPlainBody(message, Math.min(SMALL_BODY, this.#options.bodyLimit)) && !this.#isStored(message))
      this.#receivePlain(exchange)
    else this.#giveToFramework(exchange)
  }

  /** Opens a WebSocket. The connection stays counted until it is closed. */
  readonly #upgrade = (message: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node has removed its own handler. The connection is closed after an error.
    socket.on('error', () => undefined)
    void this.#openSocket(message, socket, head)
  }

  async #openSocket(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const started = performance.now()
    const request = readRequest(message, this.#proxies)
    const refusal = await this.#gate.enter(message, request)
    const admitted = refusal ?? (await this.#options.webSockets?.admit(request)) ?? plainReply(404, 'html')
    if (socket.destroyed) return
    const endpoint = '(websocket)'
    if ('status' in admitted) {
      refuseUpgrade(request, socket, admitted)
      recordRequest(this.#options, request, admitted.status, { ...admitted, endpoint }, started)
      return
    }
    const { open, ...facts } = admitted
    this.#connections.upgraded(message.socket)
    open(message, socket, head)
    recordRequest(this.#options, request, 101, { status: 101, headers: {}, body: null, endpoint, ...facts }, started)
  }

  #giveToFramework(exchange: Exchange): void {
    const { message, response } = exchange
    this.#exchanges.set(message, exchange)
    this.#handle(message, response)
  }

  /** Reads a simple body if it is needed. The framework handles all other bodies. */
  #receivePlain(exchange: Exchange): void {
    const receive = (isNeeded: boolean): void => {
      if (isNeeded) readPlainBody(exchange.message, (body) => this.#answerWithBody(exchange, body))
      else this.#giveToFramework(exchange)
    }
    const isBodyNeeded = this.#needsBody(exchange.message, exchange.request)
    if (isBodyNeeded instanceof Promise) isBodyNeeded.then(receive, () => receive(false))
    else receive(isBodyNeeded)
  }

  #answerWithBody(exchange: Exchange, body: Uint8Array | null): void {
    exchange.request.body = body
    if (body === null) this.#refuse(400, exchange)
    else this.#answer(exchange)
  }

  /** Returns whether a body is stored as a file. */
  #isStored({ url = '' }: IncomingMessage): boolean {
    const pathPrefixes = this.#options.storedBodies?.pathPrefixes ?? []
    return pathPrefixes.some((path) => url.startsWith(path) || url.startsWith(`/${path}`))
  }

  async #addRoutes(app: FastifyInstance<Server, IncomingMessage, ServerResponse>): Promise<void> {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', async (_: FastifyRequest, message: IncomingMessage) =>
      this.#receiver.inMemory(message),
    )
    app.addContentTypeParser(/^multipart\/form-data/i, async (_: FastifyRequest, message: IncomingMessage) =>
      this.#receiver.form(message),
    )
    app.setErrorHandler((error: FastifyError, incoming, outgoing) => this.#failed(error, incoming, outgoing))
    // Reached for unknown methods, and for a file that was deleted while it was being sent.
    app.setNotFoundHandler((incoming, outgoing) => this.#refuse(404, this.#exchangeOf(incoming, outgoing)))
    await app.register(fastifyStatic, { serve: false, root: process.cwd() })
    const handler = (incoming: FastifyRequest, outgoing: FastifyReply): void => {
      const exchange = this.#exchangeOf(incoming, outgoing)
      if (!this.#sender.resume(exchange)) this.#answer(exchange)
    }
    const bodiless = ['GET', 'HEAD']
    app.route({ method: bodiless, url: '*', handler })
    const route: Omit<RouteOptions<Server, IncomingMessage, ServerResponse>, 'url'> = {
      method: app.supportedMethods.filter((method) => !bodiless.includes(method)),
      onRequest: (request, reply, next) => void this.#admit(request, reply, next),
      handler,
    }
    app.route({ ...route, url: '*' })
    const { storedBodies } = this.#options
    if (storedBodies === undefined) return
    await app.register(async (within) => {
      within.removeAllContentTypeParsers()
      within.addContentTypeParser('*', async (_: FastifyRequest, message: IncomingMessage) =>
        this.#receiver.stored(message, storedBodies.limit),
      )
      // Some clients send two slashes at the beginning.
      for (const path of storedBodies.pathPrefixes)
        for (const url of [path, `/${path}`]) within.route({ ...route, url: `${url}*` })
    })
  }

  /** Reads the body of a request if it is needed, and otherwise answers the request without it. */
  async #admit(incoming: FastifyRequest, outgoing: FastifyReply, readBody: () => void): Promise<void> {
    const { raw } = incoming
    const { request } = this.#exchangeOf(incoming, outgoing)
    if (!request.hasBody) readBody()
    else if (await this.#needsBody(raw, request)) {
      if (waitsToSend(raw)) outgoing.raw.writeContinue()
      readBody()
    } else void this.#answerWithoutBody(incoming, outgoing)
  }

  /** Returns whether the body of a request is needed. The body has not been read yet. */
  #needsBody(message: IncomingMessage, request: NewRequest): boolean | Promise<boolean> {
    if (request.unreadable || this.#gate.isClosedTo(message, request)) return false
    return this.#options.takesBody?.(request) ?? true
  }

  async #answerWithoutBody(incoming: FastifyRequest, outgoing: FastifyReply): Promise<void> {
    const discarding = discard(incoming.raw, this.#receiver.largest)
    // A client that was not asked for its body may still send it. Its next bytes are ambiguous, so the connection is
    // closed.
    if (waitsToSend(incoming.raw)) outgoing.raw.shouldKeepAlive = false
    else if (this.#closing.isStopping || !outgoing.raw.shouldKeepAlive) await discarding
    const exchange = this.#exchangeOf(incoming, outgoing)
    exchange.request.dropped = true
    this.#answer(exchange)
  }

  /** Answers a request. Most pages are answered synchronously, because they wait for nothing. */
  #answer(exchange: Exchange): void {
    const { request, message } = exchange
    const { probes, tracer = null, proxies } = this.#options
    exchange.started = performance.now()
    const probeReply = probes?.(request) ?? null
    if (probeReply !== null) {
      void probeReply.then((reply) => this.#sender.sendProbe(exchange, reply))
      return
    }
    if (tracer !== null) request.span = beginSpan(tracer, request, proxies)
    const atGate = this.#gate.enter(message, request)
    if (atGate instanceof Promise) void this.#answerAfterGate(exchange, atGate)
    else if (atGate !== null) this.#sender.send(exchange, atGate)
    else {
      const turn = this.#scheduler.wait(request.ip)
      if (turn === null) this.#callHandler(exchange)
      else void this.#answerInTurn(exchange, turn)
    }
  }

  async #answerAfterGate(exchange: Exchange, atGate: Promise<Reply | null>): Promise<void> {
    let reply: Reply | null
    try {
      reply = await atGate
    } catch (error) {
      reply = this.#handlerFailed(exchange, error)
    }
    if (reply === null) await this.#answerInTurn(exchange, this.#scheduler.wait(exchange.request.ip))
    else this.#sender.send(exchange, reply)
  }

  /**
   * Answers a request when its turn has come.
   * @param turn see `RequestScheduler.wait`
   */
  async #answerInTurn(exchange: Exchange, turn: Promise<boolean> | null): Promise<void> {
    const isInTime = await turn
    if (isInTime === false) this.#sender.send(exchange, refusedReply(503, 'html', OVERLOADED, true))
    else this.#callHandler(exchange)
  }

  #callHandler(exchange: Exchange): void {
    // The client has left, so no page is rendered.
    if (exchange.message.socket.destroyed) {
      this.#sender.send(exchange, plainReply(503, 'html'))
      return
    }
    let reply: Reply | Promise<Reply>
    try {
      reply = this.#handler(exchange.request)
    } catch (error) {
      reply = this.#handlerFailed(exchange, error)
    }
    if (reply instanceof Promise) void this.#sendLater(exchange, reply)
    else this.#sender.send(exchange, reply)
  }

  async #sendLater(exchange: Exchange, promised: Promise<Reply>): Promise<void> {
    let reply: Reply
    try {
      reply = await promised
    } catch (error) {
      reply = this.#handlerFailed(exchange, error)
    }
    this.#sender.send(exchange, reply)
  }

  #handlerFailed({ request }: Exchange, error: unknown): Reply {
    const stack = error instanceof Error ? error.stack : String(error)
    this.#options.log.error({ id: request.id, stack }, 'a request failed with an internal error')
    return plainReply(500, 'html')
  }

  /** Answers a request with which the framework has failed. */
  #failed(error: FastifyError, incoming: FastifyRequest, outgoing: FastifyReply): void {
    const exchange = this.#exchangeOf(incoming, outgoing)
    // Whether an invalid address is an error depends on the site, so the handler decides. The body was not read.
    if (error.code === 'FST_ERR_BAD_URL') {
      this.#answer(exchange)
      return
    }
    const status = error.statusCode ?? 500
    const isClientError = status >= 400 && status < 500
    if (!isClientError) this.#options.log.error({ id: exchange.request.id, stack: error.stack }, error.message)
    this.#refuse(isClientError ? status : 500, exchange)
  }

  /** Answers a request with an error page of the server. */
  #refuse(status: number, exchange: Exchange): void {
    exchange.started = performance.now()
    this.#sender.sendFinished(exchange, finish(exchange.request, plainReply(status, 'html')))
  }

  /** Returns the exchange of a request that the framework handles, with the body that the framework has read. */
  #exchangeOf({ raw: message, body }: FastifyRequest, framework: FastifyReply): Exchange {
    let exchange = this.#exchanges.get(message)
    if (exchange === undefined) {
      const request = readRequest(message, this.#proxies)
      exchange = { request, message, response: framework.raw, framework, started: 0 }
    }
    exchange.framework = framework
    addBody(exchange.request, body)
    return exchange
  }
}

function noSchemas(): never {
  throw new Error('A route has a schema, but no schema compiler is loaded.')
}
