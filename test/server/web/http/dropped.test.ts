/** Bodies for paths that accept none are not stored, and the client still receives the refusal. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening, ListenOptions } from '../../../../server/web/http/listening.ts'
import { type AppUnderTest, app, liveAssets, page, site } from '../../../support/server/site.ts'

let folder = ''
let open: Listening[] = []
/** All files that were created in the folder, including removed ones. */
let stored: string[] = []
let stopWatching: () => void = () => undefined

const PAGES = [
  page('/'),
  page('take', { method: 'post', render: ({ context }) => JSON.stringify(context.params) }),
  page('change', { method: 'put', render: () => 'changed' }),
  page('only/read'),
]
const PATHS = ['/nowhere', '/only/read', '/assets/a.css', '/assets/none.css', '/uploads/x/y.png', '/%zz', '/']

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-dropped-'))
  mkdirSync(folder, { recursive: true })
  stored = []
  const watcher = watch(folder, (_event, name) => void stored.push(String(name)))
  stopWatching = () => watcher.close()
})
afterEach(async () => {
  await Promise.all(open.map((one) => one.stop(0, 0)))
  open = []
  stopWatching()
  rmSync(folder, { recursive: true, force: true })
})

async function served(more: Partial<ListenOptions> = {}): Promise<{ url: string; port: number; it: AppUnderTest }> {
  const it = app(site(PAGES, { assets: liveAssets({ 'a.css': 'app/assets/a.css' }) }))
  const log = { info: () => undefined, error: () => undefined }
  const listening = await listen(it.handler, {
    ...{ host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 10_000, log },
    uploads: { folder, limit: 50_000 },
    takesBody: (request) => it.takesBody(request),
    ...more,
  })
  open.push(listening)
  return { url: `http://127.0.0.1:${listening.port}`, port: listening.port, it }
}

function form(bytes: number): FormData {
  const data = new FormData()
  data.append('f', new Blob([Buffer.alloc(bytes, 'x')]), 'a.bin')
  return data
}

const left = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Opens a connection. `said` returns everything that the server has sent on it. */
async function dialog(port: number): Promise<{ socket: Socket; said: () => string; closed: Promise<void> }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await new Promise<void>((done) => socket.once('connect', () => done()))
  return { socket, said: () => text, closed }
}

const until = (holds: () => void): Promise<void> => vi.waitFor(holds, { timeout: 20_000, interval: 5 })

