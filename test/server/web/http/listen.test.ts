/** The listener over real sockets: responses as sent, hostile requests, files, and a stop without lost requests. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import type { Handler } from '../../../../server/web/http/message.ts'
import { app, folder, liveAssets, page, site } from '../../../support/server/site.ts'

const open: Listening[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.stop(0, 0)))
})

interface Served {
  readonly listening: Listening
  readonly logged: Record<string, unknown>[]
  readonly url: string
}

async function served(handler: Handler, more: { proxies?: number; bodyLimit?: number } = {}): Promise<Served> {
  const logged: Record<string, unknown>[] = []
  const write = (fields: object): void => void logged.push({ ...fields })
  const options = { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 10_000, ...more }
  const listening = await listen(handler, { ...options, log: { info: write, error: write } })
  open.push(listening)
  return { listening, logged, url: `http://127.0.0.1:${listening.port}` }
}

/** Sends bytes and returns everything received until the server closes the connection. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.on('close', () => done(answer))
    socket.on('error', failed)
  })
}

/** Resolves when no process listens on a port. */
async function untilRefused(port: number): Promise<void> {
  const refused = (): Promise<boolean> =>
    new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done(false)
      })
      socket.once('error', () => done(true))
    })
  while (!(await refused())) await sleep(5)
}

