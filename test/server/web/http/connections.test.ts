/** Connections that send too many requests, read nothing, or send ambiguous requests do not affect other connections. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening, ListenOptions } from '../../../../server/web/http/listening.ts'
import type { Handler, Reply } from '../../../../server/web/http/message.ts'

const open: Listening[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(open.splice(0).map((one) => one.stop(0, 0)))
})

const ok = (body: string): Reply => ({ status: 200, headers: { 'content-type': 'text/plain' }, body })

async function served(handler: Handler, more: Partial<ListenOptions> = {}): Promise<Listening> {
  const log = { info: () => undefined, error: () => undefined }
  const listening = await listen(handler, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 10_000, log, ...more })
  open.push(listening)
  return listening
}

interface Visitor {
  readonly socket: Socket
  readonly closed: Promise<void>
  text(): string
}

function visit({ port }: Listening, bytes: string, address = '127.0.0.1'): Visitor {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address }, () => socket.write(bytes))
  sockets.push(socket)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  return { socket, text: () => text, closed: new Promise((done) => socket.once('close', () => done())) }
}

/** Keeps the process busy, as a page with a long computation does. */
function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers].join('\r\n').concat('\r\n\r\n')

describe('requests sent ahead on one connection', () => {
  test('are answered one after another and in their order, also where the first takes longest', async () => {
    let running = 0
    let most = 0
    const listening = await served(async ({ url }) => {
      most = Math.max(most, ++running)
      await sleep(url === '/0' ? 100 : 1)
      running--
      return ok(`answer ${url};`)
    })
    const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
    const last = get('/last', 'Connection: close')
    const { closed, text } = visit(listening, paths.map((path) => get(path)).join('') + last)
    await closed
    expect(text().match(/answer \/\w+/g)).toEqual([...paths, '/last'].map((path) => `answer ${path}`))
    expect(most).toBe(1)
  })

  test('with bodies are read when it is their turn', async () => {
    const listening = await served(async ({ body }) => ok(`${body?.length};`))
    const post = (size: number): string =>
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`
    const { closed, text } = visit(listening, post(9_000) + post(7) + post(8_000) + get('/', 'Connection: close'))
    await closed
    expect(text().match(/\d+;|undefined;/g)).toEqual(['9000;', '7;', '8000;', 'undefined;'])
  })

  test('without end end the connection, and are not begun', async () => {
    let begun = 0
    const listening = await served(async () => {
      begun++
      await sleep(200)
      return ok('late')
    })
    const { closed } = visit(listening, get('/').repeat(2_000))
    await closed
    await sleep(300)
    expect(begun).toBe(1)
    expect((await fetch(`http://127.0.0.1:${listening.port}`)).status).toBe(200)
  })
})

describe('a busy process', () => {
  test('sees to its timers between pages that arrived together', async () => {
    let longest = 0
    const listening = await served(async () => {
      busy(30)
      return ok('x')
    })
    let before = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - before)
      before = now
    }, 5)
    const visitors = Array.from({ length: 40 }, () => visit(listening, get('/', 'Connection: close')))
    await Promise.all(visitors.map(({ closed }) => closed))
    clearInterval(timer)
    expect(visitors.every(({ text }) => text().startsWith('HTTP/1.1 200'))).toBe(true)
    // Together they take 1,200 milliseconds.
    expect(longest).toBeLessThan(600)
  })

  test('takes visitors in turn, whoever asks for most', async () => {
    const order: string[] = []
    const listening = await served(async ({ ip }) => {
      order.push(ip)
      busy(30)
      return ok('x')
    })
    const many = Array.from({ length: 30 }, () => visit(listening, get('/', 'Connection: close')))
    while (order.length < 2) await sleep(5)
    const one = visit(listening, get('/', 'Connection: close'), '127.0.0.2')
    await one.closed
    expect(order.filter((ip) => ip === '127.0.0.1').length).toBeLessThan(15)
    await Promise.all(many.map(({ closed }) => closed))
    expect(order).toHaveLength(31)
  })

  test('does nothing for who has left', async () => {
    let begun = 0
    const listening = await served(async () => {
      begun++
      busy(40)
      return ok('x')
    })
    const many = Array.from({ length: 30 }, () => visit(listening, get('/')))
    while (begun < 2) await sleep(5)
    for (const { socket } of many) socket.destroy()
    const one = visit(listening, get('/', 'Connection: close'))
    await one.closed
    expect(one.text()).toMatch(/^HTTP\/1\.1 200/)
    expect(begun).toBeLessThan(20)
  })
})

describe('more connections than may be open', () => {
  test('cost those that have most of them and say nothing, the oldest first, and keep nobody out', async () => {
    const listening = await served(
      async ({ url }) => {
        if (url === '/long') await sleep(300)
        return ok('x')
      },
      { most: 20 },
    )
    const early = visit(listening, get('/'), '127.0.0.2')
    const long = visit(listening, get('/long', 'Connection: close'))
    while (early.text() === '') await sleep(5)
    const silent: Visitor[] = []
    for (let i = 0; i < 60; i++) {
      silent.push(visit(listening, i % 2 === 0 ? '' : 'GET / HTTP/1.1\r\nHost: a\r\nX: '))
      await sleep(1)
    }
    const late = visit(listening, get('/', 'Connection: close'), '127.0.0.3')
    await Promise.all([late.closed, long.closed])
    expect(late.text()).toMatch(/^HTTP\/1\.1 200/)
    expect(long.text()).toMatch(/^HTTP\/1\.1 200/)
    expect(early.socket.destroyed).toBe(false)
    expect(silent[0]?.socket.destroyed).toBe(true)
    expect(silent.at(-1)?.socket.destroyed).toBe(false)
    expect(listening.connections()).toBeLessThanOrEqual(20)
  })

  test('cost an address whose requests do not end, and no other', async () => {
    const listening = await served(async () => ok('x'), { most: 20 })
    const early = visit(listening, get('/'), '127.0.0.2')
    while (early.text() === '') await sleep(5)
    const begun = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nx'
    const endless: Visitor[] = []
    for (let i = 0; i < 30; i++) {
      endless.push(visit(listening, begun))
      await sleep(1)
    }
    while (endless.filter(({ socket }) => !socket.destroyed).length > 19) await sleep(5)
    for (let i = 0; i < 5; i++) {
      const late = visit(listening, get('/', 'Connection: close'), '127.0.0.3')
      await late.closed
      expect(late.text()).toMatch(/^HTTP\/1\.1 200/)
    }
    expect(early.socket.destroyed).toBe(false)
  })
})

describe('an answer that nobody reads', () => {
  test('does not keep its connection', async () => {
    const listening = await served(async () => ok('x'.repeat(30_000_000)), { patience: 400 })
    const { socket } = visit(listening, get('/'))
    socket.pause()
    await sleep(200)
    expect(listening.connections()).toBe(1)
    for (let i = 0; i < 100 && listening.connections() > 0; i++) await sleep(50)
    expect(listening.connections()).toBe(0)
  })

  test('but read slowly is sent whole', async () => {
    // The time in milliseconds is longer than a busy machine delays this process.
    const patience = 1_500
    const listening = await served(async () => ok('x'.repeat(20_000_000)), { patience })
    const begun = performance.now()
    const { socket, closed, text } = visit(listening, get('/', 'Connection: close'))
    socket.on('data', () => {
      socket.pause()
      setTimeout(() => socket.resume(), 8)
    })
    await closed
    expect(text().length).toBeGreaterThan(20_000_000)
    expect(performance.now() - begun).toBeGreaterThan(patience)
  })
})
