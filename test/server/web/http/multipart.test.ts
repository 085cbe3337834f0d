/** Forms with files over real sockets: accepted forms, refused forms, and the removal of all files. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening, ListenOptions } from '../../../../server/web/http/listening.ts'
import { isSentFile, type Request, type SentFile } from '../../../../server/web/http/message.ts'
import { BadRequest, bodyParams, plainParams } from '../../../../server/web/http/params.ts'

let folder = ''
let open: Listening[] = []
let seen: Request[] = []
let contents: string[] = []
let logged: unknown[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-multipart-'))
  seen = []
  contents = []
  logged = []
})
afterEach(async () => {
  await Promise.all(open.map((one) => one.stop(0, 0)))
  open = []
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a server that answers with the received parameters, or with the status of a refused form. */
async function served(
  more: Partial<ListenOptions> = {},
  before?: (request: Request) => Promise<void>,
): Promise<string> {
  const log = { info: () => undefined, error: (fields: object) => void logged.push(fields) }
  const listening = await listen(
    async (request) => {
      seen.push(request)
      await before?.(request)
      try {
        const params = await bodyParams(request)
        for (const file of files(request)) contents.push(readFileSync(file.path, 'latin1'))
        return { status: 200, headers: {}, body: JSON.stringify(plainParams(params)) }
      } catch (error) {
        if (error instanceof BadRequest) return { status: error.status, headers: {}, body: error.message }
        throw error
      }
    },
    { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 10_000, uploads: { folder, limit: 50_000 }, log, ...more },
  )
  open.push(listening)
  return `http://127.0.0.1:${listening.port}`
}

const files = (request: Request): SentFile[] =>
  (request.parts ?? []).flatMap(({ value }) => (isSentFile(value) ? [value] : []))
const left = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])

function form(...fields: [string, string | Blob, string?][]): FormData {
  const data = new FormData()
  for (const [name, value, fileName] of fields) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, fileName)
  }
  return data
}

