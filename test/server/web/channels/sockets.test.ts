/** WebSockets of a site with three processes, from the first request to the last message. */
import { createConsumer, adapters } from '@rails/actioncable'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { type Browser, browse, channelSite, Client, room } from './channel-site.ts'

let ingot: Programs
let server: Program
let port: number
const clients: Client[] = []

beforeAll(async () => {
  ingot = await programs()
  server = ingot.start(['serve', await channelSite()], {
    INGOT_WORKERS: '3',
    INGOT_SILENCE: '30',
    INGOT_API_TOKEN: 'token-of-the-operator',
  })
  port = await server.port()
  await ingot.database.sql`insert into ingot.users (email, slug) values ('ann@example.com', 'ann')`
})
afterAll(async () => {
  for (const client of clients) client.socket.terminate()
  await ingot.clean()
})

function connect(browser: Browser, headers: Readonly<Record<string, string>> = {}): Client {
  const client = new Client(port, browser, headers)
  clients.push(client)
  return client
}

async function subscribed(id: unknown, browser?: Browser): Promise<Client> {
  const client = connect(browser ?? (await browse(port)))
  expect(await client.subscribe(room(id))).toBe(true)
  return client
}

async function logged(type: string): Promise<readonly string[]> {
  const rows = await ingot.database.sql`select message from ingot.logs where type = ${type} order by id`
  return rows.map((row) => JSON.stringify(row['message']))
}

describe('a subscription', () => {
  test('reaches all subscribers of its room on all processes, and no other room', async () => {
    const all = await Promise.all([...Array(9).keys()].map((n) => subscribed(n === 8 ? 'other' : 'all')))
    const [first, ...others] = all
    const stranger = others.pop()
    for (let n = 0; n < 40; n++) first?.command('message', room('all'), { n })
    const expected = [...Array(40).keys()].map((n) => ({ n }))
    for (const client of [first, ...others]) {
      await client?.until('all messages', () => client.messages().length === 40)
      expect(client?.messages()).toEqual(expected)
    }
    expect(stranger?.messages()).toEqual([])
  })

  test('is named by the text of its client, and a number names the same room as its text', async () => {
    const one = await subscribed(12)
    const two = connect(await browse(port))
    const identifier = '{"channel":"chat","room_id":"12","more":["x"]}'
    expect(await two.subscribe(identifier)).toBe(true)
    one.command('message', room(12), { text: 'hi', data: { deep: [1, null] } })
    await two.until('the message', () => two.messages().length === 1)
    expect(two.frames.at(-1)).toEqual({ identifier, message: { text: 'hi', data: { deep: [1, null] } } })
  })

  test('is refused with a reason, and what failed is logged', async () => {
    const client = connect(await browse(port))
    const refused = async (identifier: string): Promise<unknown> => {
      const before = client.frames.length
      expect(await client.subscribe(identifier)).toBe(false)
      const [error, rejection] = client.frames.slice(before === 0 ? 1 : before)
      expect(rejection).toEqual({ identifier, type: 'reject_subscription' })
      if (error === undefined) throw new Error('there is no reason')
      expect(error['identifier']).toBe(identifier)
      expect(error['message']).toMatchObject({ type: 'subscription_error', message: expect.any(String) })
      const { code, retryable } = error['message'] as { code: string; retryable: boolean }
      return [code, retryable]
    }
    expect(await refused(room('secret'))).toEqual(['unauthorized', false])
    expect(await refused('{"channel":"missing"}')).toEqual(['unauthorized', false])
    for (const channel of ['../chat', 'chat/', '', 'chat\u0000', 'constructor', '__proto__', 'x'.repeat(300)])
      expect(await refused(JSON.stringify({ channel }))).toEqual(['unauthorized', false])
    expect(await refused('{"room_id":1}')).toEqual(['unauthorized', false])
    expect(await refused('{"channel":"chat","room_id":{"a":1}}')).toEqual(['unauthorized', false])
    expect(await refused('nonsense')).toEqual(['unauthorized', false])
    expect(await refused('{"channel":"broken","zero":0}')).toEqual(['subscribed_partial_error', false])
    // A partial without an end is stopped.
    expect(await refused('{"channel":"slow"}')).toEqual(['subscribed_partial_error', false])
    const errors = () => ingot.database.sql`
      select message from ingot.logs where type = 'error' and data ->> 'type' = 'WebSocketSubscribeError' order by id`
    for (let n = 0; n < 100 && (await errors()).length === 0; n++) await sleep(50)
    expect((await errors())[0]?.['message']).toContain('channels/broken/subscribed.liquid')
  })

  test('finds its partial in a module', async () => {
    const client = connect(await browse(port))
    expect(await client.subscribe('{"channel":"talk/room"}')).toBe(true)
  })

  test('ends with its partial, which reads what the first one exported', async () => {
    const user = (await ingot.database.sql`select id::text from ingot.users`)[0]?.['id']
    const client = await subscribed('leaving', await browse(port, `/in?id=${user}`))
    client.command('unsubscribe', room('leaving'))
    const closing = await subscribed('closing')
    closing.close()
    for (let n = 0; n < 200 && (await logged('left')).length < 2; n++) await sleep(50)
    expect((await logged('left')).toSorted().slice(0, 2)).toEqual(['"closing by "', '"leaving by ann@example.com"'])
    client.command('message', room('leaving'), { n: 1 })
    await sleep(200)
    expect(client.messages()).toEqual([])
  })
})

