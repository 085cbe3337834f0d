/** Tests the tokens of the developer's pages: they expire, and work for one purpose, from this machine and the same origin. */
import { expect, test } from 'vitest'
import { createDevTokens } from '../../../../server/tools/dev/tokens.ts'
import { createRequest } from '../../../../server/web/http/message.ts'

const request = (headers: Readonly<Record<string, string>>, more: { ip?: string; host?: string } = {}) =>
  createRequest({
    method: 'POST',
    url: '/_ingot/open',
    protocol: 'http',
    host: 'localhost:3000',
    ip: '127.0.0.1',
    body: null,
    id: '1',
    headers,
    ...more,
  })

test('a token works until it expires, for its purpose, its process and its site', () => {
  let now = 1_000_000
  const tokens = createDevTokens(() => now)
  const own = request({ 'sec-fetch-site': 'same-origin' })
  const token = tokens.issue('open')
  expect(tokens.accepts(token, 'open', own)).toBe(true)
  expect(tokens.accepts(token, 'open', request({ origin: 'http://localhost:3000' }))).toBe(true)
  expect(tokens.accepts(token, 'graphql', own)).toBe(false)
  expect(createDevTokens(() => now).accepts(token, 'open', own)).toBe(false)
  for (const other of ['', 'dev-', token.slice(0, -1), `${token}A`, token.replace('dev-1', 'dev-2')])
    expect(tokens.accepts(other, 'open', own), other).toBe(false)
  for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }])
    expect(tokens.accepts(token, 'open', request(headers))).toBe(false)
  const site = { 'sec-fetch-site': 'same-origin' }
  expect(tokens.accepts(token, 'open', request(site, { ip: '10.0.0.7' }))).toBe(false)
  expect(tokens.accepts(token, 'open', request(site, { host: 'evil.example' }))).toBe(false)
  now += 10 * 60_000
  expect(tokens.accepts(token, 'open', own)).toBe(false)
})
