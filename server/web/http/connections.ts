/**
 * The connections of a server. Each has one request answered at a time, and a client that does not read or sends too
 * much ahead is disconnected.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import { network } from './network.ts'

/** Most requests that may be queued behind the one being answered. */
const MAX_QUEUED = 64
/** Bytes per millisecond: the lowest rate at which a client must read an answer. */
const MIN_RATE = 16

/**
 * Most open connections, because each takes memory; and their largest share of the process's file limit, which they
 * also count against.
 */
const MAX_CONNECTIONS = 10_000
const MAX_FILE_SHARE = 0.7

interface ConnectionState {
  /** Network of the socket's remote address: that of the proxy, behind one. */
  readonly from: string
  /** Requests that are not answered yet. */
  open: number
  /** The latest request. */
  last: { readonly message: IncomingMessage; readonly response: ServerResponse } | null
  /** Requests queued behind the first one. */
  readonly waiting: (() => void)[]
  /** When it was last answered, or was accepted. */
  idleSince: number
  /** Bytes that had been read by then. More of them are a request that is still being sent. */
  bytesRead: number
}

/** The open connections of all servers of a listener. */
export interface Connections {
  readonly size: number
  /** Number of connections accepted so far. */
  readonly accepted: number
  /**
   * Handles the requests of a server. Requests of one connection run one after another, so that a client that pipelines
   * a thousand is not served before everybody else.
   */
  serve(server: Server, handle: RequestListener): void
  /** Answers a request that is not valid HTTP. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void
  /**
   * Closes connections that have been idle for a time: without an open request, and without a part of one. Must be called
   * in the check phase of the event loop (`setImmediate`), after all requests that have arrived were read.
   * @param idle milliseconds since the last answer
   * @param unused the same since the start of a connection that has sent no request
   */
  dropIdle(idle: number, unused: number): void
  dropAll(): void
  /** Resolves when no connection is open. */
  emptied(): Promise<void>
}

/** @param most connections that may be open; further ones close one of the client that has most */
export function createConnections(most = mostOpen()): Connections {
  /** In the order in which they were opened. */
  const lines = new Map<Socket, ConnectionState>()
  let accepted = 0
  let emptied: (() => void)[] = []
  return {
    get size() {
      return lines.size
    },
    get accepted() {
      return accepted
    },
    serve(server, handle) {
      server.on('connection', (socket) => {
        accepted++
        const from = network(socket.remoteAddress ?? '')
        const idleSince = performance.now()
        lines.set(socket, { from, open: 0, last: null, waiting: [], idleSince, bytesRead: 0 })
        if (lines.size > most) givesWay(lines, socket).destroy()
        socket.once('close', () => {
          lines.delete(socket)
          if (lines.size > 0) return
          for (const done of emptied) done()
          emptied = []
        })
      })
      const take = (message: IncomingMessage, response: ServerResponse): void => {
        const { socket } = message
        const line = lines.get(socket)
        if (line === undefined) return
        line.open++
        line.last = { message, response }
        response.once('close', () => {
          line.open--
          line.idleSince = performance.now()
          line.bytesRead = socket.bytesRead
          const next = line.waiting.shift()
          // Deferred, so that other connections get their turn in between.
          if (next !== undefined) setImmediate(next)
        })
        if (line.open === 1) handle(message, response)
        else if (line.waiting.length >= MAX_QUEUED) socket.destroy()
        else line.waiting.push(() => (socket.destroyed ? undefined : handle(message, response)))
      }
      server.on('request', take)
      // Who waits with a body is asked for it by `handle`, where it is wanted.
      server.on('checkContinue', take)
    },
    refuse(error, socket) {
      // The error must not be taken for the answer to an earlier, complete request.
      const { open, last } = lines.get(socket) ?? { open: 0, last: null }
      const own = open === 1 && last !== null && !last.message.complete && !last.response.headersSent
      if (error.code === 'ECONNRESET' || !socket.writable || (open > 0 && !own)) socket.destroy()
      else socket.end(refusalOf(error.code), () => socket.destroy())
    },
    dropIdle(idle, unused) {
      const now = performance.now()
      for (const [socket, { open, last, idleSince, bytesRead }] of lines) {
        const isOver = now - idleSince >= (last === null ? unused : idle)
        if (open === 0 && isOver && socket.bytesRead === bytesRead) socket.destroy()
      }
    },
    dropAll() {
      for (const socket of lines.keys()) socket.destroy()
    },
    emptied() {
      return lines.size === 0 ? Promise.resolve() : new Promise((done) => emptied.push(done))
    },
  }
}

