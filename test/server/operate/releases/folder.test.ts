/** Tests releases in a folder: servers switch under continuous requests, and keep the old release when the new one cannot be served. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { LOCKS } from '../../../../server/data/store/locks.ts'
import { FILES, openReleaseSetup, type Place, type Served, type ReleaseSetup, textOf } from './release-setup.ts'

// Each command is a separate process, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let stage: ReleaseSetup
/** Archives of two versions of a site, by name. */
const packed: Record<string, string> = {}
let place: Place
let store: string

beforeAll(async () => {
  stage = await openReleaseSetup('releases')
  for (const version of ['1', '2', '3']) packed[version] = await stage.packed(version, FILES(version))
})

afterAll(() => stage.clean())

function openPlace(): void {
  store = mkdtempSync(join(stage.home, 'store-'))
  place = { releases: store, site: mkdtempSync(join(stage.home, 'site-')) }
}

const release = (...words: string[]) => stage.release(place, ...words)
const begin = (...words: string[]) => stage.begin(place, ...words)
const pushed = (build: string): Promise<string> => stage.pushed(place, build)
const activated = (id: string): Promise<string> => stage.activated(place, id)
/** Starts a server with two processes, which both switch to another release. */
const served = (): Promise<Served> => stage.serve(place, { INGOT_WORKERS: '2' })
const crowd = (url: string) => stage.visit(url)
const made = (name: string, first: string): string => stage.made(name, first)
const current = (): string => (JSON.parse(readFileSync(join(store, 'current'), 'utf8')) as { release: string }).release

describe('releases of two servers', () => {
  let one: string
  let servers: readonly Served[]
  beforeAll(async () => {
    openPlace()
    one = await pushed(packed['1']!)
    await activated(one)
    servers = await Promise.all([served(), served()])
  })
  afterAll(() => stage.rest())

  test('are pushed, activated and rolled back without a failed request, by two servers', async () => {
    const first = await textOf(servers[0]!.url)
    const two = await pushed(packed['2']!)
    const crowds = servers.map(({ url }) => crowd(url))
    expect((await release('activate', two.slice(0, 8))).said).toContain('2 servers serve it')
    for (const { url } of servers) expect(await textOf(url)).toContain('version 2')
    expect((await release('list')).said).toMatch(new RegExp(`^${two.slice(0, 12)}.* active, served by 2$`, 'm'))
    const now = await textOf(servers[0]!.url)
    for (const [text, bytes] of [
      [now, 'a { order: 2 }'],
      [first, 'a { order: 1 }'],
    ] as const) {
      const reply = await fetch(new URL(/\/assets\/\S+/.exec(text)?.[0] ?? '', servers[1]!.url))
      expect(await reply.text()).toBe(bytes)
      expect(reply.headers.get('cache-control')).toContain('immutable')
    }
    expect((await release('rollback')).said).toContain(`${one.slice(0, 12)} is active; 2 servers serve it`)
    for (const { url } of servers) expect(await textOf(url)).toContain('version 1')
    for (const visitors of crowds) {
      expect(await visitors.leave()).toBeGreaterThan(20)
      expect(visitors.failed).toEqual([])
      expect([...visitors.seen].sort()).toEqual(['1', '2'])
    }
    expect(await release('rollback')).toMatchObject({ code: 2 })
  })

  test('that do not load are refused, and the old one is served', async () => {
    for (const [first, why] of [
      ['throw new Error("no such luck");', 'no such luck'],
      ['process.kill(process.pid, "SIGKILL");', 'SIGKILL'],
    ] as const) {
      const refused = await release('activate', await pushed(made(`broken ${why}`, first)))
      expect(refused).toMatchObject({ code: 1 })
      expect(refused.said).toContain(why)
      expect(current()).toBe(one)
    }
    for (const { url } of servers) expect(await textOf(url)).toContain('version 1')
  })

  test('that load and cannot be served are gone back from, by all servers', async () => {
    const crowds = servers.map(({ url }) => crowd(url))
    const broken = made('late', 'if (process.connected) throw new Error("not in a server");')
    const refused = await release('activate', await pushed(broken))
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.said).toContain('not in a server')
    expect(refused.said).toContain(`serve the release ${one.slice(0, 12)} as before`)
    expect(current()).toBe(one)
    expect((await release('list')).said).toContain('refused: The built site does not load (not in a server)')
    for (const visitors of crowds) {
      await visitors.leave()
      expect(visitors.failed).toEqual([])
      expect([...visitors.seen]).toEqual(['1'])
    }
  })

  test('whose activation is killed leave the old one or the new one', async () => {
    const two = await pushed(packed['2']!)
    const { url } = servers[0]!
    const visitors = crowd(url)
    for (const wait of [100, 400, 700, 1000]) {
      const next = current() === one ? two : one
      const killed = begin('activate', next)
      // The moment does not matter. Afterwards, one of the two releases must be the current one.
      await sleep(wait)
      killed.child.kill('SIGKILL')
      await killed.exitCode
      expect([one, two]).toContain(current())
    }
    // PostgreSQL keeps the lock of a killed process until it notices that the connection is closed.
    const held = await stage.ingot.database.sql.reserve()
    await held`select pg_advisory_lock(${LOCKS.release})`
    await held`select pg_advisory_unlock(${LOCKS.release})`
    held.release()
    await activated(current() === one ? two : one)
    await visitors.leave()
    expect(visitors.failed).toEqual([])
    expect(await textOf(url)).toContain(`version ${current() === one ? 1 : 2}`)
  })
})