describe('a message', () => {
  test('stays with the sender when its partial prints false or fails', async () => {
    const client = await subscribed('quiet')
    client.command('message', room('quiet'), { text: 'no' })
    client.command('message', room('quiet'), { text: 'fail', zero: 0 })
    client.command('message', room('quiet'), { text: 'in' })
    client.command('message', room('quiet'), { text: 'yes' })
    await client.until('the last message', () => client.messages().length > 0)
    expect(client.messages()).toEqual([{ text: 'yes' }])
    await server.waitForOutput('a WebSocket cannot set a cookie')
  })

  test('cannot leave its room, and its partial gets the fields of both', async () => {
    const [inside, outside] = [await subscribed('inside'), await subscribed('outside')]
    inside.command('message', room('inside'), { text: 'what', room_id: 'outside', channel: 'broken', __proto__: 1 })
    await inside.until('the message', () => inside.messages().length === 1)
    expect(outside.messages()).toEqual([])
    for (let n = 0; n < 100 && (await logged('what')).length === 0; n++) await sleep(50)
    expect((await logged('what'))[0]).toContain('inside')
    expect((await logged('what'))[0]).not.toContain('outside')
  })

  test('that is large arrives in order between small ones', async () => {
    const [one, two] = [await subscribed('large'), await subscribed('large')]
    const sizes = [10, 100_000, 10, 9_000, 7_800, 10]
    for (const size of sizes) one.command('message', room('large'), { text: 'é'.repeat(size) })
    await two.until('all messages', () => two.messages().length === sizes.length)
    expect(two.messages().map((message) => (message as { text: string }).text.length)).toEqual(sizes)
  })

  test('of a page arrives when its transaction is committed, each one once', async () => {
    const client = await subscribed('a')
    const answer = await fetch(`http://127.0.0.1:${port}/say?room=a&text=hello`)
    expect((await answer.text()).trim()).toBe('sent')
    await (await fetch(`http://127.0.0.1:${port}/twice`)).text()
    await client.until('three messages', () => client.messages().length >= 3)
    await sleep(200)
    expect(client.messages()).toEqual([
      { text: 'hello', from: 'server' },
      { text: 'same', from: 'server' },
      { text: 'same', from: 'server' },
    ])
  })

  test('waits when its client sends too many, and none is lost', async () => {
    const client = await subscribed('many')
    for (let n = 0; n < 120; n++) client.command('message', room('many'), { n })
    await client.until('all messages', () => client.messages().length === 120)
    expect(client.messages()).toEqual([...Array(120).keys()].map((n) => ({ n })))
  })

  test('that is not a command changes nothing', async () => {
    const client = await subscribed('noise')
    for (const text of ['', '{', '[]', '"x"', '{"command":"drop"}', '{"command":"message","identifier":5}'])
      client.socket.send(text)
    client.socket.send(Buffer.from([1, 2, 3]))
    client.socket.send(JSON.stringify({ command: 'message', identifier: room('noise'), data: '[1]' }))
    client.socket.send(JSON.stringify({ command: 'message', identifier: room('noise'), data: 'x' }))
    client.socket.send(JSON.stringify({ command: 'message', identifier: room('elsewhere'), data: '{}' }))
    client.command('message', room('noise'), { n: 1 })
    await client.until('the message', () => client.messages().length === 1)
    expect(client.closed).toBe(null)
  })

  test('that is too large closes its connection', async () => {
    const client = await subscribed('huge')
    client.command('message', room('huge'), { text: 'x'.repeat(300_000) })
    await client.until('the end', () => client.closed !== null)
    expect(client.closed).toBe(1009)
  })
})

