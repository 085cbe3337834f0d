/**
 * The listening sockets of a server. The supervisor holds them, so they stay open even when every worker dies at once. Each worker
 * accepts connections on its own copy of the sockets. While no worker is ready, the supervisor accepts connections: they wait
 * for the next worker, up to a limit, and further ones are answered with 503.
 *
 * Node accepts connections for as long as a `net.Server` listens on a handle, and only closing the handle ends that. So the supervisor
 * holds a bare handle, which accepts nothing, as `node:cluster` does. Each worker sends back a copy of it. After the
 * supervisor has listened on its own handle and a worker is ready again, it closes that handle and holds the copy.
 */
import type { ChildProcess, SendHandle } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { SECURITY_HEADER_LINES } from '../../core/default-headers.ts'
import type { ToWorker } from './messages.ts'

export interface SocketOptions {
  /** Name or address. `localhost` means all addresses of that name. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Maximum number of connections that wait while no worker is ready; 1,000 by default. */
  readonly waiting?: number
  /** Returns the ready worker that gets the next waiting connection; null when there is none. */
  readonly worker: () => ChildProcess | null
  readonly log: { warn(fields: object, message: string): void }
}

interface HeldSocket {
  /** Accepts connections instead of the workers; null while workers accept. */
  guard: Server | null
  /** The held handle; the same as the guard's handle if there is a guard. */
  handle: SendHandle
  /** The copy from the latest worker. */
  spare: SendHandle | null
}

const MAX_WAITING = 1_000
/** Milliseconds that a connection waits for a worker before it is answered with 503. */
const WAITING_TIMEOUT = 30_000
/** Maximum number of connections that may read their 503 at once. Further ones are closed without an answer. */
const MAX_REFUSED = 1_000
/** Milliseconds in which a client may read its 503. */
const READ_TIME = 1_000

const UNAVAILABLE_BODY = 'The site is not available right now: try again in a few seconds.\n'
const UNAVAILABLE = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/plain; charset=utf-8',
  ...SECURITY_HEADER_LINES,
  'Cache-Control: no-store',
  `Content-Length: ${UNAVAILABLE_BODY.length}`,
  'Retry-After: 5',
  'Connection: close',
  '',
  UNAVAILABLE_BODY,
].join('\r\n')

const VISITOR_MESSAGE: ToWorker = { type: 'visitor' }

export class ListeningSockets {
  readonly #options: SocketOptions
  readonly #most: number
  /** Connections that wait for a worker, the oldest first, each with its timeout. */
  readonly #waiting = new Map<Socket, NodeJS.Timeout>()
  #sockets: HeldSocket[] = []
  #opening: Promise<void> | null = null
  #handing = false
  #refused = 0
  #closed = false

  constructor(options: SocketOptions) {
    this.#options = options
    this.#most = options.waiting ?? MAX_WAITING
  }

