/** A client that sends too many requests is refused for a while; other clients are not. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening, ListenOptions } from '../../../../server/web/http/listening.ts'
import type { Reply, Request } from '../../../../server/web/http/message.ts'
import { createRate } from '../../../../server/web/http/rate.ts'

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
  // Further requests do not extend the time.
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

describe('a listener', () => {
  let rendered: string[] = []

  /** Serves a site with one asset, whose pages record their renders. */
  async function listening(options: Partial<ListenOptions>): Promise<void> {
    rendered = []
    const log = { info: () => undefined, error: () => undefined }
    const css: Reply = { status: 200, headers: {}, body: 'css' }
    const handler = async ({ url, body }: Request): Promise<Reply> => {
      rendered.push(`${url}${body === null ? '' : ` with ${body.length}`}`)
      return { status: 200, headers: {}, body: 'page' }
    }
    const asset = ({ url }: Request): Promise<Reply | null> | null =>
      url.startsWith('/assets/') ? Promise.resolve(url === '/assets/a.css' ? css : null) : null
    open = await listen(handler, {
      host: '127.0.0.1',
      port: 0,
      proxies: 1,
      bodyLimit: 1_000,
      rate: 2,
      asset,
      log,
      ...options,
    })
  }

  async function get(path: string, from: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${open?.port}${path}`, { ...init, headers: { 'x-forwarded-for': from } })
  }
  const statuses = async (paths: readonly string[], from: string): Promise<readonly number[]> => {
    const all: number[] = []
    for (const path of paths) all.push((await get(path, from)).status)
    return all
  }

  test('tells a visitor who sent too much when to come again, and still gives them assets', async () => {
    await listening({})
    expect(await statuses(['/', '/'], '10.0.0.1')).toEqual([200, 200])
    const refused = await get('/', '10.0.0.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
    expect(await (await get('/assets/a.css', '10.0.0.1')).text()).toBe('css')
    expect((await get('/', '10.0.0.2')).status).toBe(200)
  })

  test('counts no asset, and every page below the path of assets', async () => {
    await listening({})
    expect(await statuses(Array<string>(9).fill('/assets/a.css'), '10.0.0.1')).toEqual(Array<number>(9).fill(200))
    expect(await statuses(['/assets/page', '/assets/../page', '/assets/x'], '10.0.0.1')).toEqual([200, 200, 429])
  })

  test('renders nothing for a blocked address, and reads nothing of it', async () => {
    await listening({})
    await statuses(['/', '/', '/'], '10.0.0.1')
    rendered = []
    expect(await statuses(['/', '/assets/page', '/assets/', '/assets/a.css?x'], '10.0.0.1')).toEqual([
      429, 429, 429, 429,
    ])
    expect((await get('/assets/form', '10.0.0.1', { method: 'POST', body: 'x' })).status).toBe(429)
    expect(rendered).toEqual([])
  })

  test.each([
    ['this machine itself', { proxies: 0 }],
    ['this machine behind a proxy', { proxies: 1 }],
    ['a proxy that nobody has named', { proxies: null }],
  ] as const)('does not count %s', async (name, options) => {
    await listening(options)
    const from = name.startsWith('this') ? '127.0.0.1' : '10.0.0.1'
    expect(await statuses(Array<string>(5).fill('/'), from)).toEqual(Array<number>(5).fill(200))
  })

  test('counts by the address that the named proxy has seen, whatever the visitor has sent', async () => {
    await listening({ proxies: 1 })
    expect(await statuses(['/', '/', '/'], '127.0.0.1, 10.0.0.9')).toEqual([200, 200, 429])
  })
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
