/** Proxies are recognized by the headers that they add. */
import { Agent, request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { isFromHere, isLoopback, type UnconfiguredProxy } from '../../../../server/web/http/forwarded.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening, ListenOptions } from '../../../../server/web/http/listening.ts'

const HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded',
  'forwarded',
  'forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'do-connecting-ip',
  'x-nf-client-connection-ip',
  'x-azure-clientip',
  'x-appengine-user-ip',
  'x-envoy-external-address',
  'x-original-forwarded-for',
  'x-original-host',
]
const OTHERS = ['via', 'cdn-loop', 'cf-ray', 'x-amzn-trace-id', 'x-envoy-attempt-count', 'x-arr-log-id']

describe('a request comes from this machine', () => {
  const own = {
    ip: '127.0.0.1',
    host: 'localhost:3000',
    headers: { host: 'localhost:3000', 'user-agent': 'x', accept: '*/*' },
  }

  test('when its peer and its host are this machine, and nothing has passed it on', () => {
    expect(isFromHere(own)).toBe(true)
    for (const ip of ['::1', '127.9.9.9', '::ffff:127.0.0.1']) expect(isFromHere({ ...own, ip }), ip).toBe(true)
    for (const host of ['127.0.0.1', '[::1]:3000', 'shop.localhost'])
      expect(isFromHere({ ...own, host }), host).toBe(true)
  })

  test.each([...HEADERS, ...OTHERS])('unless it has the header %s', (name) => {
    expect(isFromHere({ ...own, headers: { ...own.headers, [name]: '' } })).toBe(false)
  })

  test('unless its peer or its host is another one', () => {
    for (const ip of [
      '192.168.0.2',
      '10.0.0.1',
      '::ffff:10.0.0.1',
      'fe80::1',
      '',
      '127.0.0.1.evil.example',
      '::127.0.0.1',
    ])
      expect(isFromHere({ ...own, ip }), ip).toBe(false)
    for (const host of ['evil.example', '192.168.0.2', 'localhost.evil.example', '', '0.0.0.0'])
      expect(isFromHere({ ...own, host }), host).toBe(false)
    expect(isLoopback('1127.0.0.1')).toBe(false)
  })
})

describe('a listener that is told of no proxies', () => {
  let open: Listening | null = null
  let found: UnconfiguredProxy[] = []
  afterEach(async () => {
    await open?.stop(0, 0)
    open = null
  })

  async function listening(options: Partial<ListenOptions>): Promise<void> {
    found = []
    const log = { info: () => undefined, error: () => undefined }
    const given = { host: '127.0.0.1', port: 0, proxies: null, bodyLimit: 1_000, log }
    const unnamedProxy = (proxy: UnconfiguredProxy): void => void found.push(proxy)
    open = await listen(async () => ({ status: 200, headers: {}, body: 'x' }), {
      ...given,
      onUnconfiguredProxy: unnamedProxy,
      ...options,
    })
  }

  function get(headers: Record<string, string>, agent: Agent | false = false): Promise<number> {
    return new Promise((done, fail) => {
      httpRequest({ host: '127.0.0.1', port: open?.port, headers, agent }, (response) => {
        response.resume().on('end', () => done(response.statusCode ?? 0))
      })
        .on('error', fail)
        .end()
    })
  }

  test.each(HEADERS)('reports the first one that sends %s, once', async (header) => {
    await listening({})
    expect(await get({})).toBe(200)
    expect(found).toEqual([])
    for (let i = 0; i < 3; i++) await get({ [header]: '10.0.0.1' })
    expect(found).toEqual([{ peer: '127.0.0.1', header }])
  })

  test('reports one that has asked on the same connection without its headers before', async () => {
    await listening({})
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const headers of [{}, {}, { forwarded: 'for=10.0.0.1' }, {}]) await get(headers, agent)
    expect(found).toEqual([{ peer: '127.0.0.1', header: 'forwarded' }])
    agent.destroy()
  })

  test('is silent on proxies that visitors use, and where the number of proxies is told', async () => {
    await listening({})
    await get({ via: '1.1 office' })
    expect(found).toEqual([])
    await open?.stop(0, 0)
    for (const proxies of [0, 1]) {
      await listening({ proxies })
      await get({ 'x-forwarded-for': '10.0.0.1' })
      expect(found).toEqual([])
      await open?.stop(0, 0)
    }
  })
})

test('a page whose name leads here gets nothing of a site in development by naming another host as a proxy does', async () => {
  const log = { info: () => undefined, error: () => undefined }
  const options = { host: '127.0.0.1', port: 0, proxies: 1, isDevelopment: true, hosts: ['app'], bodyLimit: 1_000, log }
  const open = await listen(async () => ({ status: 200, headers: {}, body: 'x' }), options)
  const get = (host: string, forwarded: string): Promise<number> =>
    new Promise((done, fail) => {
      const headers = { host, 'x-forwarded-host': forwarded }
      httpRequest({ host: '127.0.0.1', port: open.port, headers, agent: false }, (response) => {
        response.resume().on('end', () => done(response.statusCode ?? 0))
      })
        .on('error', fail)
        .end()
    })
  expect(await get('evil.example', 'localhost')).toBe(400)
  expect(await get('localhost', 'evil.example')).toBe(400)
  expect(await get('app:3000', 'localhost')).toBe(200)
  await open.stop(0, 0)
})
