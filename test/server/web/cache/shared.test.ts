/** Fragments that the servers of one database share through a real database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CachePort } from '../../../../runtime/page/services.ts'
import { LEASE, type SharedCache } from '../../../../server/web/cache/model.ts'
import { openCache } from '../../../../server/web/cache/open.ts'
import { createRowStore } from '../../../../server/web/cache/rows.ts'
import { createCache } from '../../../../server/web/cache/shared.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

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

/** Starts another server. */
async function server(secret = SECRET): Promise<SharedCache> {
  const cache = await openCache({ sql: database.sql, secret, redisUrl: null, logger, chores: false })
  opened.push(cache)
  return cache
}

/** Returns a body that counts how often it runs. */
function body(text: string, more: { readonly keep?: boolean; readonly ms?: number } = {}) {
  const run = async () => {
    const turn = ++run.count
    await sleep(more.ms ?? 0)
    return { text: `${text} ${turn}`, keep: more.keep ?? true }
  }
  run.count = 0
  return run
}

const at = async (cache: Promise<SharedCache>, space = 'site'): Promise<CachePort> => (await cache).forSite(() => space)

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
  let begin: () => void = () => undefined
  const begins = new Promise<void>((resolve) => {
    begin = resolve
  })
  const failing = a.fragment('failing', null, async () => {
    begin()
    await sleep(100)
    throw new Error('as it must')
  })
  const caught = failing.catch((error: Error) => error.message)
  await begins
  const begun = performance.now()
  expect(await b.fragment('failing', null, body('other'))).toBe('other 1')
  expect(performance.now() - begun).toBeLessThan(LEASE - 500)
  expect(await caught).toBe('as it must')
})

test('a fragment is good for its seconds, on every server', async () => {
  const [a, b] = [await at(server()), await at(server())]
  const made = body('brief')
  expect(await a.fragment('brief', 3, made)).toBe('brief 1')
  expect(await b.fragment('brief', 3, made)).toBe('brief 1')
  await sleep(3_050)
  // The time counts from when the fragment was rendered, not from when a server read it.
  expect(await b.fragment('brief', 3, made)).toBe('brief 2')
  expect(await a.fragment('brief', 3, made)).toBe('brief 2')
})

test('a changed site has fragments of its own', async () => {
  const cache = await server()
  let space = 'old'
  const port = cache.forSite(() => space)
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
  const port = cache.forSite(() => space)
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

test('what gives nothing to keep makes nobody wait in a row', async () => {
  const ports = await Promise.all(Array.from({ length: 4 }, () => at(server())))
  const own = body('own', { keep: false, ms: 200 })
  await Promise.all(ports.map((port) => port.fragment('row', null, own)))
  const begun = performance.now()
  for (let turn = 0; turn < 5; turn++)
    await Promise.all([...ports, ...ports].map((port) => port.fragment('row', null, own)))
  // If they ran one after another, they would take eight times as long.
  expect(performance.now() - begun).toBeLessThan(5 * 200 * 5)
  // A result that can be stored is stored.
  expect(await ports[0]?.fragment('row', null, body('kept'))).toBe('kept 1')
  expect(await ports[1]?.fragment('row', null, own)).toBe('kept 1')
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
  expect(performance.now() - begun).toBeLessThan(LEASE - 500)
  expect(x).toMatch(/^x\(/)
  expect(y).toMatch(/^y\(/)
})

test('a server that dies while it computes holds the others up no longer than its claim, and one takes its place', {
  timeout: 120_000,
}, async () => {
  const store = createRowStore(database.sql)
  const { createHash } = await import('node:crypto')
  const cache = await server()
  const port = cache.forSite(() => 'site')
  // Leaves a claim as a server does that is killed while it renders.
  await port.fragment('probe', null, body('probe'))
  const [{ space }] = (await database.sql`select space from ingot.cache where fragment = 'probe 1'`) as unknown as [
    { space: string },
  ]
  const place = { space, key: createHash('sha256').update('dead').digest() }
  expect((await store.readOrClaim(place, 'of the dead')).kind).toBe('ours')
  expect((await store.readOrClaim(place, 'another')).kind).toBe('theirs')
  const others = [await at(server()), await at(server()), port]
  const made = body('alive', { ms: 100 })
  const begun = performance.now()
  const texts = await Promise.all(others.map((each) => each.fragment('dead', null, made)))
  expect(texts).toEqual(['alive 1', 'alive 1', 'alive 1'])
  expect(made.count).toBe(1)
  const waited = performance.now() - begun
  expect(waited).toBeGreaterThan(1_000)
  expect(waited).toBeLessThan(LEASE * 2)
})

test('one that computes for longer than a claim lasts keeps it', async () => {
  const a = await at(server())
  const slow = createCache({
    clock: { now: () => Date.now() },
    tokenPlaceholder: (await server()).tokenPlaceholder,
    store: { store: createRowStore(database.sql), name: 'the database' },
    log: logger,
    patience: LEASE * 3,
  })
  opened.push(slow)
  const b = slow.forSite(() => 'site')
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
  // A claim is released after the response.
  const claimed = () =>
    database.sql`select from ingot.cache where claim is not null and key not in (select key from ingot.cache where claim = 'of the dead')`
  await expect.poll(async () => (await claimed()).length).toBe(0)
})