describe('a connection', () => {
  test('speaks with the client of Rails', async () => {
    adapters.WebSocket = WebSocket as never
    adapters.logger = console
    const { cookie, token } = await browse(port)
    class WithCookie extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers: { cookie, origin: `http://127.0.0.1:${port}` } })
      }
    }
    adapters.WebSocket = WithCookie as never
    // The client reads the visibility of the page.
    const page = { addEventListener: () => undefined, removeEventListener: () => undefined, visibilityState: 'visible' }
    Object.assign(globalThis, {
      document: page,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    })
    const consumer = createConsumer(`ws://127.0.0.1:${port}/websocket?authenticity_token=${token}`)
    const events: unknown[] = []
    const subscription = consumer.subscriptions.create(
      { channel: 'chat', room_id: 'rails' },
      {
        connected: () => events.push('connected'),
        received: (data: unknown) => events.push(data),
        rejected: () => events.push('rejected'),
      },
    )
    consumer.subscriptions.create(
      { channel: 'chat', room_id: 'secret' },
      { rejected: () => events.push('no'), received: (data: { code: string }) => events.push(data.code) },
    )
    for (let n = 0; n < 200 && events.length < 3; n++) await sleep(20)
    subscription.send({ text: 'hi' })
    for (let n = 0; n < 200 && events.length < 4; n++) await sleep(20)
    consumer.disconnect()
    Reflect.deleteProperty(globalThis, 'document')
    expect(events).toEqual(['connected', 'unauthorized', 'no', { text: 'hi' }])
  })

  test('needs the token of its session, which no log contains', async () => {
    const browser = await browse(port)
    const other = await browse(port)
    const cases: readonly (readonly [Browser, Record<string, string>])[] = [
      [{ ...browser, token: other.token }, {}],
      [{ ...browser, token: '' }, {}],
      [{ cookie: '', token: browser.token }, {}],
      [{ cookie: '', token: '' }, { origin: 'https://evil.test' }],
      [{ ...browser, token: '' }, { origin: 'https://evil.test' }],
    ]
    for (const [given, headers] of cases) {
      const client = connect(given, headers)
      await client.until('the end', () => client.closed !== null)
      expect(client.frames).toEqual([{ type: 'disconnect', reason: 'unauthorized', reconnect: false }])
    }
    expect((await subscribed('mine', browser)).closed).toBe(null)
    await server.waitForOutput(/"path":"\/websocket","status":101,.*"reason":"the CSRF token of the request belongs to/)
    expect(server.output()).not.toContain(browser.token)
    expect(server.output()).not.toContain(other.token)
  })

  test('ends with its session', async () => {
    const user = (await ingot.database.sql`select id::text from ingot.users`)[0]?.['id']
    const browser = await browse(port, `/in?id=${user}`)
    const client = await subscribed('session', browser)
    const other = await subscribed('session')
    await browse(port, '/out', browser.cookie)
    await client.until('the end', () => client.closed !== null)
    expect(client.frames.at(-1)).toEqual({ type: 'disconnect', reason: 'unauthorized', reconnect: false })
    expect(other.closed).toBe(null)
  })

  test('gets pings', async () => {
    const client = await subscribed('pings')
    await client.until('two pings', () => client.pings >= 2)
  })

  test('that does not read is closed, and the others get everything', async () => {
    const [lazy, eager, sender] = [await subscribed('slow'), await subscribed('slow'), await subscribed('slow')]
    lazy.socket.pause()
    // One after another, so that only one client is slow, also on a busy machine. The system takes some megabytes itself.
    for (let n = 1; n <= 100; n++) {
      sender.command('message', room('slow'), { text: 'x'.repeat(200_000) })
      await eager.until('the message', () => eager.messages().length === n)
    }
    lazy.socket.resume()
    await lazy.until('the end', () => lazy.closed !== null)
    expect(lazy.messages().length).toBeLessThan(100)
  })

  test('asks for WebSockets only at their path', async () => {
    const answer = await new Promise<string>((done, fail) => {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
      request({ port, path: '/say?room=b&text=x', method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (data) => (text += String(data)))
        response.on('end', () => done(`${response.statusCode} ${text.trim()}`))
      })
        .on('error', fail)
        .end('a=1')
    })
    expect(answer).toMatch(/^(?:404|200) /)
    const plain = await fetch(`http://127.0.0.1:${port}/websocket`)
    expect(plain.status).toBe(404)
  })
})