/**
 * The connection that is closed for a new one. The client that has most connections gives way, so that many connections
 * of one client do not lock others out: its oldest idle one, or else its oldest one whose request has not arrived whole.
 * When all of these are being answered, the same is looked for among all clients; otherwise the new one is closed.
 */
function givesWay(lines: ReadonlyMap<Socket, ConnectionState>, latest: Socket): Socket {
  const counts = new Map<string, number>()
  for (const { from } of lines.values()) counts.set(from, (counts.get(from) ?? 0) + 1)
  let best = latest
  let bestCount = 0
  let isIdle = false
  for (const [socket, { from, open, last }] of lines) {
    if (socket.destroyed || (open > 0 && (open > 1 || last?.message.complete !== false))) continue
    const count = counts.get(from) ?? 0
    if (count < bestCount || (count === bestCount && (isIdle || open > 0))) continue
    best = socket
    bestCount = count
    isIdle = open === 0
  }
  return best
}

function mostOpen(): number {
  return Math.max(16, Math.min(MAX_CONNECTIONS, Math.floor(openFiles() * MAX_FILE_SHARE)))
}

/** How many files this process may open. */
function openFiles(): number {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return line === null ? Number.POSITIVE_INFINITY : Number(line[1])
  } catch {
    // Systems without /proc do not tell.
    return Number.POSITIVE_INFINITY
  }
}

function refusalOf(code: string | undefined): string {
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW'
        ? '413 Payload Too Large'
        : code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request'
  const body = `${status.slice(4)}.\n`
  const headers = `Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${body.length}`
  return `HTTP/1.1 ${status}\r\n${headers}\r\nConnection: close\r\n\r\n${body}`
}

/**
 * Closes the connection of a client that does not read the answer, which would otherwise stay in memory.
 * @param patience milliseconds that may pass without progress
 * @param bytes size of the answer when it is in memory: all of it must be read within a time that grows with the size
 */
export function disconnectSlowReader(response: ServerResponse, patience: number, bytes: number | null): void {
  const { socket } = response
  if (socket === null) return
  // Node measures from the last byte sent, and replaces this timeout by its own when the answer is sent.
  socket.setTimeout(patience)
  if (bytes === null) return
  const late = setTimeout(() => socket.destroy(), patience + bytes / MIN_RATE)
  late.unref()
  response.once('close', () => clearTimeout(late))
}

/** Milliseconds without a new connection after which a listener is taken to have no more clients on their way. */
const QUIET = 20
const QUIET_CHECK = 5
/** Most rounds of the event loop that are waited for one in which no connection came. */
const MAX_ROUNDS = 1_000
/** Milliseconds: a longer round may have let connections in since it looked for them. */
const BRIEF = 2

/**
 * Accepts connections until none has come for a moment, or until `limit` milliseconds have passed: the kernel resets
 * those that still wait when the last process closes the socket.
 */
export async function acceptWaiting(connections: Pick<Connections, 'accepted'>, limit: number): Promise<void> {
  const until = performance.now() + limit
  let { accepted } = connections
  for (let quiet = 0; quiet < QUIET && performance.now() < until; quiet += QUIET_CHECK) {
    await sleep(QUIET_CHECK)
    if (connections.accepted !== accepted) quiet = 0
    accepted = connections.accepted
  }
}

/**
 * Resolves within a round of the event loop that has found no connection waiting, so that a listener that is closed at
 * once resets none. A round accepts one connection, and what else is done in it delays the closing.
 */
export async function whenNoneWaits(connections: Pick<Connections, 'accepted'>): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { accepted } = connections
    const before = performance.now()
    await nextRound()
    if (connections.accepted === accepted && performance.now() - before < BRIEF) return
  }
}

/**
 * Accepts no more connections; resolves when the last one has ended. `http.Server.close` is not used because it closes
 * idle connections at once.
 */
export function stopAccepting(server: Server): Promise<void> {
  return new Promise((done) => NetServer.prototype.close.call(server, () => done()))
}
