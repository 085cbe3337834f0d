/** Fragments that servers of one database share, with the real database between them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CachePort } from '../../../runtime/services.ts'
import { LEASE, type SharedCache } from '../../../server/cache/model.ts'
import { memoryCache, openCache } from '../../../server/cache/open.ts'
import { rowStore } from '../../../server/cache/rows.ts'
import { createCache } from '../../../server/cache/shared.ts'
import { createClient } from '../../../server/store/connection.ts'
import { readDatabaseUrl } from '../../../server/store/database-url.ts'
import { type TestDatabase, testDatabase } from '../../database.ts'

const SECRET = 'the secret of all servers'

let database: TestDatabase
const opened: SharedCache[] = []
const said: string[] = []
const logger = {
  info: (_fields: object, message: string) => void said.push(message),
  warn: (_fields: object, message: string) => void said.push(message),
}

beforeAll(async () => {
  database = await testDatabase()
})

afterAll(async () => {
  await Promise.all(opened.map((cache) => cache.close()))
  await database?.close()
})

/** A server more. */
async function server(secret = SECRET): Promise<SharedCache> {
  const cache = await openCache({ sql: database.sql, secret, redisUrl: null, logger, chores: false })
  opened.push(cache)
  return cache
}

/** A body that counts how often it runs. */
function body(text: string, more: { readonly keep?: boolean; readonly ms?: number } = {}) {
  const run = async () => {
    const turn = ++run.count
    await sleep(more.ms ?? 0)
    return { text: `${text} ${turn}`, keep: more.keep ?? true }
  }
  run.count = 0
  return run
}

const at = async (cache: Promise<SharedCache>, space = 'site'): Promise<CachePort> => (await cache).of(() => space)

test('what one server has computed, another one shows', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const made = body('made')
  expect(await a.fragment('one', null, made)).toBe('made 1')
  expect(await b.fragment('one', null, made)).toBe('made 1')
  expect(await b.fragment('one', null, made)).toBe('made 1')
  expect(made.count).toBe(1)
})

test('of many renders on two servers that miss a key at once, one computes', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const made = body('slow', { ms: 300 })
  const texts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? a : b).fragment('many', 60, made)),
  )
  expect(new Set(texts)).toEqual(new Set(['slow 1']))
  expect(made.count).toBe(1)
})

test('one that fails leaves the next one to compute, at once, and the failure to those who had it', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const failing = a.fragment('failing', null, async () => {
    await sleep(100)
    throw new Error('as it must')
  })
  const caught = failing.catch((error: Error) => error.message)
  await sleep(30)
  const begun = performance.now()
  expect(await b.fragment('failing', null, body('other'))).toBe('other 1')
  expect(performance.now() - begun).toBeLessThan(1_500)
  expect(await caught).toBe('as it must')
})

test('a fragment is good for its seconds, on every server', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const made = body('brief')
  expect(await a.fragment('brief', 0.4, made)).toBe('brief 1')
  expect(await b.fragment('brief', 0.4, made)).toBe('brief 1')
  await sleep(450)
  // The time counts from when it was made, not from when a server heard of it.
  expect(await b.fragment('brief', 0.4, made)).toBe('brief 2')
  expect(await a.fragment('brief', 0.4, made)).toBe('brief 2')
})

test('a changed site has fragments of its own', async () => {
  const cache = await server()
  let space = 'old'
  const port = cache.of(() => space)
  const made = body('text')
  expect(await port.fragment('changed', null, made)).toBe('text 1')
  space = 'new'
  expect(await port.fragment('changed', null, made)).toBe('text 2')
  space = 'old'
  expect(await port.fragment('changed', null, made)).toBe('text 1')
})

test('what was computed while the site changed is kept for neither', async () => {
  const cache = await server()
  let space = 'before'
  const port = cache.of(() => space)
  const made = body('between')
  const changing = async () => {
    const fragment = await made()
    space = 'after'
    return fragment
  }
  expect(await port.fragment('between', null, changing)).toBe('between 1')
  expect(await port.fragment('between', null, made)).toBe('between 2')
  space = 'before'
  expect(await port.fragment('between', null, made)).toBe('between 3')
})

test('what is not to be kept is shown to nobody else', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const own = body('own', { keep: false, ms: 30 })
  const texts = await Promise.all([a, a, b, a].map((port) => port.fragment('own', null, own)))
  expect(new Set(texts).size).toBe(4)
  const rows = await database.sql`select from ingot.cache where fragment like 'own %'`
  expect(rows.length).toBe(0)
})

