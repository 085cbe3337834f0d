/** Responses that are sent as one text have the same headers as those that `finish` completes. */
import { expect, test } from 'vitest'
import { finish } from '../../../../server/web/http/finish.ts'
import { formatHeaderLines } from '../../../../server/web/http/head.ts'
import { createRequest, type Reply, type Request } from '../../../../server/web/http/message.ts'
import { textAnswer } from '../../../../server/web/http/text-answer.ts'

const LOG = { info: () => undefined, error: () => undefined }
const JSON_TYPE = { 'content-type': 'application/json' }

function requestOf(method: string, headers: Request['headers'] = {}): Request {
  const where = { protocol: 'http', host: 'a', ip: '127.0.0.1' } as const
  return createRequest({ ...where, method, url: '/', headers, body: null, id: 'an-id' })
}

const linesBy = (text: string): readonly string[] =>
  text
    .split('\r\n')
    .filter((line) => line !== '')
    .toSorted()

const TEXTS: readonly (readonly [string, Reply])[] = [
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
test.each(TEXTS)('%s %j', (method, reply) => {
  const request = requestOf(method)
  const text = textAnswer(request, reply, LOG)
  const finished = finish(request, reply)
  expect(text).not.toBeNull()
  expect(linesBy(`${text?.lines}x-request-id: ${request.id}\r\n`)).toEqual(linesBy(formatHeaderLines(finished, LOG)))
  const { status, body } = finished
  expect(text).toMatchObject({ status, body, length: Buffer.byteLength(String(body)) })
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
test.each(OTHERS)('%s %j %j is not sent as one text', (method, reply, headers) => {
  expect(textAnswer(requestOf(method, headers), { status: 200, headers: {}, body: 'text', ...reply }, LOG)).toBeNull()
})
