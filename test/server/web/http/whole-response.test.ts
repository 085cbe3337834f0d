/** Responses that the listener writes at once are the same as responses that Node writes. */
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import { createRequest, type Handler, type Reply } from '../../../../server/web/http/message.ts'
import { prepareAnswer } from '../../../../server/web/http/text-answer.ts'

const log = { info: () => undefined, error: () => undefined }
let open: Listening | null = null
afterEach(async () => {
  await open?.stop(0, 0)
  open = null
})

interface Answer {
  readonly status: string
  /** The headers in lower case and sorted, without those that differ between two responses. */
  readonly headers: readonly string[]
  readonly body: string
}

const DIFFER = /^(?:date|x-request-id|connection|keep-alive):/

/** Returns the responses to requests that are all sent at once on one connection. */
async function ask(handler: Handler, requests: readonly string[]): Promise<readonly Answer[]> {
  open = await listen(handler, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1000, log })
  const { port } = open
  const bytes = await new Promise<Buffer>((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const each of requests) socket.write(`${each}\r\nHost: a\r\n\r\n`)
    })
    const all: Buffer[] = []
    socket.on('data', (data) => all.push(data))
    socket.on('close', () => done(Buffer.concat(all)))
    socket.on('error', failed)
  })
  await open.stop(0, 0)
  const bodiless = requests.map((each) => each.startsWith('HEAD '))
  return answersIn(bytes, bodiless) ?? ask(handler, requests)
}

/** Null if the busy server has closed the connection after one of the first responses. The remaining requests are then sent again. */

function answersIn(bytes: Buffer, bodiless: readonly boolean[]): readonly Answer[] | null {
  const answers: Answer[] = []
  let at = 0
  for (const isHead of bodiless) {
    const end = bytes.indexOf('\r\n\r\n', at)
    const [status = '', ...lines] = bytes.toString('latin1', at, end).toLowerCase().split('\r\n')
    const length = Number(lines.find((line) => line.startsWith('content-length: '))?.slice(16) ?? 0)
    at = end + 4 + (isHead ? 0 : length)
    const headers = lines.filter((line) => !DIFFER.test(line)).sort()
    answers.push({ status, headers, body: bytes.toString('utf8', end + 4, at) })
    if (at === bytes.length && answers.length < bodiless.length && lines.includes('connection: close')) return null
  }
  expect(at).toBe(bytes.length)
  return answers
}

const BODIES = [
  ['nothing', ''],
  ['ASCII', 'a\r\n\r\nb'],
  ['letters of one byte in memory and two on the wire', 'äöü'.repeat(400)],
  ['other letters', 'żółw 🐢'.repeat(300)],
  ['as many bytes as are put together', 'x'.repeat(64 * 1024)],
  ['more than a connection takes at once', 'ż'.repeat(5_000_000)],
] as const

const PREPARED = ['ready', 'made'] as const

function replyOf(body: string, kind: (typeof PREPARED)[number]): Reply {
  const reply: Reply = {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body,
    template: 'a.liquid',
  }
  const source = { method: 'GET', url: '/', protocol: 'http', host: 'a', ip: '', headers: {}, body: null, id: 'x' }
  const request = createRequest(source)
  if (kind === 'ready') prepareAnswer(request, reply, log)
  return reply
}

test.each(BODIES.flatMap(([what, body]) => PREPARED.map((kind) => [what, kind, body] as const)))(
  '%s, %s, is the same as where Node writes it, also behind others',
  async (_, kind, body) => {
    const reply = replyOf(body, kind)
    const get = 'GET / HTTP/1.1'
    // Node writes the last response, because its connection closes.
    const answers = await ask(() => reply, [get, get, 'HEAD / HTTP/1.1', get, `${get}\r\nConnection: close`])
    const [first, second, head, third, last] = answers
    expect(first?.body === body).toBe(true)
    expect(first?.status).toBe('http/1.1 200 ok')
    expect(first).toEqual(last)
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(head).toEqual({ ...first, body: '' })
  },
)

test.each(PREPARED)('a client that has the body gets none, %s', async (kind) => {
  const reply = replyOf('the body', kind)
  const asked = `GET / HTTP/1.1\r\nIf-None-Match: ${await etagOf(() => reply)}`
  const [second, third] = await ask(() => reply, [asked, `${asked}\r\nConnection: close`])
  expect(second?.status).toBe('http/1.1 304 not modified')
  expect(second).toEqual(third)
})

async function etagOf(handler: Handler): Promise<string> {
  open = await listen(handler, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1000, log })
  const { headers } = await fetch(`http://127.0.0.1:${open.port}/`)
  await open.stop(0, 0)
  return headers.get('etag') ?? ''
}

test('headers of a reply win over those that all have, but for what goes by its body; invalid ones are left out', async () => {
  const own = {
    'cache-control': 'no-store',
    etag: '"mine"',
    'content-length': '1',
    'x-request-id': 'mine',
    'x-own': 'a',
  }
  const reply: Reply = { status: 200, headers: { ...own, 'x-invalid': 'a\r\nb: c', 'in valid': 'a' }, body: 'the body' }
  const get = 'GET / HTTP/1.1'
  const [first, last] = await ask(() => reply, [get, `${get}\r\nConnection: close`])
  expect(first).toEqual(last)
  expect(first?.body).toBe('the body')
  expect(first?.headers).toEqual(expect.arrayContaining(['cache-control: no-store', 'content-length: 8', 'x-own: a']))
  expect(first?.headers.filter((line) => /mine|invalid|in valid|^b:/.test(line))).toEqual([])
})

test('a copy of a prepared reply is sent as it is itself', async () => {
  const reply = replyOf('first', 'ready')
  const copy = { ...reply, headers: { ...reply.headers, 'x-more': '1' }, body: 'second' }
  const [first, second] = await ask(
    ({ url }) => (url === '/' ? reply : copy),
    ['GET / HTTP/1.1', 'GET /copy HTTP/1.1\r\nConnection: close'],
  )
  expect([first?.body, second?.body]).toEqual(['first', 'second'])
  expect(second?.headers).toContain('x-more: 1')
})

test('a reply that has a date of its own is sent with it', async () => {
  const dated: Reply = { status: 200, headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' }, body: 'x' }
  open = await listen(() => dated, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1000, log })
  const { headers } = await fetch(`http://127.0.0.1:${open.port}/`)
  expect(headers.get('date')).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
})