describe('releases', () => {
  beforeEach(openPlace)
  afterEach(() => stage.rest())

  test('pushed twice are one, and a damaged one is refused until it is pushed again', async () => {
    const one = await pushed(packed['1']!)
    expect((await release('push', join(stage.home, '1'))).said).toContain('The release was already stored')
    appendFileSync(join(store, one, 'site.mjs'), '\n')
    const refused = await release('activate', one)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.said).toContain("'site.mjs' was changed")
    expect(readdirSync(store)).toEqual([one])
    await pushed(packed['1']!)
    await activated(one)
  })

  test('are activated by one at a time, and the other is told', async () => {
    const one = await pushed(packed['1']!)
    const held = await stage.ingot.database.sql.reserve()
    await held`select pg_advisory_lock(${LOCKS.release})`
    const refused = await release('activate', one)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.said).toContain('is changing the releases, so nothing was done')
    expect(readdirSync(store)).toEqual([one])
    await held`select pg_advisory_unlock(${LOCKS.release})`
    held.release()
    await activated(one)
    expect(current()).toBe(one)
  })

  test('are not served by a server of another build, which is reported', async () => {
    const one = await pushed(packed['1']!)
    await activated(one)
    const server = stage.ingot.start(['serve', packed['2']!], { INGOT_WORKERS: '1', INGOT_JOB_THREADS: '0' })
    try {
      await server.port()
      const { sql } = stage.ingot.database
      await expect
        .poll(() => sql`select from ingot.servers where pid = ${server.child.pid ?? 0} and follows is null`)
        .toHaveLength(1)
      const { said } = await release('activate', one)
      expect(said).toContain('is already active.\n')
      expect(said).toMatch(/, serves the build of a folder instead of releases: restart it \(without --out/)
    } finally {
      server.child.kill('SIGTERM')
      await server.exitCode
    }
  })

  test('are pruned, the active one never', async () => {
    const one = await pushed(packed['1']!)
    await activated(one)
    const two = await pushed(packed['2']!)
    await pushed(packed['3']!)
    expect(await release('prune', '--keep=1')).toMatchObject({ code: 0 })
    expect(readdirSync(store).filter((name) => name.length === 64)).toEqual([one])
    expect(await release('activate', two)).toMatchObject({ code: 2 })
    const { url } = await served()
    expect(await textOf(url)).toContain('version 1')
  })
})
