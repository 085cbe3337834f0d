/**
 * Clients send requests on kept connections while processes start and stop on a busy machine. A client that respects the
 * announced keep-alive time never loses a request.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { REUSE_TIME, KEEP_ALIVE } from '../../../../server/web/http/head.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Reply } from '../../../../server/web/http/message.ts'
import { type Programs, programs } from '../../../support/server/program.ts'
import { builtFolder } from '../../../support/server/served-bundle.ts'

const PAGES = {
  '/': '() => "home"',
  // Keeps its process from reading for a moment.
  work: '(r) => { r.services.clock.now(); const end = performance.now() + 20; while (performance.now() < end); return "worked" }',
}

let ingot: Programs
const burners: ChildProcess[] = []
const agents: Agent[] = []
const sockets: Socket[] = []

beforeAll(async () => {
  ingot = await programs()
})
afterEach(() => {
  stopBurning()
  for (const agent of agents.splice(0)) agent.destroy()
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => ingot.clean())

/** Starts processes that only use a processor, for at most two minutes. */
function burn(count: number): void {
  const code = 'const end = Date.now() + 120_000; while (Date.now() < end);'
  for (let i = 0; i < count; i++) burners.push(spawn(process.execPath, ['-e', code], { stdio: 'ignore' }))
}

function stopBurning(): void {
  for (const burner of burners.splice(0)) burner.kill('SIGKILL')
}

/** The results of the clients. */
interface Seen {
  answers: number
  readonly failures: string[]
  refused: number
  /** Whether the server is stopping. */
  isStopping: boolean
}

/** A request failed that was not sent on a kept connection. */
class NewConnection extends Error {}

/** Paths that `fetch` has sent on reused connections. */
const reused = new Set<string>()
const used = new WeakSet<object>()
const note = (message: unknown): void => {
  const { request, socket } = message as { readonly request: { readonly path: string }; readonly socket: object }
  if (used.has(socket)) reused.add(request.path)
  used.add(socket)
}
beforeAll(() => subscribe('undici:client:sendHeaders', note))
afterAll(() => void unsubscribe('undici:client:sendHeaders', note))

/** Runs a client with one kept connection. It sends requests with random pauses until it is refused. */
async function client(seen: Seen, ask: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await ask()
      seen.answers++
    } catch (error) {
      const failed = (error instanceof NewConnection ? error.cause : error) as Failed
      const why = failed.code ?? failed.cause?.code ?? String(error)
      // The system resets connections that arrive when the last process stops listening.
      if (why === 'ECONNREFUSED' || (why === 'ECONNRESET' && seen.isStopping && error instanceof NewConnection)) {
        seen.refused++
        return
      }
      seen.failures.push(`${why} ${failed.cause?.message ?? ''}`)
    }
    await sleep(Math.random() < 0.5 ? Math.random() * 40 : Math.random() * 2_500)
  }
}

interface Failed {
  readonly code?: string
  readonly cause?: { readonly code?: string; readonly message?: string }
}

function byAgent(port: number, path: string): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agents.push(agent)
  return () =>
    new Promise((done, failed) => {
      const request = get({ host: '127.0.0.1', port, path, agent }, (reply) => {
        reply.resume().once('end', () => (reply.statusCode === 200 ? done() : failed(new Error(`${reply.statusCode}`))))
        reply.once('error', failed)
      })
      request.once('error', (cause) => failed(request.reusedSocket ? cause : new NewConnection('', { cause })))
    })
}

/** Number of requests that `fetch` has sent, so that each has a unique path. */
let sent = 0

function byFetch(port: number, path: string): () => Promise<void> {
  return async () => {
    const own = `${path}?n=${++sent}`
    const reply = await fetch(`http://127.0.0.1:${port}${own}`).catch((cause: unknown) => {
      throw reused.has(own) ? cause : new NewConnection('', { cause })
    })
    await reply.text()
    if (!reply.ok) throw new Error(String(reply.status))
  }
}

/** Each reload takes as long as the start of two processes. */
const RELOADS = 1

test('no request fails in reloads and in a stop by SIGTERM', async () => {
  const program = ingot.start(['serve', builtFolder(PAGES)], { INGOT_GRACE: '60', INGOT_WORKERS: '2' })
  const port = await program.port()
  // With the processes of the server, more than a machine with two processors can run at once.
  burn(2)
  const seen: Seen = { answers: 0, failures: [], refused: 0, isStopping: false }
  const clients = Array.from({ length: 40 }, (_, at) => {
    const path = at % 4 === 0 ? '/work' : '/'
    return client(seen, at % 2 === 0 ? byAgent(port, path) : byFetch(port, path))
  })
  for (let reload = 1; reload <= RELOADS; reload++) {
    await expect.poll(() => seen.answers, { timeout: 60_000 }).toBeGreaterThan(100 * reload)
    program.child.kill('SIGHUP')
    const loaded = (): number => program.output().split('the site was reloaded').length - 1
    await expect.poll(loaded, { timeout: 120_000 }).toBe(reload)
  }
  expect(seen).toMatchObject({ failures: [], refused: 0 })
  // Kept connections are distinguished from new ones by the diagnostics channel.
  expect(reused.size).toBeGreaterThan(0)
  seen.isStopping = true
  program.child.kill('SIGTERM')
  expect(await program.exitCode).toBe(0)
  // The clients only wait until they notice that they are refused.
  stopBurning()
  await Promise.all(clients)
  expect(seen).toMatchObject({ failures: [], refused: clients.length })
})

/** Opens a connection with one answered request, and keeps it open. */
async function answered(
  port: number,
): Promise<{ readonly socket: Socket; readonly closed: Promise<void>; text(): string }> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (data) => {
    text += String(data)
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => text).toContain('home')
  text = ''
  return { socket, closed, text: () => text }
}

test('Ctrl-C does not wait for a client that keeps an idle connection', async () => {
  const program = ingot.start(['serve', builtFolder(PAGES)], { INGOT_GRACE: '600' })
  const { closed } = await answered(await program.port())
  program.child.kill('SIGINT')
  await closed
  expect(await program.exitCode).toBe(0)
})

test('a request of which a part has arrived is read and answered before its connection is closed', async () => {
  const log = { info: () => undefined, error: () => undefined }
  const home = (): Reply => ({ status: 200, headers: {}, body: 'home' })
  const listening = await listen(home, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1, log })
  const [idle, sending] = [await answered(listening.port), await answered(listening.port)]
  const before = listening.connections()
  sending.socket.write('GET / HTTP/1.1\r\nHo')
  // A third request is answered after the partial one was read.
  await answered(listening.port)
  const stopped = listening.stop(60_000, 0)
  await idle.closed
  expect([before, sending.socket.destroyed]).toEqual([2, false])
  sending.socket.write('st: a\r\n\r\n')
  await Promise.all([sending.closed, stopped])
  expect(sending.text()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n[^]*home$/i)
})

test('clients are told a time that is shorter than the one for which connections are kept', async () => {
  const log = { info: () => undefined, error: () => undefined }
  const reply = (length: number): Reply => ({ status: 200, headers: {}, body: 'x'.repeat(length) })
  const listening = await listen(({ url }) => reply(url === '/long' ? 3_000_000 : 1), {
    ...{ host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1, log },
  })
  for (const path of ['/', '/long']) {
    const { headers } = await fetch(`http://127.0.0.1:${listening.port}${path}`)
    expect(headers.get('keep-alive')).toBe(`timeout=${(REUSE_TIME - 2_000) / 1000}`)
  }
  expect(KEEP_ALIVE).toBeGreaterThan(REUSE_TIME)
  await listening.stop(0, 0)
})