  /**
   * Starts listening; a second call has no effect. Connections wait until `onWorkerReady` is called.
   * @throws NodeJS.ErrnoException with the system's code (`EADDRINUSE`, …)
   */
  open(): Promise<void> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  /** Sends a worker copies of the sockets, in one message each. */
  lend(to: ChildProcess): void {
    const { length } = this.#sockets
    for (const [at, { handle }] of this.#sockets.entries())
      to.send({ type: 'socket', at, count: length } satisfies ToWorker, handle)
  }

  /** Stores the copy of a socket that a worker has sent back. */
  storeCopy(at: number, copy: SendHandle): void {
    const socket = this.#sockets[at]
    if (this.#closed || socket === undefined) {
      closeHandle(copy)
      return
    }
    closeHandle(socket.spare)
    socket.spare = copy
  }

  /** Called when a worker is ready: it accepts from now on, and gets the waiting connections. */
  onWorkerReady(): void {
    for (const socket of this.#sockets) {
      const { guard, spare } = socket
      if (guard !== null && spare !== null) {
        guard.close()
        socket.guard = null
        socket.handle = spare
      } else closeHandle(spare)
      socket.spare = null
    }
    if (this.#refused > 0)
      this.#options.log.warn(
        { refused: this.#refused },
        `${this.#refused} connections were answered with 503 meanwhile`,
      )
    this.#refused = 0
    this.#handOver()
  }

  /** Called when no worker is ready any more: connections wait for the next one. */
  onNoWorker(): void {
    if (this.#closed) return
    for (const socket of this.#sockets) socket.guard ??= this.#guardOn(socket.handle)
  }

  /** Closes this process's copies of the sockets. Waiting connections are answered with 503. */
  close(): void {
    this.#closed = true
    for (const { guard, handle, spare } of this.#sockets) {
      if (guard === null) closeHandle(handle)
      else guard.close()
      closeHandle(spare)
    }
    this.#sockets = []
    for (const socket of [...this.#waiting.keys()]) this.#refuse(socket)
  }

  async #open(): Promise<void> {
    const { host, port } = this.#options
    // A name without an address is reported when listening fails.
    const addresses = host === 'localhost' ? await lookup(host, { all: true }).catch(() => []) : []
    const [first = host, ...others] = new Set(addresses.map(({ address }) => address))
    const guard = this.#guard()
    await listenOn(guard, first, port)
    const address = guard.address()
    const chosenPort = typeof address === 'object' && address !== null ? address.port : port
    const guards = [guard]
    for (const other of others) {
      const otherGuard = this.#guard()
      // IPv4 or IPv6 may be disabled.
      await listenOn(otherGuard, other, chosenPort).then(
        () => guards.push(otherGuard),
        () => undefined,
      )
    }
    if (this.#closed) for (const server of guards) server.close()
    else
      this.#sockets = guards.map((server) => ({
        guard: server,
        handle: handleOf(server),
        spare: null,
      }))
  }

  #guard(): Server {
    // Paused, so that only the process that answers reads bytes.
    const guard = createServer({ pauseOnConnect: true }, (socket) => this.#receive(socket))
    guard.maxConnections = this.#most + MAX_REFUSED
    return guard
  }

  #guardOn(handle: SendHandle): Server {
    const guard = this.#guard()
    guard.on('error', ({ message }) => this.#options.log.warn({}, `connections cannot wait for a worker: ${message}`))
    return guard.listen(handle)
  }

  #receive(socket: Socket): void {
    // A client that disconnects while it waits needs no answer.
    socket.on('error', () => undefined)
    if (this.#closed || this.#waiting.size >= this.#most) {
      this.#refuse(socket)
      return
    }
    this.#waiting.set(
      socket,
      setTimeout(() => this.#refuse(socket), WAITING_TIMEOUT),
    )
    this.#handOver()
  }

  #refuse(socket: Socket): void {
    this.#forget(socket)
    if (++this.#refused === 1 && !this.#closed)
      this.#options.log.warn({}, 'No worker is ready, and too many connections wait: some are answered with 503.')
    socket.end(UNAVAILABLE)
    // With unread bytes, the system would reset the connection before the client has read the answer.
    socket.resume()
    setTimeout(() => socket.destroy(), READ_TIME).unref()
  }

  #forget(socket: Socket): void {
    clearTimeout(this.#waiting.get(socket))
    this.#waiting.delete(socket)
  }

  /** Sends the waiting connections to workers one by one, so that a worker that dies loses only one of them. */
  #handOver(): void {
    const [socket] = this.#waiting.keys()
    const to = this.#options.worker()
    if (this.#handing || socket === undefined || to === null) return
    this.#handing = true
    this.#forget(socket)
    let hasEnded = false
    const next = (error: Error | null = null): void => {
      if (hasEnded) return
      hasEnded = true
      to.off('exit', ended)
      if (error !== null) socket.destroy()
      this.#handing = false
      this.#handOver()
    }
    const ended = (): void => next(new Error('the worker has ended'))
    to.once('exit', ended)
    to.send(VISITOR_MESSAGE, socket, {}, next)
  }
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/** Returns the bare handle of a server, which can be sent to another process without listening on it there. */
function handleOf(server: Server): SendHandle {
  // Node has no public API for the handle.
  return (server as Server & { readonly _handle: SendHandle })._handle
}

function closeHandle(handle: SendHandle | null): void {
  if (handle !== null && handle !== undefined && 'close' in handle) handle.close()
}