describe('processes', () => {
  test('report their connections and rooms to operators', async () => {
    const token = 'token-of-the-operator'
    const query = `{
      admin_channel_rooms(per_page: 100, filter: { room_id: { value: "reported" } }) {
        results { channel room_id subscriptions }
      }
      admin_channel_processes { results { connections } }
    }`
    for (let n = 0; n < 3; n++) await subscribed('reported')
    const ask = async (): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/graph`, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      return response.json()
    }
    const expected = {
      admin_channel_rooms: { results: [{ channel: 'chat', room_id: 'reported', subscriptions: 3 }] },
      admin_channel_processes: { results: expect.arrayContaining([{ connections: expect.any(Number) }]) },
    }
    await expect.poll(ask, { timeout: 15_000, interval: 500 }).toEqual({ data: expected })
  })

  test('one that is killed takes only its own connections with it', async () => {
    const all = await Promise.all([...Array(12).keys()].map(() => subscribed('killed')))
    const pids = [...server.output().matchAll(/"pid":(\d+)/g)].map((found) => Number(found[1]))
    const workers = [...new Set(pids)].filter((pid) => pid !== server.child.pid)
    let left: readonly Client[] = all
    // A process may have accepted none of the connections.
    for (const worker of workers) {
      if (left.length < all.length) break
      process.kill(worker, 'SIGKILL')
      await sleep(100)
      left = all.filter(({ closed }) => closed === null)
    }
    // On a slow machine the last of its connections are closed later.
    await sleep(2_000)
    left = all.filter(({ closed }) => closed === null)
    expect(left.length).toBeLessThan(12)
    expect(left.length).toBeGreaterThan(0)
    const started = performance.now()
    const back = await subscribed('killed')
    expect(performance.now() - started).toBeLessThan(1_000)
    left[0]?.command('message', room('killed'), { n: 1 })
    for (const client of [...left, back]) await client.until('the message', () => client.messages().length >= 1)
    await sleep(100)
    for (const client of [...left, back]) expect(client.messages()).toEqual([{ n: 1 }])
  })

  test('that stop send their clients on', async () => {
    const client = await subscribed('stopping')
    server.child.kill('SIGTERM')
    await client.until('the end', () => client.closed !== null)
    expect(client.frames.at(-1)).toEqual({ type: 'disconnect', reason: 'server_restart', reconnect: true })
    expect(await server.exitCode).toBe(0)
    // The partials that end subscriptions have run before the database was left.
    expect(await logged('left')).toContain('"stopping by "')
  })
})

test('a site may open its channels: to its own pages without a partial, and to other sites with one', async () => {
  const config = 'websockets_require_csrf_token: false\nwebsockets_require_subscribed_partial: false\n'
  server = ingot.start(['serve', await channelSite(config)], { INGOT_WORKERS: '1' })
  port = await server.port()
  const nobody = { cookie: '', token: '' }
  const own = connect(nobody)
  expect(await own.subscribe('{"channel":"open","room_id":1}')).toBe(true)
  const foreign = connect(nobody, { origin: 'https://other.test' })
  expect(await foreign.subscribe('{"channel":"open","room_id":1}')).toBe(false)
  expect(await foreign.subscribe(room(1))).toBe(true)
  own.command('message', '{"channel":"open","room_id":1}', { n: 1 })
  await own.until('the message', () => own.messages().length === 1)
  // The page of another site does not act as the visitor.
  const user = (await ingot.database.sql`select id::text from ingot.users`)[0]?.['id']
  const browser = await browse(port, `/in?id=${user}`)
  const hijacker = connect({ ...browser, token: '' }, { origin: 'https://other.test' })
  expect(await hijacker.subscribe(room('hijacked'))).toBe(true)
  hijacker.close()
  for (let n = 0; n < 100 && !(await logged('left')).some((text) => text.includes('hijacked')); n++) await sleep(50)
  expect(await logged('left')).toContain('"hijacked by "')
})