describe('pages', () => {
  const it = app(
    site([
      page('/', { render: () => 'żółw' }),
      page('echo/*path', { format: 'json', render: ({ context }) => JSON.stringify(context.params) }),
      page('echo', { method: 'post', format: 'json', render: ({ context }) => JSON.stringify(context.params) }),
      page('where', { format: 'json', render: ({ context }) => JSON.stringify([context.location, context.visitor]) }),
    ]),
  )

  test('a page is answered with its length, its id and its mark', async () => {
    const { url, logged } = await served(it.handler)
    const reply = await fetch(url, { headers: { 'x-request-id': 'my-id' } })
    expect(await reply.text()).toBe('żółw')
    expect(reply.headers.get('content-length')).toBe('7')
    expect(reply.headers.get('x-request-id')).toBe('my-id')
    expect(logged).toEqual([
      {
        id: 'my-id',
        method: 'GET',
        path: '/',
        status: 200,
        ms: expect.any(Number),
        ip: '127.0.0.1',
        template: 'app/views/pages/index.liquid',
      },
    ])
    const again = await fetch(url, { headers: { 'if-none-match': reply.headers.get('etag')! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const other = await fetch(url, { headers: { 'x-request-id': 'not an id' } })
    expect(other.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  test('HEAD has the headers of GET and no body', async () => {
    const { url, listening } = await served(it.handler)
    const reply = await fetch(url, { method: 'HEAD' })
    expect([reply.status, reply.headers.get('content-length'), await reply.text()]).toEqual([200, '7', ''])
    const text = await raw(listening.port, 'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(text.endsWith('\r\n\r\n')).toBe(true)
  })

  test('the query is not logged', async () => {
    const { url, logged } = await served(it.handler)
    await fetch(`${url}/?token=secret`)
    expect(JSON.stringify(logged)).not.toContain('secret')
  })

  test('bodies of every kind reach the parameters', async () => {
    const { url } = await served(it.handler)
    const send = async (body: string | FormData, type?: string): Promise<unknown> => {
      const headers = { accept: 'application/json', ...(type === undefined ? {} : { 'content-type': type }) }
      const reply = await fetch(`${url}/echo`, { method: 'POST', body, headers })
      return [reply.status, await reply.json()]
    }
    expect(await send('{"a":[1]}', 'application/json')).toEqual([200, expect.objectContaining({ a: [1] })])
    expect(await send('a[b]=1', 'application/x-www-form-urlencoded')).toEqual([
      200,
      expect.objectContaining({ a: { b: '1' } }),
    ])
    const form = new FormData()
    form.append('a[b]', '1')
    form.append('file', new Blob(['x']), 'x.txt')
    const [status, params] = (await send(form)) as [number, object]
    expect([status, Object.keys(params)]).toEqual([200, ['a', 'file', 'slug', 'slug2', 'slug3', 'slugs', 'format']])
    expect(await send('{', 'application/json')).toEqual([
      400,
      expect.objectContaining({ detail: 'the body is not valid JSON' }),
    ])
    const large = await fetch(`${url}/echo`, { method: 'POST', body: 'x'.repeat(20_000) })
    expect([large.status, (await large.text()).includes('too large')]).toEqual([413, true])
  })

  test('a path keeps what is encoded in it', async () => {
    const { url } = await served(it.handler)
    const reply = await fetch(`${url}/echo/a%2Fb/%C5%82.json?path=x`)
    expect(await reply.json()).toMatchObject({ path: 'a/b/ł' })
    expect((await fetch(`${url}/echo/%zz`)).status).toBe(400)
    expect((await fetch(`${url}/${'a'.repeat(8000)}`)).status).toBe(404)
  })

  test('forwarded headers are believed only behind a proxy', async () => {
    const headers = {
      accept: 'application/json',
      'x-forwarded-for': '9.9.9.9, 8.8.8.8',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.test',
    }
    const plainly = await served(it.handler)
    expect(await (await fetch(`${plainly.url}/where`, { headers })).json()).toMatchObject([
      { href: `${plainly.url}/where` },
      { ip: '127.0.0.1' },
    ])
    const behind = await served(it.handler, { proxies: 1 })
    expect(await (await fetch(`${behind.url}/where`, { headers })).json()).toMatchObject([
      { href: 'https://shop.test/where', host: 'shop.test' },
      { ip: '8.8.8.8' },
    ])
  })

  test.each([
    ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a"><script>\r\nConnection: close\r\n\r\n', 400],
    ['the absolute form', 'GET http://other.test/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200],
    ['an unknown method', 'PURGE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ['OPTIONS of everything', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    [
      'a content type that is none',
      'POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ;;\r\nContent-Length: 1\r\n\r\nx',
      415,
    ],
  ])('%s is answered', async (_what, text, status) => {
    const { listening } = await served(it.handler)
    expect(await raw(listening.port, text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('a handler that fails is a plain 500', async () => {
    const { url, logged } = await served(() => Promise.reject(new Error('inside')))
    const reply = await fetch(url)
    expect(reply.status).toBe(500)
    expect(await reply.text()).not.toContain('inside')
    expect(JSON.stringify(logged)).toContain('inside')
  })
})

describe('files', () => {
  const root = folder({ 'app/assets/a.css': '0123456789', 'app/assets/.well-known/x.json': '{}' })
  const assets = liveAssets({ 'a.css': 'app/assets/a.css', '.well-known/x.json': 'app/assets/.well-known/x.json' })
  const it = app(site([], { assets }), { root })

  test('are answered with type, mark and ranges', async () => {
    const { url, logged, listening } = await served(it.handler)
    const reply = await fetch(`${url}/assets/a.css?updated=1`)
    expect([reply.status, await reply.text()]).toEqual([200, '0123456789'])
    expect(reply.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    const etag = reply.headers.get('etag')!
    // Without `fetch`, because it adds `Cache-Control: no-cache` to every conditional request.
    const conditional = `GET /assets/a.css HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`
    expect(await raw(listening.port, conditional)).toMatch(/^HTTP\/1.1 304 /)
    const part = await fetch(`${url}/assets/a.css`, { headers: { range: 'bytes=2-4' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
    const beyond = await fetch(`${url}/assets/a.css`, { headers: { range: 'bytes=20-' } })
    expect(beyond.status).toBe(416)
    const head = await fetch(`${url}/assets/a.css`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
    expect((await fetch(`${url}/assets/.well-known/x.json`)).status).toBe(200)
    await sleep(20)
    expect(logged.map(({ status }) => status)).toEqual([200, 304, 206, 416, 200, 200])
  })

  test('outside the list there are none', async () => {
    const { url, listening } = await served(it.handler)
    expect((await fetch(`${url}/assets/b.css`)).status).toBe(404)
    for (const path of ['/assets/../../../etc/passwd', '/assets/..%2f..%2fetc%2fpasswd', '/assets//etc/passwd']) {
      expect(await raw(listening.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 404 /,
      )
    }
  })
})

describe('stopping', () => {
  test('open requests finish, later connections are refused', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => {
      release = done
    })
    const { url, listening } = await served(async () => {
      await held
      return { status: 200, headers: {}, body: 'late' }
    })
    const answer = fetch(url)
    await sleep(50)
    const stopped = listening.stop(5000, 0)
    // The stopping listener accepts waiting connections, and then no more.
    await untilRefused(listening.port)
    await expect(fetch(url)).rejects.toThrow()
    release()
    const reply = await answer
    expect([await reply.text(), reply.headers.get('connection')]).toEqual(['late', 'close'])
    await stopped
  })

  test('what does not finish in time is cut off', async () => {
    const { url, listening } = await served(() => new Promise(() => undefined))
    const answer = fetch(url)
    answer.catch(() => undefined)
    await sleep(50)
    await listening.stop(100, 0)
    await expect(answer).rejects.toThrow()
  })

  test('a kept connection may bring one more request while it lingers', async () => {
    const { listening } = await served(async () => ({ status: 200, headers: {}, body: 'x' }))
    const answers: string[] = []
    const socket = connect(listening.port, '127.0.0.1')
    socket.on('data', (data) => answers.push(data.toString()))
    const closed = new Promise((done) => socket.once('close', done))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    while (answers.length === 0) await sleep(5)
    const stopped = listening.stop(2000, 500)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all([closed, stopped])
    expect(answers).toHaveLength(2)
    expect(answers[1]).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i)
  })

  test('streams of events are ended, also one that is opened meanwhile', async () => {
    let ended = 0
    const open = (send: (event: string, data: string) => void) => {
      send('hello', 'a\nb')
      return () => void ended++
    }
    const { url, listening } = await served(async () => ({ status: 200, headers: {}, body: { kind: 'events', open } }))
    const reply = await fetch(url)
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
    const stopped = listening.stop(5000, 500)
    // Browsers reconnect when their stream has ended.
    const again = await fetch(url)
    expect(again.headers.get('content-type')).toBe('text/event-stream')
    await again.text()
    await stopped
    expect(await reply.text()).toBe('event: hello\ndata: a\ndata: b\n\n')
    expect(ended).toBe(2)
  })

  test('a port in use is told by the system’s code', async () => {
    const { listening } = await served(async () => ({ status: 200, headers: {}, body: '' }))
    const log = { info: () => undefined, error: () => undefined }
    const options = { host: '127.0.0.1', port: listening.port, proxies: 0, bodyLimit: 1, log }
    await expect(listen(async () => ({ status: 200, headers: {}, body: '' }), options)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })
})