describe('a body for a path that takes none', () => {
  test.each(PATHS)('%s is answered as without it, and nothing is stored', async (path) => {
    const { url } = await served()
    const { status } = await fetch(url + path, { method: 'POST' })
    expect(status).toBe(path === '/%zz' ? 400 : 404)
    for (const body of [form(40_000), '{"a":1}', new URLSearchParams({ a: '1' })])
      expect((await fetch(url + path, { method: 'POST', body })).status).toBe(status)
    expect(stored).toEqual([])
  })

  test('a path that takes one gets it: by its method, and by the one that a form names', async () => {
    const { url } = await served()
    const reply = await fetch(`${url}/take`, { method: 'POST', body: form(40_000) })
    expect([reply.status, JSON.parse(await reply.text())]).toEqual([200, expect.objectContaining({ f: 'a.bin' })])
    await until(() => expect(stored.length).toBeGreaterThan(0))
    const body = new URLSearchParams({ _method: 'put' })
    expect(await (await fetch(`${url}/change`, { method: 'POST', body })).text()).toBe('changed')
    await until(() => expect(left()).toEqual([]))
  })

  test('many at once, in chunks without a length: each reads its refusal, and connections are used again', async () => {
    const { port } = await served()
    const dialogs = await Promise.all(Array.from({ length: 40 }, () => dialog(port)))
    const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`
    const head =
      'HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n'
    const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="b"\r\n\r\n'
    for (const { socket } of dialogs)
      socket.write(`POST /nowhere ${head}${part.length.toString(16)}\r\n${part}\r\n${chunk}`)
    // The refusal does not wait for the end of the body.
    for (const { said } of dialogs) await until(() => expect(said()).toMatch(/^HTTP\/1\.1 404 /))
    for (const { socket } of dialogs)
      socket.write(`${chunk.repeat(8)}0\r\n\r\nGET /only/read HTTP/1.1\r\nHost: a\r\n\r\n`)
    for (const { said, socket } of dialogs) {
      await until(() => expect(said()).toContain('page only/read'))
      socket.destroy()
    }
    expect(stored).toEqual([])
  })

  test('a connection that is to be closed is closed when the body is over, not before', async () => {
    const { port } = await served()
    const { socket, said, closed } = await dialog(port)
    const half = 'x'.repeat(60_000)
    socket.write(
      `POST /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 120000\r\nContent-Type: text/plain\r\n\r\n${half}`,
    )
    await new Promise<void>((done) => socket.write(half, () => done()))
    await closed
    expect(said()).toMatch(/^HTTP\/1\.1 404 [^]*Not found/i)
  })

  test('who waits with the body is not asked for it, and is asked where it is taken', async () => {
    const { port } = await served()
    const waiting =
      'HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
    const refused = await dialog(port)
    refused.socket.write(`POST /nowhere ${waiting}`)
    await refused.closed
    expect(refused.said()).toMatch(/^HTTP\/1\.1 404 [^]*connection: close/i)
    const taken = await dialog(port)
    taken.socket.write(`POST /take ${waiting}`)
    await until(() => expect(taken.said()).toBe('HTTP/1.1 100 Continue\r\n\r\n'))
    taken.socket.write('{"a":"b"}')
    await until(() => expect(taken.said()).toMatch(/HTTP\/1\.1 200 [^]*"a":"b"/))
    taken.socket.destroy()
  })

  test('a body without end is cut off', async () => {
    const { port } = await served()
    const { socket, said, closed } = await dialog(port)
    socket.write('POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    let sent = 0
    while (!socket.destroyed) {
      await Promise.race([closed, new Promise<void>((done) => socket.write(chunk, () => setImmediate(done)))])
      sent += chunk.length
    }
    expect(said()).toMatch(/^HTTP\/1\.1 404 /)
    // The bytes in the system's buffers may exceed the limit.
    expect(sent).toBeLessThan(50_000_000)
    expect(stored).toEqual([])
  })

  test('nor is one stored for a host that is not ours, one that is packed, or one that comes too often', async () => {
    const { url, port } = await served({ hosts: ['127.0.0.1'], proxies: 1, rate: 2 })
    const { socket, said } = await dialog(port)
    socket.write(
      'POST /take HTTP/1.1\r\nHost: other.test\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 90\r\n\r\n' +
        '--x\r\nContent-Disposition: form-data; name="f"; filename="b"\r\n\r\n'.padEnd(90, 'x'),
    )
    await until(() => expect(said()).toMatch(/^HTTP\/1\.1 400 /))
    socket.destroy()
    const packed = { method: 'POST', body: form(10), headers: { 'content-encoding': 'gzip' } }
    expect((await fetch(`${url}/take`, packed)).status).toBe(415)
    expect(stored).toEqual([])
    const visitor = { 'x-forwarded-for': '10.0.0.1' }
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await fetch(`${url}/`, { headers: visitor })).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await fetch(`${url}/take`, { method: 'POST', body: form(40_000), headers: visitor })).status).toBe(429)
    expect(stored).toEqual([])
  })

  test('a page that came meanwhile does not act on a body that was discarded', async () => {
    let it: AppUnderTest | null = null
    const started = await served({
      takesBody: (request) => {
        const takes = it?.takesBody(request) ?? true
        it?.swap({ ...it.host().loadedSite, site: site([...PAGES, page('new', { method: 'post' })]) })
        return takes
      },
    })
    it = started.it
    const refused = await fetch(`${started.url}/new`, { method: 'POST', body: '{}' })
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('send the request again')])
    expect((await fetch(`${started.url}/new`, { method: 'POST', body: '{}' })).status).toBe(200)
  })
})
