/** Bodies and refusals are the same with and without the framework. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import type { Request } from '../../../../server/web/http/message.ts'
import { hasPlainBody } from '../../../../server/web/http/plain-body.ts'

const BODY_LIMIT = 100_000

const seen: Request[] = []
let listening: Listening

beforeAll(async () => {
  const echo = (request: Request) => {
    seen.push(request)
    const length = request.body?.length ?? -1
    const body = `${request.method} ${length} ${request.unreadable?.status ?? 'read'}`
    return { status: 200, headers: { 'content-type': 'text/plain' }, body }
  }
  listening = await listen(echo, {
    host: '127.0.0.1',
    port: 0,
    proxies: 0,
    bodyLimit: BODY_LIMIT,
    log: { info: () => undefined, error: () => undefined },
    takesBody: ({ url }) => (url.startsWith('/later') ? Promise.resolve(!url.endsWith('never')) : url !== '/nobody'),
  })
})
afterAll(() => listening.stop(1_000, 0))

/** Sends texts one after another on a connection, and returns everything received until it is closed or silent. */
function spoken(...texts: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(listening.port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('close', () => done(answer))
    socket.on('error', fail)
    const send = (at: number): void => {
      const text = texts[at]
      if (text === undefined) setTimeout(() => socket.end(), 200)
      else socket.write(text, () => setTimeout(() => send(at + 1), 20))
    }
    send(0)
  })
}

function head(url: string, length: number, headers = 'content-type: application/json\r\n'): string {
  return `POST ${url} HTTP/1.1\r\nhost: localhost\r\n${headers}content-length: ${length}\r\n\r\n`
}

const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4)

it.each([
  ['at once', '/', [`${head('/', 7)}{"a":1}`]],
  ['in pieces', '/', [head('/', 7), '{"a"', ':1', '}']],
  ['where somebody takes it who has to think', '/later', [`${head('/later', 7)}{"a":1}`]],
])('a body that comes %s is whole', async (_, url, texts) => {
  const answer = await spoken(...texts)
  expect(bodyOf(answer)).toBe('POST 7 read')
  const request = seen.at(-1)
  expect(request?.url).toBe(url)
  expect(Buffer.from(request?.body ?? []).toString()).toBe('{"a":1}')
})

it('the id of an answer is that of the request that was handled, and is made once', async () => {
  const answer = await spoken(`${head('/', 2)}{}`)
  expect(/^x-request-id: (.*)\r$/m.exec(answer)?.[1]).toBe(seen.at(-1)?.id)
})

it.each([
  ['nobody takes', '/nobody'],
  ['nobody takes who has to think', '/later/never'],
])('a body that %s is not kept', async (_, url) => {
  expect(bodyOf(await spoken(`${head(url, 7)}{"a":1}`))).toBe('POST -1 read')
})

it('one that is too large is refused before it has come', async () => {
  expect(bodyOf(await spoken(head('/', BODY_LIMIT + 1)))).toMatch(/^POST -1 413/)
})

it('several requests of one connection keep their bodies', async () => {
  const answer = await spoken(`${head('/', 7)}{"a":1}${head('/', 2)}{}`)
  expect(answer.match(/POST \d+ read/g)).toEqual(['POST 7 read', 'POST 2 read'])
})

it('who leaves in the middle of a body costs nobody anything', async () => {
  const before = seen.length
  await spoken(head('/', 50), '{"a":')
  expect(seen.length).toBe(before)
  expect(bodyOf(await spoken(`${head('/', 2)}{}`))).toBe('POST 2 read')
})

it.each([
  ['a plain form', { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '3' }, true],
  ['JSON with its charset', { 'content-type': 'application/json; charset=UTF-8', 'content-length': '3' }, true],
  ['JSON of its own kind', { 'content-type': 'application/vnd.api+json', 'content-length': '3' }, true],
  ['a form with files', { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '3' }, false],
  ['a type with more to it', { 'content-type': 'application/json; profile="x"', 'content-length': '3' }, false],
  ['no type', { 'content-length': '3' }, false],
  ['no length', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }, false],
  ['a length of nothing', { 'content-type': 'application/json', 'content-length': '0' }, false],
  ['a length that is too much', { 'content-type': 'application/json', 'content-length': '101' }, false],
  [
    'one who waits to be asked',
    { 'content-type': 'application/json', 'content-length': '3', expect: '100-continue' },
    false,
  ],
])('%s', (_, headers, expected) => {
  expect(hasPlainBody({ method: 'POST', url: '/', headers } as never, 100)).toBe(expected)
})

it.each(['/%', '/a%20b', '*', 'http://localhost/'])('the address %s is looked at by the framework', (url) => {
  const headers = { 'content-type': 'application/json', 'content-length': '3' }
  expect(hasPlainBody({ method: 'POST', url, headers } as never, 100)).toBe(false)
})
