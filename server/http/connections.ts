/** Connections of a server: each has one request answered at a time, and none is kept for who does not read or sends too much ahead. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/** Requests that may have come behind the one that is being answered. */
const AHEAD = 64
/** Bytes a millisecond at which an answer must be read at the least. */
const SLOWEST = 16

/** Connections at the most, each of which takes memory; and the share of the files that the system lets us open, which they are too. */
const MOST = 10_000
const SHARE = 0.7

interface ConnectionState {
  /** Address that it comes from: the proxy's, behind one. */
  readonly from: string
  /** Requests that are not answered yet. */
  open: number
  /** The last one that came. */
  last: { readonly message: IncomingMessage; readonly response: ServerResponse } | null
  /** Those behind the first one. */
  readonly waiting: (() => void)[]
}

/** What is open, of all servers of a listener. */
export interface Connections {
  readonly size: number
  /** How many were taken so far. */
  readonly taken: number
  /**
   * Hands on the requests of a server, those of one connection one after another: who sends a thousand at once would otherwise
   * have them all answered at once, before anybody else.
   */
  serve(server: Server, handle: RequestListener): void
  /** Answers what is no HTTP. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void
  /** Cuts those off that have no open request. */
  dropIdle(): void
  dropAll(): void
}

/** @param most that may be open; of more, idle ones are closed */
export function createConnections(most = mostOpen()): Connections {
  /** The oldest first. */
  const lines = new Map<Socket, ConnectionState>()
  let taken = 0
  return {
    get size() {
      return lines.size
    },
    get taken() {
      return taken
    },
    serve(server, handle) {
      server.on('connection', (socket) => {
        taken++
        lines.set(socket, { from: socket.remoteAddress ?? '', open: 0, last: null, waiting: [] })
        if (lines.size > most) spare(lines)?.destroy()
        socket.once('close', () => lines.delete(socket))
      })
      server.on('request', (message: IncomingMessage, response: ServerResponse) => {
        const { socket } = message
        const line = lines.get(socket)
        if (line === undefined) return
        line.open++
        line.last = { message, response }
        response.once('close', () => {
          line.open--
          const next = line.waiting.shift()
          // In a turn of its own: others come in between.
          if (next !== undefined) setImmediate(next)
        })
        if (line.open === 1) handle(message, response)
        else if (line.waiting.length >= AHEAD) socket.destroy()
        else line.waiting.push(() => (socket.destroyed ? undefined : handle(message, response)))
      })
    },
    refuse(error, socket) {
      // It must not be taken for the answer to a request that came whole.
      const { open, last } = lines.get(socket) ?? { open: 0, last: null }
      const own = open === 1 && last !== null && !last.message.complete && !last.response.headersSent
      if (error.code === 'ECONNRESET' || !socket.writable || (open > 0 && !own)) socket.destroy()
      else socket.end(refusalOf(error.code), () => socket.destroy())
    },
    dropIdle() {
      for (const [socket, { open }] of lines) if (open === 0) socket.destroy()
    },
    dropAll() {
      for (const socket of lines.keys()) socket.destroy()
    },
  }
}

/** The oldest idle connection of whoever has most of them: opening many and saying nothing keeps nobody out. */
function spare(lines: ReadonlyMap<Socket, ConnectionState>): Socket | null {
  const idle = new Map<string, { readonly oldest: Socket; count: number }>()
  for (const [socket, { from, open }] of lines) {
    if (open > 0 || socket.destroyed) continue
    const known = idle.get(from)
    if (known === undefined) idle.set(from, { oldest: socket, count: 1 })
    else known.count++
  }
  let most: { readonly oldest: Socket; readonly count: number } | null = null
  for (const each of idle.values()) if (most === null || each.count > most.count) most = each
  return most?.oldest ?? null
}

function mostOpen(): number {
  return Math.max(16, Math.min(MOST, Math.floor(openFiles() * SHARE)))
}

/** How many files this process may have open. */
function openFiles(): number {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return line === null ? Number.POSITIVE_INFINITY : Number(line[1])
  } catch {
    // Systems that do not say.
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
 * Cuts a connection off whose visitor does not read the answer: it would be kept in memory for ever.
 * @param patience milliseconds in which nothing may happen
 * @param bytes of the answer, if it lies in memory: it must be read in a bounded time, however slowly
 */
export function expectReader(response: ServerResponse, patience: number, bytes: number | null): void {
  const { socket } = response
  if (socket === null) return
  // Node counts from the last byte that went out, and puts its own time in the place of ours when the answer is sent.
  socket.setTimeout(patience)
  if (bytes === null) return
  const late = setTimeout(() => socket.destroy(), patience + bytes / SLOWEST)
  late.unref()
  response.once('close', () => clearTimeout(late))
}

/** Takes no more connections; resolves when the last one has ended. `http.Server.close` would also cut idle ones off at once. */
export function stopAccepting(server: Server): Promise<void> {
  return new Promise((done) => NetServer.prototype.close.call(server, () => done()))
}
