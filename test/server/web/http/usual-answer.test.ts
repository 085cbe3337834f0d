/** The head that is written line by line is the one that `finish` gives by a table of headers. */
import { expect, test } from 'vitest'
import { finish } from '../../../../server/web/http/finish.ts'
import { linesOf } from '../../../../server/web/http/head.ts'
import type { Reply, Request } from '../../../../server/web/http/message.ts'
import { usualAnswer } from '../../../../server/web/http/usual-answer.ts'

const LOG = { info: () => undefined, error: () => undefined }
const JSON_TYPE = { 'content-type': 'application/json' }

function requestOf(method: string, headers: Request['headers'] = {}): Request {
  const where = { protocol: 'http', host: 'a', ip: '127.0.0.1' } as const
  return { ...where, span: null, method, url: '/', headers, body: null, parts: null, unreadable: null, id: 'an-id' }
}

const linesBy = (text: string): readonly string[] =>
  text
    .split('\r\n')
    .filter((line) => line !== '')
    .toSorted()

const USUAL: readonly (readonly [string, Reply])[] = [
  ['GET', { status: 200, headers: {}, body: 'text' }],
  ['GET', { status: 200, headers: { 'cache-control': 'no-store', etag: '"other"' }, body: 'ä €' }],
  ['GET', { status: 404, headers: { etag: '"of the site"', 'content-length': '1' }, body: 'not found' }],
  ['POST', { status: 201, headers: { ...JSON_TYPE, 'cache-control': 'no-store' }, body: '{"id":1}' }],
  ['POST', { status: 200, headers: { etag: '"of the site"' }, body: 'text' }],
  [
    'PUT',
    { status: 422, headers: { ...JSON_TYPE, 'x-good': 'stays', 'x-bad': 'a\r\nb' }, body: '{"errors":{"a":"ü"}}' },
  ],
  ['DELETE', { status: 302, headers: { location: '/', 'x-request-id': 'of the site' }, body: '' }],
]
test.each(USUAL)('%s %j', (method, reply) => {
  const request = requestOf(method)
  const usual = usualAnswer(request, reply, LOG)
  const finished = finish(request, reply)
  expect(usual).not.toBeNull()
  expect(linesBy(`${usual?.lines}x-request-id: ${request.id}\r\n`)).toEqual(linesBy(linesOf(finished, LOG)))
  const { status, body } = finished
  expect(usual).toMatchObject({ status, body, length: Buffer.byteLength(String(body)) })
})

const OTHERS: readonly (readonly [method: string, reply: Partial<Reply>, headers: Request['headers']])[] = [
  ['HEAD', {}, {}],
  ['GET', {}, { 'if-none-match': '"a"' }],
  ['POST', { status: 204 }, {}],
  ['GET', { status: 304 }, {}],
  ['POST', { cookies: ['a=1'] }, {}],
  ['POST', { body: null }, {}],
  ['POST', { headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }, {}],
  ['POST', { headers: { connection: 'close' } }, {}],
]
test.each(OTHERS)('%s %j %j is no usual answer', (method, reply, headers) => {
  expect(usualAnswer(requestOf(method, headers), { status: 200, headers: {}, body: 'text', ...reply }, LOG)).toBeNull()
})
