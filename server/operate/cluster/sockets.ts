/**
 * The listening sockets of a server. The supervisor holds them, so they stay open when every worker dies at once. Workers accept
 * connections themselves, each on a copy of the sockets. While no worker is ready the supervisor accepts in their place: connections
 * wait for the next worker, up to a limit, and further ones are answered with 503.
 *
 * Node accepts on a socket for as long as a `net.Server` listens on its handle, and only closing the handle ends that. So the
 * supervisor holds a bare handle, which accepts nothing, as `node:cluster` does for its workers. Each worker sends back a copy of
 * it: when the supervisor has listened on its own handle and a worker is ready again, it closes this one and holds the copy.
 */
import type { ChildProcess, SendHandle } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { ToWorker } from './messages.ts'

export interface SocketOptions {
  /** Name or address. `localhost` means all addresses of that name. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Most connections that wait while no worker is ready; 1,000 by default. */
  readonly waiting?: number
  /** Returns the ready worker that gets the next waiting connection; null when there is none. */
  readonly worker: () => ChildProcess | null
  readonly log: { warn(fields: object, message: string): void }
}

interface HeldSocket {
  /** Accepts in the workers' place; null while workers accept. */
  guard: Server | null
  /** The handle that is held; the same as the guard's, if there is one. */
  handle: SendHandle
  /** The copy that the latest worker has sent back. */
  spare: SendHandle | null
}

const WAITING = 1_000
/** Milliseconds that a connection waits for a worker before it is answered with 503. */
const PATIENCE = 30_000
/** Most connections that may read their 503 at the same time; beyond these, connections are closed without an answer. */
const REFUSED = 1_000
/** Milliseconds in which a client may read its 503. */
const READ_TIME = 1_000

const BODY = 'The site is not available right now: try again in a few seconds.\n'
const UNAVAILABLE = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/plain; charset=utf-8',
  'X-Content-Type-Options: nosniff',
  'Cache-Control: no-store',
  `Content-Length: ${BODY.length}`,
  'Retry-After: 5',
  'Connection: close',
  '',
  BODY,
].join('\r\n')

const VISITOR: ToWorker = { type: 'visitor' }

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
    this.#most = options.waiting ?? WAITING
  }

  /**
   * Starts listening; a second call has no effect. Connections wait until `relieve` is called.
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

  /** Takes the copy of a socket that a worker has sent back. */
  keep(at: number, copy: SendHandle): void {
    const socket = this.#sockets[at]
    if (this.#closed || socket === undefined) {
      closeHandle(copy)
      return
    }
    closeHandle(socket.spare)
    socket.spare = copy
  }

  /** A worker is ready: it accepts from now on, and gets the connections that wait. */
  relieve(): void {
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

  /** No worker is ready any more: connections wait for the next one. */
  guard(): void {
    if (this.#closed) return
    for (const socket of this.#sockets) socket.guard ??= this.#guardOn(socket.handle)
  }

  /** Closes this process's copies of the sockets. Connections that still wait are answered with 503. */
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
    // A name without an address is reported when it is listened on.
    const found = host === 'localhost' ? await lookup(host, { all: true }).catch(() => []) : []
    const [first = host, ...others] = new Set(found.map(({ address }) => address))
    const guard = this.#guard()
    await listenOn(guard, first, port)
    const address = guard.address()
    const chosen = typeof address === 'object' && address !== null ? address.port : port
    const guards = [guard]
    for (const other of others) {
      const more = this.#guard()
      // One of the two families may be switched off.
      await listenOn(more, other, chosen).then(
        () => guards.push(more),
        () => undefined,
      )
    }
    if (this.#closed) for (const one of guards) one.close()
    else
      this.#sockets = guards.map((one) => ({
        guard: one,
        handle: handleOf(one),
        spare: null,
      }))
  }

  #guard(): Server {
    // Paused, so that no byte is read by another process than the one that answers.
    const guard = createServer({ pauseOnConnect: true }, (socket) => this.#receive(socket))
    guard.maxConnections = this.#most + REFUSED
    return guard
  }

  #guardOn(handle: SendHandle): Server {
    const guard = this.#guard()
    guard.on('error', ({ message }) => this.#options.log.warn({}, `connections cannot wait for a worker: ${message}`))
    return guard.listen(handle)
  }

  #receive(socket: Socket): void {
    // A client that leaves while it waits needs no answer.
    socket.on('error', () => undefined)
    if (this.#closed || this.#waiting.size >= this.#most) {
      this.#refuse(socket)
      return
    }
    this.#waiting.set(
      socket,
      setTimeout(() => this.#refuse(socket), PATIENCE),
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

  /** Sends the waiting connections to workers one by one: a worker that dies meanwhile loses only the one that it was sent. */
  #handOver(): void {
    const [socket] = this.#waiting.keys()
    const to = this.#options.worker()
    if (this.#handing || socket === undefined || to === null) return
    this.#handing = true
    this.#forget(socket)
    let over = false
    const next = (error: Error | null = null): void => {
      if (over) return
      over = true
      to.off('exit', ended)
      if (error !== null) socket.destroy()
      this.#handing = false
      this.#handOver()
    }
    const ended = (): void => next(new Error('the worker has ended'))
    to.once('exit', ended)
    to.send(VISITOR, socket, {}, next)
  }
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/** The bare handle of a server, which can be sent to another process without being listened on there. */
function handleOf(server: Server): SendHandle {
  return (server as unknown as { readonly _handle: SendHandle })._handle
}

function closeHandle(handle: SendHandle | null): void {
  if (handle !== null && handle !== undefined && 'close' in handle) handle.close()
}