test('fragments inside of each other that meet on two servers do not wait for each other', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const nested = (port: CachePort, outer: string, inner: string) =>
    port.fragment(outer, null, async () => {
      await sleep(50)
      return { text: `${outer}(${await port.fragment(inner, null, body(inner, { ms: 50 }))})`, keep: true }
    })
  const begun = performance.now()
  const [x, y] = await Promise.all([nested(a, 'x', 'y'), nested(b, 'y', 'x')])
  expect(performance.now() - begun).toBeLessThan(2_000)
  expect(x).toMatch(/^x\(/)
  expect(y).toMatch(/^y\(/)
})

test('a server that dies while it computes holds the others up no longer than its claim', {
  timeout: 20_000,
}, async () => {
  const store = rowStore(database.sql)
  const { createHash } = await import('node:crypto')
  const cache = await server()
  const port = cache.of(() => 'site')
  // As one that has claimed and was killed leaves it.
  await port.fragment('probe', null, body('probe'))
  const [{ space }] = (await database.sql`select space from ingot.cache where fragment = 'probe 1'`) as unknown as [
    { space: string },
  ]
  const place = { space, key: createHash('sha256').update('dead').digest() }
  expect((await store.take(place, 'of the dead')).kind).toBe('ours')
  expect((await store.take(place, 'another')).kind).toBe('theirs')
  const begun = performance.now()
  expect(await port.fragment('dead', null, body('alive'))).toBe('alive 1')
  const waited = performance.now() - begun
  expect(waited).toBeGreaterThan(1_000)
  expect(waited).toBeLessThan(LEASE + 1_500)
})

test('one that computes for longer than a claim lasts keeps it', { timeout: 20_000 }, async () => {
  const a = await at(server())
  const slow = createCache({
    clock: { now: () => Date.now() },
    mark: (await server()).mark,
    store: { store: rowStore(database.sql), name: 'the database' },
    log: logger,
    patience: LEASE * 3,
  })
  opened.push(slow)
  const b = slow.of(() => 'site')
  const made = body('long', { ms: LEASE + 1_500 })
  const first = a.fragment('long', null, made)
  await sleep(100)
  expect(await b.fragment('long', null, made)).toBe('long 1')
  expect(await first).toBe('long 1')
})

test('what the database cannot hold stays in memory: NUL, half characters, more than a megabyte', async () => {
  const port = await at(server())
  for (const text of ['a\0b', 'half \ud800', 'x'.repeat(1024 * 1024 + 1)]) {
    const made = body(text)
    const key = `odd ${text.length}`
    expect(await port.fragment(key, null, made)).toBe(`${text} 1`)
    expect(await port.fragment(key, null, made)).toBe(`${text} 1`)
    expect(made.count).toBe(1)
  }
  const rows =
    await database.sql`select from ingot.cache where claim is not null and key not in (select key from ingot.cache where claim = 'of the dead')`
  expect(rows.length).toBe(0)
})

test('keys of any length and any characters are their own', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const keys = [
    '__proto__',
    'constructor',
    "'; drop table ingot.cache; --",
    'ż\0x',
    'k'.repeat(100_000),
    'k'.repeat(100_001),
  ]
  for (const key of keys)
    expect(await a.fragment(key, null, body(`of ${keys.indexOf(key)}`))).toBe(`of ${keys.indexOf(key)} 1`)
  for (const key of keys) expect(await b.fragment(key, null, body('none'))).toBe(`of ${keys.indexOf(key)} 1`)
})

test('the mark of tokens is the same on all servers of an installation, and no other', async () => {
  const [a, b, other] = [await server(), await server(), await server('another secret')]
  expect(a.mark).toBe(b.mark)
  expect(a.mark).not.toBe(other.mark)
  expect(memoryCache(logger).mark).not.toBe(memoryCache(logger).mark)
  // Whoever marks otherwise does not read what the others keep.
  const made = body('marked')
  await a.of(() => 'site').fragment('marked', null, made)
  expect(await other.of(() => 'site').fragment('marked', null, made)).toBe('marked 2')
})

test('a database that is away is a miss, and one sentence in the log', { timeout: 20_000 }, async () => {
  const own = await testDatabase()
  const sql = createClient(readDatabaseUrl(own.url, 'DATABASE_URL'), { pool: 3, name: 'tests' })
  const cache = await openCache({ sql, secret: SECRET, redisUrl: null, logger, chores: false })
  const port = cache.of(() => 'site')
  expect(await port.fragment('before', null, body('before'))).toBe('before 1')
  await sql.end({ timeout: 0 })
  await own.close()
  said.length = 0
  const made = body('away')
  const begun = performance.now()
  for (let turn = 0; turn < 50; turn++) await port.fragment(`away ${turn}`, null, made)
  expect(performance.now() - begun).toBeLessThan(3_000)
  expect(made.count).toBe(50)
  expect(await port.fragment('before', null, body('none'))).toBe('before 1')
  expect(await port.fragment('away 7', null, made)).toBe('away 8')
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('the database cannot be used')
  await cache.close()
})

test('what has expired, what nobody uses, and what is too much goes', async () => {
  const { sql } = database
  await sql`delete from ingot.cache`
  const store = rowStore(sql, 1_000)
  const place = (space: string, name: string) => ({ space, key: Buffer.from(name) })
  await store.put(place('now', 'expired'), 'x', 0.001)
  await store.put(place('now', 'old'), 'x', null)
  await store.put(place('other', 'unused'), 'x', null)
  await store.put(place('other', 'used'), 'x', null)
  await store.put(place('now', 'fresh'), 'x', null)
  await store.put(place('now', 'touched'), 'x'.repeat(500), null)
  await store.put(place('now', 'big'), 'x'.repeat(600), null)
  await sql`update ingot.cache set used_at = now() - interval '8 days' where key = 'old'::bytea`
  await sql`update ingot.cache set used_at = now() - interval '2 hours' where key in ('unused'::bytea, 'used'::bytea)`
  await sql`update ingot.cache set used_at = now() - interval '5 minutes' where key in ('touched'::bytea, 'big'::bytea)`
  await store.tidy('now', [place('other', 'used'), place('now', 'touched')])
  const rows = await sql`select convert_from(key, 'UTF8') as name from ingot.cache order by 1`
  expect(rows.map(({ name }) => name as string)).toEqual(['fresh', 'touched', 'used'])
})
