/**
 * The process that prints documents for all processes of a server. It ends when no process is connected, which also happens when the server
 * is killed, and when nothing was printed for some minutes.
 */
import { chmodSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import * as z from 'zod'
import { removeLeftovers } from '../leftovers.ts'
import { PROFILE_PREFIX } from './chromium.ts'
import { MAX_HTML, PrintFailure, type Resource } from './model.ts'
import { Press } from './press.ts'
import { receiveMessages, sendMessage, toPrinter } from './wire.ts'

/** The options of the process, as JSON in its first argument. */
export const serviceOptions = z.object({
  socket: z.string(),
  program: z.string(),
  memory: z.number(),
  sandbox: z.boolean(),
  time: z.number(),
  atOnce: z.number(),
  /** Milliseconds after the last document. */
  idle: z.number(),
})
export type ServiceOptions = z.infer<typeof serviceOptions>

/** Milliseconds for which the process stays without a connection. */
const ALONE_TIME = 2_000
const CHECK_INTERVAL = 500

/**
 * Starts the service.
 * @param onEnd called when it has ended
 * @returns a function that ends it
 */
export async function startService(options: ServiceOptions, onEnd: () => void): Promise<() => Promise<void>> {
  const { socket: path, idle } = options
  void removeLeftovers(tmpdir(), PROFILE_PREFIX)
  const press = new Press(options)
  const clients = new Set<Socket>()
  let lastConnected = performance.now()
  let lastUsed = performance.now()
  const server = createServer((socket) => {
    clients.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clients.delete(socket)
      lastConnected = performance.now()
    })
    serveClient(socket, press, () => {
      lastUsed = performance.now()
    })
  })
  const owns = await listenAt(server, path)
  let isEnding = false
  const end = async (): Promise<void> => {
    if (isEnding) return
    isEnding = true
    clearInterval(timer)
    // From now on, clients start another process.
    if (owns()) rmSync(path, { force: true })
    server.close()
    for (const client of clients) client.destroy()
    await press.close()
    onEnd()
  }
  const timer = setInterval(() => {
    const now = performance.now()
    const isAlone = clients.size === 0 && now - lastConnected > ALONE_TIME
    // Another process has taken the address, because both started at the same time.
    const isUnused = !press.isBusy && (now - lastUsed > idle || !owns())
    if (isAlone || isUnused) void end()
  }, CHECK_INTERVAL)
  return end
}

/**
 * Listens at an address. A process that was killed leaves its socket there, so the new socket is created beside it and replaces it.
 * @returns a function that tells whether the socket at the address still belongs to this process
 */
async function listenAt(server: Server, path: string): Promise<() => boolean> {
  const isPipe = process.platform === 'win32'
  const own = isPipe ? path : `${path}.${process.pid}`
  if (!isPipe) rmSync(own, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(own, resolve)
  })
  if (isPipe) return () => true
  chmodSync(own, 0o600)
  const { ino } = statSync(own)
  renameSync(own, path)
  return () => statSync(path, { throwIfNoEntry: false })?.ino === ino
}

function serveClient(socket: Socket, press: Press, onUse: () => void): void {
  /** Requests for resources that the client has not answered, by document and number. */
  const open = new Map<string, (resource: Resource | null) => void>()
  const left = new AbortController()
  socket.on('close', () => {
    left.abort(new PrintFailure('The process that printed the document has ended.', 'broken'))
    for (const answer of open.values()) answer(null)
  })
  let requests = 0

  const print = async (id: number, html: string, url: string, time: number): Promise<void> => {
    onUse()
    try {
      if (html.length > MAX_HTML) throw new PrintFailure('The document is too large.', 'size')
      const pdf = await press.print(
        { html, url, time },
        async (request) => {
          if (left.signal.aborted) return null
          const number = ++requests
          try {
            return await new Promise<Resource | null>((resolve) => {
              open.set(`${id} ${number}`, resolve)
              sendMessage(socket, { type: 'fetch', id, request: number, ...request })
            })
          } finally {
            open.delete(`${id} ${number}`)
          }
        },
        left.signal,
      )
      sendMessage(socket, { type: 'printed', id }, pdf)
    } catch (error) {
      const { message, reason } =
        error instanceof PrintFailure
          ? error
          : { message: error instanceof Error ? error.message : String(error), reason: 'broken' as const }
      sendMessage(socket, { type: 'failed', id, reason, message })
    } finally {
      onUse()
    }
  }

  receiveMessages(socket, toPrinter, (message, body) => {
    if (message.type === 'print') void print(message.id, body.toString(), message.url, message.time)
    else {
      const { id, request, status, headers } = message
      open.get(`${id} ${request}`)?.(status === 0 ? null : { status, headers, body })
    }
  })
}