/** Builds a body that no ordinary client would send. */
function part(disposition: string, content: string, more = ''): string {
  return `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
}
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' }

describe('what arrives', () => {
  test('texts and files in their order, at their nested names', async () => {
    const url = await served()
    const body = form(
      ['form[title]', 'Zażółć\r\n"gęślą"'],
      ['form[images][]', new Blob(['\x00\x01one'], { type: 'image/png' }), '../żółw.png'],
      ['form[images][]', new Blob(['two']), 'b.txt'],
      ['form[empty]', new Blob([]), ''],
      ['form[nothing]', new Blob([]), 'nothing.txt'],
      ['again', '1'],
      ['again', '2'],
    )
    const reply = await fetch(url, { method: 'POST', body })
    expect([reply.status, await reply.json()]).toEqual([
      200,
      { form: { title: 'Zażółć\r\n"gęślą"', images: ['żółw.png', 'b.txt'], nothing: 'nothing.txt' }, again: '2' },
    ])
    expect(contents).toEqual(['\x00\x01one', 'two', ''])
    expect(files(seen[0] as Request)).toMatchObject([
      { kind: 'sent-file', fileName: 'żółw.png', contentType: 'image/png', size: 5 },
      { contentType: 'application/octet-stream', size: 3 },
      { fileName: 'nothing.txt', size: 0 },
    ])
    expect(seen[0]?.body).toBeNull()
    await vi.waitFor(() => expect(left()).toEqual([]))
  })

  test('names that reach for prototypes or into files find nothing', async () => {
    const url = await served()
    const body = form(
      ['__proto__[admin]', '1'],
      ['a[__proto__][admin]', '1'],
      ['constructor[prototype][admin]', '1'],
      ['file', new Blob(['x']), 'x.txt'],
      ['file[path]', '/etc/passwd'],
    )
    const reply = await fetch(url, { method: 'POST', body })
    expect(await reply.json()).toEqual({
      constructor: { prototype: { admin: '1' } },
      file: { path: '/etc/passwd' },
    })
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  test('hostile names of files are names without folders, controls and tricks', async () => {
    const url = await served()
    const names = ['..%2f..%2fx', 'C:\\\\Windows\\\\x.exe', '/etc/passwd', 'a\tb.png', '\u202egnp.exe', '.htaccess']
    const body = `${names.map((name) => part(`name="f[]"; filename="${name}"`, 'x')).join('')}--x--\r\n`
    const reply = await fetch(url, { method: 'POST', body, headers: MULTIPART })
    expect(await reply.json()).toEqual({ f: ['..%2f..%2fx', 'x.exe', 'passwd', 'ab.png', 'gnp.exe', '.htaccess'] })
  })

  test('headers in a part cannot make another part or header', async () => {
    const url = await served()
    const body = `${part('name="f"; filename="a.png"', 'x', 'Content-Type: text/html; charset="\r\n"\r\nX-A: b\r\n')}--x--\r\n`
    const reply = await fetch(url, { method: 'POST', body, headers: MULTIPART })
    expect(reply.status).toBe(200)
    expect(files(seen[0] as Request)[0]?.contentType).toMatch(/^[\w.+-]+\/[\w.+-]+$/)
  })
})

describe('what is refused', () => {
  test('a file over its limit, texts over theirs, and a body over all of them', async () => {
    const url = await served()
    const post = async (body: FormData): Promise<[number, string]> => {
      const reply = await fetch(url, { method: 'POST', body })
      return [reply.status, await reply.text()]
    }
    expect(await post(form(['f', new Blob(['x'.repeat(50_000)]), 'a']))).toEqual([200, '{"f":"a"}'])
    expect(await post(form(['f', new Blob(['x'.repeat(50_001)]), 'a']))).toEqual([
      413,
      expect.stringContaining('50000'),
    ])
    expect((await post(form(['t', 'x'.repeat(10_001)])))[0]).toBe(413)
    expect((await post(form(['t', 'x'.repeat(6_000)], ['u', 'x'.repeat(6_000)])))[0]).toBe(413)
    expect((await post(form(...Array.from({ length: 5 }, () => blob(45_000)))))[0]).toBe(413)
    await vi.waitFor(() => expect(left()).toEqual([]))
  })

  test('more parts, files or nesting than anybody needs', async () => {
    const url = await served()
    const many = (count: number, of: (at: number) => string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: MULTIPART,
        body: `${Array.from({ length: count }, (_, at) => of(at)).join('')}--x--\r\n`,
      })
    expect((await many(5_000, () => part('name="a"', ''))).status).toBe(413)
    expect((await many(101, (at) => part(`name="a"; filename="${at}"`, ''))).status).toBe(413)
    expect((await many(1, () => part(`name="a${'[b]'.repeat(100)}"`, ''))).status).toBe(400)
    expect((await many(1, () => part(`name="${'n'.repeat(2_000)}"`, ''))).status).toBe(400)
    await vi.waitFor(() => expect(left()).toEqual([]))
  })

  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['no part at all', 'multipart/form-data; boundary=x', 'nothing'],
    ['an end in the middle of a file', 'multipart/form-data; boundary=x', part('name="a"; filename="b"', 'xyz')],
    ['an end in the middle of a header', 'multipart/form-data; boundary=x', '--x\r\nContent-Dispo'],
    ['an empty body', 'multipart/form-data; boundary=x', ''],
  ])('%s', async (_what, type, body) => {
    const url = await served()
    const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
    expect(reply.status).toBe(body === '' ? reply.status : 400)
    expect([200, 400]).toContain(reply.status)
    expect((await fetch(url, { method: 'POST', body: form(['a', '1']) })).status).toBe(200)
    await vi.waitFor(() => expect(left()).toEqual([]))
  })

  test('100 MB are refused as they come, and neither memory nor disk fills up', async () => {
    const url = await served({ uploads: { folder, limit: 1_000_000 } })
    const before = process.memoryUsage().rss
    let most = 0
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.from('--x\r\nContent-Disposition: form-data; name="f"; filename="big"\r\n\r\n')
      for (let mb = 0; mb < 100; mb++) {
        yield Buffer.alloc(1_000_000, 'x')
        most = Math.max(most, ...left().map((name) => readFileSync(join(folder, name)).length), 0)
      }
      yield Buffer.from('\r\n--x--\r\n')
    }
    const sending = () =>
      ({ method: 'POST', headers: MULTIPART, body: body(), duplex: 'half' }) as unknown as RequestInit
    // A client that is still writing may notice the closed connection before the response.
    const refused = async (): Promise<number> => (await fetch(url, sending())).status
    expect(await refused().catch(refused).catch(refused)).toBe(413)
    expect(most).toBeLessThanOrEqual(1_100_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
    await vi.waitFor(() => expect(left()).toEqual([]))
    expect((await fetch(url, { method: 'POST', body: form(['a', '1']) })).status).toBe(200)
  })

  test('more than one client may take, until its others are done', async () => {
    let hold: () => void = () => undefined
    const held = new Promise<void>((go) => {
      hold = go
    })
    const options = { uploads: { folder, limit: 50_000, together: 200_000 } }
    const url = await served(options, async (request) => {
      if (request.url === '/hold') await held
    })
    const send = (path: string, bytes: number): Promise<Response> =>
      fetch(url + path, { method: 'POST', body: form(['a', new Blob([Buffer.alloc(bytes)]), 'a.bin']) })
    const first = send('/hold', 45_000)
    while (seen.length === 0) await sleep(5)
    expect((await send('/', 45_000)).status).toBe(200)
    const second = send('/hold', 45_000)
    while (seen.length < 3) await sleep(5)
    const refused = await send('/', 45_000)
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('try again later')])
    hold()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    // All capacity is released, after accepted and refused forms.
    for (let i = 0; i < 5; i++) expect((await send('/', 49_000)).status).toBe(200)
    for (let i = 0; i < 100 && left().length > 0; i++) await sleep(10)
    expect(left()).toEqual([])
  })

  test.each([
    ['forms', '/', 'multipart/form-data; boundary=x', part('name="f"; filename="f"', 'x'.repeat(40_000))],
    ['whole bodies', '/stored/', 'application/zip', 'x'.repeat(40_000)],
  ])('24 unfinished %s of one address use up the room of no other', async (_what, path, type, sent) => {
    const storedBodies = { pathPrefixes: ['/stored/'], limit: 50_000 }
    const url = await served({ uploads: { folder, limit: 50_000, together: 200_000 }, storedBodies })
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 45000\r\n\r\n${sent}`
    const unfinished: Attacker[] = []
    for (const from of ['127.0.0.2', '127.0.0.3'])
      for (let at = 0; at < 12; at++) unfinished.push(await attacker(url, from, head))
    // Each of the two clients holds half of the capacity, so further uploads are refused.
    await vi.waitFor(() => expect(unfinished.filter(({ said }) => said() !== '')).toHaveLength(20), WAIT)
    await vi.waitFor(() => expect(left()).toHaveLength(4), WAIT)
    expect(unfinished.map(({ said }) => said()).filter((text) => text !== '')).toEqual(
      Array.from({ length: 20 }, () => expect.stringContaining(' 503 ')),
    )
    const other = (bytes = 45_000): Promise<Response> => fetch(url, { method: 'POST', body: form(blob(bytes)) })
    expect((await other()).status).toBe(200)
    expect((await Promise.all([other(35_000), other(35_000)])).map(({ status }) => status)).toEqual([200, 200])
    // The youngest upload gives way, and its client is informed.
    expect(unfinished.filter(({ said }) => said() === '').length).toBeGreaterThanOrEqual(2)
    for (const { socket } of unfinished) socket.destroy()
    await vi.waitFor(() => expect(left()).toEqual([]), WAIT)
    for (let at = 0; at < 5; at++) expect((await other()).status).toBe(200)
  })

  test('unfinished bodies in memory of one address use up the room of no other', async () => {
    const url = await served({ bodyLimit: 32 * 1024 * 1024 })
    const size = 12 * 1024 * 1024
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${size + 1}\r\n\r\n`
    const unfinished: Attacker[] = []
    // The capacity is 128 MB.
    for (const from of ['127.0.0.2', '127.0.0.3'])
      for (let at = 0; at < 7; at++) unfinished.push(await attacker(url, from, head, Buffer.alloc(size, 'x')))
    await vi.waitFor(() => expect(unfinished.filter(({ said }) => said().includes(' 503 '))).toHaveLength(4), WAIT)
    const body = 'x'.repeat(10 * 1024 * 1024)
    const sent = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(sent.status).toBe(200)
    for (const { socket } of unfinished) socket.destroy()
  })

  test('a body that says it is too large is refused at once', async () => {
    const url = await served()
    const socket = await opened(url)
    socket.write(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000000\r\n\r\n',
    )
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('a body that is no form is still bounded, and its refusal is the handler’s', async () => {
    const url = await served()
    const reply = await fetch(url, {
      method: 'POST',
      body: 'x'.repeat(20_000),
      headers: { 'content-type': 'application/json' },
    })
    expect([reply.status, await reply.text()]).toEqual([413, 'the body is larger than 10000 bytes'])
  })
})

describe('visitors who leave or wait', () => {
  test('one who hangs up in the middle of a file leaves nothing, and the handler hears nothing', async () => {
    const url = await served()
    const socket = await opened(url)
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 40000\r\n\r\n`,
    )
    socket.write(part('name="a"; filename="b"', 'x'.repeat(20_000)))
    await vi.waitFor(() => expect(left()).toHaveLength(1))
    socket.destroy()
    await vi.waitFor(() => expect(left()).toEqual([]))
    await sleep(20)
    expect(contents).toEqual([])
    expect(logged).toEqual([])
    expect((await fetch(url, { method: 'POST', body: form(['a', '1']) })).status).toBe(200)
  })

  test('one who hangs up while the answer is made does not take the file away from under it', async () => {
    let go: () => void = () => undefined
    const waiting = new Promise<void>((done) => {
      go = done
    })
    let read = ''
    const log = { info: () => undefined, error: (fields: object) => void logged.push(fields) }
    const listening = await listen(
      async (request) => {
        await waiting
        read = readFileSync(files(request)[0]?.path ?? '', 'latin1')
        return { status: 200, headers: {}, body: 'ok' }
      },
      { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 10_000, uploads: { folder, limit: 50_000 }, log },
    )
    open.push(listening)
    const socket = await opened(`http://127.0.0.1:${listening.port}`)
    const body = `${part('name="a"; filename="b"', 'content')}--x--\r\n`
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await vi.waitFor(() => expect(left()).toHaveLength(1))
    await sleep(50)
    socket.destroy()
    await sleep(50)
    expect(left()).toHaveLength(1)
    go()
    await vi.waitFor(() => expect(left()).toEqual([]))
    expect(read).toBe('content')
    expect(logged).toEqual([])
  })

  test('one who sends slower than anybody is sent away', async () => {
    const url = await served({ patience: 400 })
    const socket = await opened(url)
    socket.on('error', () => undefined)
    const ended = new Promise<void>((done) => socket.once('close', () => done()))
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 40000\r\n\r\n`,
    )
    socket.write(`--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n`)
    const drip = setInterval(() => socket.write('x'), 50)
    await ended
    clearInterval(drip)
    await vi.waitFor(() => expect(left()).toEqual([]))
    expect(contents).toEqual([])
  })

  test('a folder that cannot be written is our fault, and said to the log only', async () => {
    const file = join(folder, 'occupied')
    writeFileSync(file, '')
    const url = await served({ uploads: { folder: file, limit: 1_000 } })
    const reply = await fetch(url, { method: 'POST', body: form(['f', new Blob(['x']), 'a']) })
    expect(reply.status).toBe(500)
    expect(await reply.text()).not.toContain(folder)
    expect(JSON.stringify(logged)).toContain('occupied')
  })
})

function blob(size: number): [string, Blob, string] {
  return ['f[]', new Blob(['x'.repeat(size)]), 'a']
}

const WAIT = { timeout: 20_000, interval: 20 }

interface Attacker {
  readonly socket: Socket
  said(): string
}

/** Opens a connection from a local address and writes the bytes. */
async function attacker(url: string, from: string, ...bytes: (string | Buffer)[]): Promise<Attacker> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: from })
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  // An upload that gave way may be disconnected.
  socket.on('error', () => undefined)
  for (const each of bytes) await new Promise((done) => socket.write(each, done))
  return { socket, said: () => text }
}

function opened(url: string): Promise<Socket> {
  return new Promise((done) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => done(socket))
  })
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((done) => socket.once('data', (data) => done(data.toString())))
}
