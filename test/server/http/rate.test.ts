/** Who sends too much is refused for a while, and nobody else. */
import { afterEach, expect, test, vi } from 'vitest'
import { listen } from '../../../server/http/listen.ts'
import type { Listening } from '../../../server/http/listening.ts'
import { createRate } from '../../../server/http/rate.ts'

let open: Listening | null = null
afterEach(async () => {
  await open?.stop(0, 0)
  open = null
})

test('requests are counted by the address, in five minutes, and the refusal lasts ten', () => {
  let now = 1_000_000
  const rate = createRate(3, () => now)
  expect([1, 2, 3].map(() => rate.count('10.0.0.1'))).toEqual([0, 0, 0])
  expect(rate.count('10.0.0.1')).toBe(600)
  expect(rate.count('10.0.0.2')).toBe(0)
  now += 400_000
  // Asking on does not make it longer.
  expect(rate.count('10.0.0.1')).toBe(200)
  now += 200_000
  expect([1, 2, 3].map(() => rate.count('10.0.0.1'))).toEqual([0, 0, 0])
  now += 300_000
  expect([1, 2, 3].map(() => rate.count('10.0.0.1'))).toEqual([0, 0, 0])
})

test('of IPv6 the network of one customer counts', () => {
  const rate = createRate(1, () => 0)
  expect(rate.count('2001:db8:1:2::1')).toBe(0)
  expect(rate.count('2001:db8:1:2:ffff::9')).toBe(600)
  expect(rate.count('2001:db8:1:3::1')).toBe(0)
})

test('0 counts nothing', () => {
  const rate = createRate(0)
  expect(Array.from({ length: 1_000 }, () => rate.count('10.0.0.1')).every((wait) => wait === 0)).toBe(true)
})

test('a visitor who sent too much is told when to come again, and still gets assets', async () => {
  const log = { info: () => undefined, error: () => undefined }
  const ok = async () => ({ status: 200, headers: {}, body: 'x' })
  open = await listen(ok, { host: '127.0.0.1', port: 0, proxies: 1, bodyLimit: 1_000, rate: 2, log })
  const get = async (path: string, from: string) =>
    fetch(`http://127.0.0.1:${open?.port}${path}`, { headers: { 'x-forwarded-for': from } })
  expect([(await get('/', '10.0.0.1')).status, (await get('/', '10.0.0.1')).status]).toEqual([200, 200])
  const refused = await get('/', '10.0.0.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
  expect((await get('/assets/a.css', '10.0.0.1')).status).toBe(200)
  expect((await get('/', '10.0.0.2')).status).toBe(200)
})

test('a clock that is set back or forth neither frees nor locks out anybody', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const rate = createRate(1)
    rate.count('10.0.0.1')
    expect(rate.count('10.0.0.1')).toBeGreaterThan(0)
    vi.setSystemTime(Date.now() + 86_400_000)
    expect(rate.isBlocked('10.0.0.1')).toBe(true)
    vi.setSystemTime(Date.now() - 2 * 86_400_000)
    expect(rate.count('10.0.0.1')).toBeLessThanOrEqual(600)
    expect(rate.isBlocked('10.0.0.1')).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
