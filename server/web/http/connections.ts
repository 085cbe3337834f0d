/**
 * Tracks the connections of a server. The requests of a connection are answered one at a time. Clients that read too
 * slowly or send too many requests ahead are disconnected.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import { SECURITY_HEADER_LINES } from '../../core/default-headers.ts'
import { network } from './network.ts'

/** Maximum number of requests that may be queued behind the one being answered. */
const MAX_QUEUED = 64
/** Minimum rate at which a client must read an answer, in bytes per millisecond. */
const MIN_RATE = 16

/**
 * Maximum number of open connections, which all take memory, and the share of the process's file limit that they may
 * use.
 */
const MAX_CONNECTIONS = 10_000
const MAX_FILE_SHARE = 0.7

interface ConnectionState {
  /** Network of the socket's remote address, which may be a proxy. */
  readonly network: string
  /** Number of requests that are not answered yet. */
  unanswered: number
  /** The latest request. */
  latest: { readonly message: IncomingMessage; readonly response: ServerResponse } | null
  /** Requests queued behind the first one. */
  readonly waiting: (() => void)[]
  /** Time of the last answer, or of the accept. */
  idleSince: number
  /** Bytes that had been read at `idleSince`. If more were read, a request is still arriving. */
  bytesRead: number
}

/** The open connections of all servers of a listener. */
export interface Connections {
  readonly size: number
  /** Number of connections accepted so far. */
  readonly acceptedCount: number
  /**
   * Handles the requests of a server. Requests of one connection run one after another, so that a client that pipelines
   * a thousand requests is not served before all others.
   */
  serve(server: Server, handle: RequestListener): void
  /** Records that a connection is a WebSocket now. It is closed by its client, or by `dropAll`. */
  upgraded(socket: Socket): void
  /** Answers a request that is not valid HTTP. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void
  /**
   * Closes connections that have been idle for a time: without an open or partial request. Call it in the check phase
   * of the event loop (`setImmediate`), after all requests that have arrived were read.
   * @param idle minimum milliseconds since the last answer
   * @param unused minimum milliseconds since the start of a connection that has not sent a request
   */
  dropIdle(idle: number, unused: number): void
  dropAll(): void
  /** Resolves when no connection is open. */
  whenEmpty(): Promise<void>
}

/**
 * Creates the tracker.
 * @param maxOpen maximum number of open connections. Each further connection closes a connection of the client with the
 * most connections
 */
export function createConnections(maxOpen = maxConnections()): Connections {
  /** Open connections, in the order in which they were opened. */
  const connectionStates = new Map<Socket, ConnectionState>()
  let acceptedCount = 0
  let emptyCallbacks: (() => void)[] = []
  return {
    get size() {
      return connectionStates.size
    },
    get acceptedCount() {
      return acceptedCount
    },
    serve(server, handle) {
      server.on('connection', (socket) => {
        acceptedCount++
        const clientNetwork = network(socket.remoteAddress ?? '')
        const idleSince = performance.now()
        connectionStates.set(socket, {
          network: clientNetwork,
          unanswered: 0,
          latest: null,
          waiting: [],
          idleSince,
          bytesRead: 0,
        })
        if (connectionStates.size > maxOpen) chooseVictim(connectionStates, socket).destroy()
        socket.once('close', () => {
          connectionStates.delete(socket)
          if (connectionStates.size > 0) return
          for (const done of emptyCallbacks) done()
          emptyCallbacks = []
        })
      })
      const receive = (message: IncomingMessage, response: ServerResponse): void => {
        const { socket } = message
        const state = connectionStates.get(socket)
        if (state === undefined) return
        state.unanswered++
        state.latest = { message, response }
        response.once('close', () => {
          state.unanswered--
          state.idleSince = performance.now()
          state.bytesRead = socket.bytesRead
          const startNext = state.waiting.shift()
          // Deferred, so that other connections get their turn in between.
          if (startNext !== undefined) setImmediate(startNext)
        })
        if (state.unanswered === 1) handle(message, response)
        else if (state.waiting.length >= MAX_QUEUED) socket.destroy()
        else state.waiting.push(() => (socket.destroyed ? undefined : handle(message, response)))
      }
      server.on('request', receive)
      // `handle` asks the client for its body if the body is needed.
      server.on('checkContinue', receive)
    },
    upgraded(socket) {
      const state = connectionStates.get(socket)
      // As if a request were open, so that the connection is not idle.
      if (state !== undefined) state.unanswered++
    },
    refuse(error, socket) {
      // The client must not mistake the error for the answer to an earlier, complete request.
      const { unanswered, latest } = connectionStates.get(socket) ?? { unanswered: 0, latest: null }
      const isOwnError = unanswered === 1 && latest !== null && !latest.message.complete && !latest.response.headersSent
      if (error.code === 'ECONNRESET' || !socket.writable || (unanswered > 0 && !isOwnError)) socket.destroy()
      else socket.end(refusalMessage(error.code), () => socket.destroy())
    },
    dropIdle(idle, unused) {
      const now = performance.now()
      for (const [socket, { unanswered, latest, idleSince, bytesRead }] of connectionStates) {
        const isOver = now - idleSince >= (latest === null ? unused : idle)
        if (unanswered === 0 && isOver && socket.bytesRead === bytesRead) socket.destroy()
      }
    },
    dropAll() {
      for (const socket of connectionStates.keys()) socket.destroy()
    },
    whenEmpty() {
      return connectionStates.size === 0 ? Promise.resolve() : new Promise((resolve) => emptyCallbacks.push(resolve))
    },
  }
}

