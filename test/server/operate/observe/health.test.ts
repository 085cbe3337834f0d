/** Tests the health endpoints while the database is unreachable and reachable again, and while the server stops. */
import { Agent, get as httpGet } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hiddenPages } from '../../../../server/operate/observe/health.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { type Door, openDoor } from '../../web/graphql/door.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { page } from '../../../support/server/site.ts'
import { builtFolder } from '../../../support/server/built-folder.ts'
import { urlOfDoor } from './door-url.ts'

const FILES = {
  'app/views/pages/index.liquid': 'home',
  'app/views/pages/up.liquid': '---\nslug: _ingot/up\n---\na page of the site',
  'app/views/pages/free.liquid': '---\nslug: _ingot/upstairs\n---\nupstairs',
}

// Several processes start and end in each test.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let ingot: Programs
let root: string

beforeAll(async () => {
  ingot = await programs()
  root = await builtFolder(FILES)
})
afterAll(() => ingot.clean())

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Headers
}

async function ask(port: number, path: string, init: RequestInit = {}): Promise<Answer> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, init)
  return { status: reply.status, body: await reply.text(), headers: reply.headers }
}

/** Sends bytes unchanged. Returns everything that is received until the connection closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((done, failed) => {
    let got = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(text))
    socket.on('data', (data) => {
      got += String(data)
    })
    socket.once('error', failed)
    socket.once('close', () => done(got))
  })
}

async function ended(program: Program): Promise<void> {
  program.child.kill('SIGTERM')
  await program.exitCode
}

describe('a server', () => {
  let program: Program
  let port: number
  beforeAll(async () => {
    program = ingot.start(['serve', root], { INGOT_HOSTS: 'shop.example', INGOT_RATE: '3', INGOT_PROXIES: '1' })
    port = await program.port()
  })
  afterAll(() => ended(program))

  test('says that it lives and is ready, to whatever name, however often it is asked', async () => {
    // A visitor whose address has used up the limit for all other requests, in all processes.
    const visitor = { headers: { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-host': 'shop.example' } }
    await expect
      .poll(async () => {
        const all = await Promise.all(Array.from({ length: 8 }, () => ask(port, '/', visitor)))
        return all.every(({ status }) => status === 429)
      })
      .toBe(true)
    for (let i = 0; i < 10; i++) {
      const from = i % 2 === 0 ? {} : visitor
      expect(await ask(port, '/_ingot/up', from)).toMatchObject({ status: 200, body: 'up\n' })
      const { status, body } = await ask(port, '/_ingot/ready?from=outside', from)
      expect(status).toBe(200)
      expect(JSON.parse(body)).toEqual({
        status: 'ready',
        release: expect.stringMatching(/^\w{8,}$/),
        database: 'ok',
        migrations: 'done',
      })
    }
    expect((await ask(port, '/')).status).toBe(400)
  })

  test('is answered to for HTTP/1.0 without a host, as balancers ask', async () => {
    const answer = await raw(port, 'GET /_ingot/up HTTP/1.0\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toMatch(/\r\n\r\nup\n$/)
  })

  test('is never kept by a cache, and sets no cookie', async () => {
    for (const path of ['/_ingot/up', '/_ingot/ready']) {
      const { headers } = await ask(port, path, { headers: { 'if-none-match': '*' } })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('etag')).toBeNull()
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('answers HEAD without a body, and no other method', async () => {
    const head = await ask(port, '/_ingot/ready', { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
    expect((await ask(port, '/_ingot/up', { method: 'POST', body: '' })).status).not.toBe(200)
  })

  test('comes before a page of that name, and says so when it starts', async () => {
    await program.waitForOutput(
      'app/views/pages/up.liquid cannot be reached, because the server itself answers at /_ingot/up',
    )
    expect(program.output()).not.toContain('upstairs')
  })

  test('writes no line about it', async () => {
    await ask(port, '/_ingot/up')
    await ended(program)
    expect(program.output()).not.toMatch(/"path":"\/_ingot\/(?:up|ready)","status":200/)
  })
})

test('other paths are a setting, and give the first ones back to the site', async () => {
  const program = ingot.start(['serve', root], { INGOT_UP_PATH: '/alive', INGOT_READY_PATH: '/healthz' })
  const port = await program.port()
  expect((await ask(port, '/alive')).body).toBe('up\n')
  expect((await ask(port, '/healthz')).status).toBe(200)
  expect((await ask(port, '/_ingot/up')).body).toBe('a page of the site')
  expect((await ask(port, '/_ingot/upstairs')).body).toBe('upstairs')
  await ended(program)
})

describe('a database that goes away', () => {
  let door: Door
  let program: Program
  let port: number

  beforeAll(async () => {
    door = await openDoor(ingot.database.url)
    program = ingot.start(['serve', root], { DATABASE_URL: urlOfDoor(door) })
    port = await program.port()
  })
  afterAll(async () => {
    await ended(program)
    await door.close()
  })

  test('leaves the server alive and not ready, and it is ready again when the database is back', async () => {
    expect((await ask(port, '/_ingot/ready')).status).toBe(200)
    await door.shut()
    // Each process checks for itself, and uses the result for half a second.
    let body = ''
    const asked = async (): Promise<string> => {
      const answer = await ask(port, '/_ingot/ready')
      body = answer.body
      return `${answer.status} ${body}`
    }
    await expect.poll(asked).toMatch(/^503 .*the database cannot be reached/s)
    expect(JSON.parse(body)).toMatchObject({ status: 'not ready', reason: 'the database cannot be reached' })
    // The response reveals neither the address of the database nor a user name.
    expect(body).not.toContain(door.address.user)
    expect(body).not.toContain(String(door.address.port))
    expect((await ask(port, '/_ingot/up')).status).toBe(200)
    await program.waitForOutput('not ready: the database cannot be reached')
    await door.open()
    // A process checks only when it receives a request, and an idle process may receive all of the requests.
    const again = async (): Promise<boolean> => {
      const answers = await Promise.all(Array.from({ length: 16 }, () => ask(port, '/_ingot/ready')))
      return answers.every(({ status }) => status === 200) && program.output().includes('"ready again"')
    }
    await expect.poll(again).toBe(true)
  })

  test('is also one that takes the question and gives no answer', async () => {
    await expect.poll(async () => (await ask(port, '/_ingot/ready')).status).toBe(200)
    // Each process opens its connection with its first check.
    await expect
      .poll(
        async () => {
          door.freeze(true)
          return (await ask(port, '/_ingot/ready')).body
        },
        { timeout: 60_000 },
      )
      .toContain('the database does not answer')
    door.freeze(false)
    await expect.poll(async () => (await ask(port, '/_ingot/ready')).status).toBe(200)
  })
})

test('while it drains it serves everything, and says that it is not ready', async () => {
  const program = ingot.start(['serve', root], { INGOT_DRAIN: '3' })
  const port = await program.port()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const kept = (path: string): Promise<number> =>
    new Promise((done, failed) => {
      const sent = httpGet({ port, host: '127.0.0.1', path, agent }, (reply) => {
        reply.resume()
        reply.once('end', () => done(reply.statusCode ?? 0))
      })
      sent.once('error', failed)
    })
  expect(await kept('/_ingot/ready')).toBe(200)
  program.child.kill('SIGTERM')
  await expect.poll(async () => (await ask(port, '/_ingot/ready')).status, { interval: 20 }).toBe(503)
  expect(await kept('/_ingot/ready')).toBe(503)
  expect(await ask(port, '/_ingot/ready')).toMatchObject({ body: expect.stringContaining('the server is stopping') })
  expect(await ask(port, '/')).toMatchObject({ status: 200, body: 'home' })
  expect((await ask(port, '/_ingot/up')).status).toBe(200)
  expect(await program.exitCode).toBe(0)
  agent.destroy()
})

describe('settings', () => {
  test.each([
    { INGOT_UP_PATH: 'up' },
    { INGOT_UP_PATH: '/' },
    { INGOT_READY_PATH: '/a?b' },
    { INGOT_READY_PATH: '/a\r\nb' },
  ])('%o is no path', (variables) => {
    expect(() => readSettings(variables, 'production')).toThrow(/cannot be .*give a path such as/s)
  })

  test('two of one path are refused', () => {
    expect(() => readSettings({ INGOT_UP_PATH: '/_ingot/ready' }, 'production')).toThrow(/the same path/)
  })

  test('a page whose address only begins like one is reached', () => {
    expect(hiddenPages([page('_ingot/upstairs')], { INGOT_UP_PATH: '/_ingot/up' })).toEqual([])
  })
})
