/**
 * Fragments in Redis or Valkey: tested with a real server if one is installed, and always with a replacement that uses the same protocol.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CachePort } from '../../../../runtime/page/services.ts'
import { LEASE, type SharedCache } from '../../../../server/web/cache/model.ts'
import { openCache } from '../../../../server/web/cache/open.ts'
import { freePort } from '../../../../server/core/free-port.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { REAL, realServer, type RedisServer } from './real-redis.ts'
import { type RespServer, respServer } from './resp-server.ts'

if (REAL === null)
  process.stderr.write(
    'SKIPPED: the cache with a real Redis or Valkey, for neither redis-server nor valkey-server is installed.\n',
  )

const GROUNDS: readonly (readonly [string, boolean, () => Promise<RedisServer>])[] = [
  ['one that speaks as Redis', true, respServer],
  [`a real one (${REAL ?? 'not installed'})`, REAL !== null, realServer],
]

let database: TestDatabase
const opened: SharedCache[] = []
const said: string[] = []
const logger = {
  info: (_fields: object, message: string) => void said.push(message),
  warn: (_fields: object, message: string) => void said.push(message),
}

async function portOf(url: string, own = database): Promise<CachePort> {
  const cache = await openCache({ sql: own.sql, secret: 'the secret', redisUrl: url, logger, chores: true })
  opened.push(cache)
  return cache.forSite(() => 'site')
}

function body(text: string, ms = 0) {
  const run = async () => {
    const turn = ++run.count
    await sleep(ms)
    return { text: `${text} ${turn}`, keep: true }
  }
  run.count = 0
  return run
}

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await Promise.all(opened.map((cache) => cache.close()))
  await database?.close()
})

for (const [name, there, start] of GROUNDS) {
  describe.skipIf(!there)(name, () => {
    let ground: RedisServer
    beforeAll(async () => {
      ground = await start()
    })
    afterAll(() => ground?.close())

    test('what one server has computed, another one shows, until its time is over', async () => {
      const [a, b] = [await portOf(ground.url), await portOf(ground.url)]
      const made = body('made żółw')
      expect(await a.fragment('one', null, made)).toBe('made żółw 1')
      expect(await b.fragment('one', null, made)).toBe('made żółw 1')
      expect(await a.fragment('brief', 0.4, made)).toBe('made żółw 2')
      expect(await b.fragment('brief', 0.4, made)).toBe('made żółw 2')
      await sleep(450)
      expect(await b.fragment('brief', 0.4, made)).toBe('made żółw 3')
      expect(await database.sql`select from ingot.cache`).toHaveLength(0)
    })

    test('of many renders on two servers that miss a key at once, one computes', async () => {
      const [a, b] = [await portOf(ground.url), await portOf(ground.url)]
      const made = body('slow', 300)
      const texts = await Promise.all(
        Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? a : b).fragment('many', 60, made)),
      )
      expect(new Set(texts)).toEqual(new Set(['slow 1']))
    })

    test('a failure leaves it to the next; a computation that takes longer than a claim keeps it', {
      timeout: 20_000,
    }, async () => {
      const [a, b] = [await portOf(ground.url), await portOf(ground.url)]
      let begin: () => void = () => undefined
      const begins = new Promise<void>((resolve) => {
        begin = resolve
      })
      const failing = a
        .fragment('failing', null, async () => {
          begin()
          await sleep(100)
          throw new Error('as it must')
        })
        .catch((error: Error) => error.message)
      await begins
      expect(await b.fragment('failing', null, body('other'))).toBe('other 1')
      expect(await failing).toBe('as it must')
      const made = body('long', LEASE + 1_000)
      const first = a.fragment('long', null, made)
      await sleep(LEASE - 500)
      expect(await b.fragment('long', null, made)).toBe('long 1')
      expect(await first).toBe('long 1')
    })

    test('sites of other databases do not see it', async () => {
      const other = await testDatabase()
      const [a, b] = [await portOf(ground.url), await portOf(ground.url, other)]
      const made = body('own')
      expect(await a.fragment('own', null, made)).toBe('own 1')
      expect(await b.fragment('own', null, made)).toBe('own 2')
      await other.close()
    })
  })
}

describe('one that is away', () => {
  test('from the start: all is computed, soon, with one sentence in the log', { timeout: 20_000 }, async () => {
    said.length = 0
    const port = await portOf(`redis://127.0.0.1:${await freePort()}`)
    const made = body('alone')
    const begun = performance.now()
    for (let turn = 0; turn < 30; turn++) await port.fragment(`key ${turn}`, null, made)
    expect(performance.now() - begun).toBeLessThan(4_000)
    expect(made.count).toBe(30)
    expect(await port.fragment('key 3', null, made)).toBe('alone 4')
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('REDIS_URL cannot be used')
  })

  test('and comes back, or hangs: it is shared again', { timeout: 30_000 }, async () => {
    said.length = 0
    let server: RespServer = await respServer()
    const place = Number(new URL(server.url).port)
    const [a, b] = [await portOf(server.url), await portOf(server.url)]
    await a.fragment('before', null, body('before'))
    server.hang(true)
    const begun = performance.now()
    for (let turn = 0; turn < 20; turn++)
      expect(await a.fragment(`hanging ${turn}`, null, body('hanging'))).toBe('hanging 1')
    expect(performance.now() - begun).toBeLessThan(5_000)
    await server.close()
    server = await respServer(place)
    await expect
      .poll(
        async () => {
          const key = `again ${Math.random()}`
          await a.fragment(key, null, body('again'))
          return server.kept.size
        },
        { timeout: 15_000, interval: 200 },
      )
      .toBeGreaterThan(0)
    await expect
      .poll(
        async () => {
          const key = `both ${Math.random()}`
          const text = await a.fragment(key, null, body(`of a ${key}`))
          return (await b.fragment(key, null, body('of b'))) === text
        },
        { timeout: 15_000, interval: 200 },
      )
      .toBe(true)
    expect(said.some((sentence) => sentence.includes('shared between servers again'))).toBe(true)
    await server.close()
  })
})