/**
 * Returns the connection to close when there are too many. One client must not lock others out. Therefore the client
 * with the most connections loses its oldest idle connection, or else its oldest connection with an incomplete request.
 * If all its connections are being answered, the other clients are searched in the same way. Otherwise the new
 * connection is closed.
 */
function chooseVictim(connectionStates: ReadonlyMap<Socket, ConnectionState>, newest: Socket): Socket {
  const counts = new Map<string, number>()
  for (const { network } of connectionStates.values()) counts.set(network, (counts.get(network) ?? 0) + 1)
  let victim = newest
  let victimCount = 0
  let isIdle = false
  for (const [socket, { network, unanswered, latest }] of connectionStates) {
    if (socket.destroyed || (unanswered > 0 && (unanswered > 1 || latest?.message.complete !== false))) continue
    const count = counts.get(network) ?? 0
    if (count < victimCount || (count === victimCount && (isIdle || unanswered > 0))) continue
    victim = socket
    victimCount = count
    isIdle = unanswered === 0
  }
  return victim
}

function maxConnections(): number {
  return Math.max(16, Math.min(MAX_CONNECTIONS, Math.floor(maxOpenFiles() * MAX_FILE_SHARE)))
}

/** Returns the number of files that this process may open. */
function maxOpenFiles(): number {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return line === null ? Number.POSITIVE_INFINITY : Number(line[1])
  } catch {
    // Systems without /proc have no known limit.
    return Number.POSITIVE_INFINITY
  }
}

function refusalMessage(code: string | undefined): string {
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
        ? '413 Payload Too Large'
        : code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request'
  const body = `${status.slice(4)}.\n`
  const lines = [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/plain; charset=utf-8',
    ...SECURITY_HEADER_LINES,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/**
 * Closes the connection of a client that does not read the answer, which would otherwise stay in memory.
 * @param patience milliseconds that may pass without progress
 * @param bytes size of the answer when it is in memory: all of it must be read within a time that grows with the size
 */
export function disconnectSlowReader(response: ServerResponse, patience: number, bytes: number | null): void {
  const { socket } = response
  if (socket === null) return
  // Node measures from the last byte sent. It replaces this timeout with a new one when the answer is sent.
  socket.setTimeout(patience)
  if (bytes === null) return
  const timeout = setTimeout(() => socket.destroy(), patience + bytes / MIN_RATE)
  timeout.unref()
  response.once('close', () => clearTimeout(timeout))
}

/** Milliseconds without a new connection after which no more clients are expected. */
const QUIET_TIME = 20
const QUIET_CHECK_INTERVAL = 5
/** Maximum number of event loop rounds to wait for a round without a new connection. */
const MAX_ROUNDS = 1_000
/** Maximum milliseconds of a round. In a longer round, connections may have arrived after the check. */
const MAX_ROUND_TIME = 2

/**
 * Accepts connections until none has arrived for a moment, or until `limit` milliseconds have passed. The kernel resets
 * waiting connections when the last process closes the socket.
 */
export async function acceptWaiting(connections: Pick<Connections, 'acceptedCount'>, limit: number): Promise<void> {
  const deadline = performance.now() + limit
  let { acceptedCount } = connections
  for (let quietTime = 0; quietTime < QUIET_TIME && performance.now() < deadline; quietTime += QUIET_CHECK_INTERVAL) {
    await sleep(QUIET_CHECK_INTERVAL)
    if (connections.acceptedCount !== acceptedCount) quietTime = 0
    acceptedCount = connections.acceptedCount
  }
}

/**
 * Resolves in a round of the event loop that has found no waiting connection, so that a listener closed at once resets
 * none. A round accepts one connection, and other work in the round delays the closing.
 */
export async function whenNoneWaits(connections: Pick<Connections, 'acceptedCount'>): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { acceptedCount } = connections
    const roundStart = performance.now()
    await nextRound()
    if (connections.acceptedCount === acceptedCount && performance.now() - roundStart < MAX_ROUND_TIME) return
  }
}

/**
 * Accepts no more connections; resolves when the last one has ended. `http.Server.close` is not used because it closes
 * idle connections at once.
 */
export function stopAccepting(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
}
