/** Tests that secrets are masked by name, by value, and by form, and that everything else stays. */
import { describe, expect, test } from 'vitest'
import { isSecretName, MASK, Masker } from '../../../server/core/mask.ts'
import { RequestRecords } from '../../../server/operate/observe/kept-requests.ts'
import type { RecordedRequest } from '../../../server/operate/observe/recorded-request.ts'
import { ANSWER } from '../operate/observe/recorded.ts'

const LENGTH = { length: 200 }

test.each([
  'password',
  'password_confirmation',
  'new-password',
  'form[password]',
  'authenticity_token',
  'api_key',
  'X-Api-Key',
  'apiKey',
  'Authorization',
  'client_secret',
  'Cookie',
  'CSRF-TOKEN',
  'session_id',
  'otp_code',
  'card_number',
  'cvc',
  'private_key',
  'pwd',
])('the key %s is secret', (name) => expect(isSecretName(name)).toBe(true))

test.each(['footprint', 'title', 'path', 'state', 'session', 'compass', 'email', 'key', 'spinner', 'lesson'])(
  'the key %s is not',
  (name) => expect(isSecretName(name)).toBe(false),
)

describe('a text', () => {
  test.each([
    ['Bearer abc.def-ghi_jkl', MASK],
    ['/reset?token=abc123&page=2', `/reset?token=${MASK}&page=2`],
    ['eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl', MASK],
    ['$argon2id$v=19$m=65536$abc', MASK],
    ['paid with 4242 4242 4242 4242.', `paid with ${MASK}.`],
    ['{"email":"a@b.c","password":"x1"}', `{"email":"a@b.c","password":"${MASK}"}`],
    ['endpoint: { url: "https://a.test/", token: "x1" }', `endpoint: { url: "https://a.test/", token: "${MASK}" }`],
    ['order 1234567890123 at 1732883719000', 'order 1234567890123 at 1732883719000'],
    ['plain words = fine', 'plain words = fine'],
  ])('%s', (text, expected) => expect(new Masker().text(text, 200)).toBe(expected))

  test('hides a known secret wherever it occurs, also encoded, and before it is cut', () => {
    const masker = new Masker()
    masker.add('s3cr&t-value')
    masker.add('12')
    expect(masker.text('a s3cr&t-value b s3cr%26t-value 12', 200)).toBe(`a ${MASK} b ${MASK} 12`)
    expect(masker.text(`${'x'.repeat(195)}s3cr&t-value`, 200)).not.toContain('s3c')
  })
})

test('values keep their shape; long lists and texts are cut', () => {
  const masker = new Masker()
  const value = {
    form: { password: 'hunter2', tags: Array.from({ length: 300 }, (_each, at) => at) },
    none: null,
    on: true,
  }
  const masked = masker.mask(value, LENGTH)
  expect(masked).toMatchObject({ form: { password: MASK }, none: null, on: true })
  expect(JSON.stringify(masked).length).toBeLessThan(1_000)
  expect(masker.mask('x'.repeat(5_000), LENGTH)).toBe(`${'x'.repeat(200)}… (5000 characters)`)
})

test('no secret of a request is in its record', async () => {
  const records: RecordedRequest[] = []
  const requests = new RequestRecords((record) => void records.push(record))
  requests.maskConstants(() => ({ PAYMENT: 'live-payment-1', EMPTY: '' }))
  const recording = requests.record()
  const secrets = [
    'hunter2-long',
    'cookie-value-1234',
    'live-payment-1',
    'csrf-token-abcdef',
    'session-row-1',
    'Zm9vOmJhcg==',
  ]
  const query = recording?.query({ name: 'q', document: null, variables: { password: 'hunter2-long' } })
  recording?.statement({
    ...{ sql: 'select $1', rows: 1, ms: 1, waited: 0, replica: false, transaction: false, error: null },
    values: ['hunter2-long', '{"properties":{"api_token":"hunter2-long"}}', 'open', 'a live-payment-1 b'],
  })
  query?.end({ place: null, rows: 1, error: 'hunter2-long is wrong' })
  recording?.log({ type: 'info', message: { all: secrets.join(' ') }, file: 'a', line: 1, isFault: false })
  recording?.call({ method: 'GET', url: 'https://api/?key=live-payment-1', status: 200, ms: 1, error: null })
  recording?.fragment({ key: 'k csrf-token-abcdef', hit: false, ms: 1, place: null })
  recording?.message({
    ...{ channel: 'email', name: null, to: 'a@b.c', state: 'sent', job: null, error: null },
    subject: 'code session-row-1',
  })
  recording?.visitor(() => ({
    user: { id: '1', email: 'a@b.c' },
    session: { cart: 'open', auth_token: 'csrf-token-abcdef' },
    params: { authenticity_token: 'csrf-token-abcdef', name: 'open' },
    secrets: ['session-row-1'],
  }))
  recording?.answer({
    ...ANSWER,
    url: '/a?x=cookie-value-1234',
    requestHeaders: { cookie: 'id=cookie-value-1234; lang=en', authorization: 'Basic Zm9vOmJhcg==' },
    responseHeaders: { 'set-cookie': ['id=cookie-value-1234; Path=/'] },
  })
  await expect.poll(() => records).toHaveLength(1)
  const text = JSON.stringify(records)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(records[0]?.detail.queries[0]?.statements[0]?.values).toEqual([
    MASK,
    `{"properties":{"api_token":"${MASK}"}}`,
    'open',
    `a ${MASK} b`,
  ])
  expect(records[0]?.detail.requestHeaders).toEqual({ cookie: `id=${MASK}; lang=${MASK}`, authorization: MASK })
  expect(records[0]?.summary).toMatchObject({ path: `/a?x=${MASK}`, user: { email: 'a@b.c' } })
})
