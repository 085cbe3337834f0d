/** Tests releases in the database: servers without a shared folder switch together, each with its own copies. */
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { FILES, openReleaseSetup, type Place, type ReleaseSetup, textOf } from './release-setup.ts'
import { ownMark } from '../../../../server/core/leftovers.ts'

// Each command is a separate process, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let stage: ReleaseSetup
/** Archives of two versions of a site, by name. */
const packed: Record<string, string> = {}
/** The machine on which the commands run. The servers run on other machines. */
let ci: Place

beforeAll(async () => {
  stage = await openReleaseSetup('releases-database')
  for (const version of ['1', '2']) packed[version] = await stage.packed(version, FILES(version))
})

beforeEach(async () => {
  ci = machine()
  await stage.ingot.database.sql`delete from ingot.active_release`
  await stage.ingot.database.sql`delete from ingot.releases`
})

afterEach(() => stage.rest())

afterAll(() => stage.clean())

/** Returns a separate machine. */
function machine(): Place {
  const folder = mkdtempSync(join(stage.home, 'machine-'))
  return { releases: 'database', site: folder, data: join(folder, 'data') }
}

const copies = ({ data }: Place): string[] =>
  readdirSync(join(data ?? '', 'release-copies')).filter((name) => name.length === 64)

async function current(): Promise<string> {
  const [row] = await stage.ingot.database.sql<{ release: string }[]>`select release from ingot.active_release`
  return row?.release ?? ''
}

test('two servers change together, back and forth, and no request fails', async () => {
  const one = await stage.pushed(ci, packed['1']!)
  expect((await stage.release(ci, 'push', join(stage.home, '1'))).said).toContain('The release was already stored')
  expect((await stage.release(ci, 'list')).said).toMatch(new RegExp(`^${one.slice(0, 12)} .* files, .* MB$`, 'm'))
  await stage.activated(ci, one)
  const places = [machine(), machine()]
  const servers = await Promise.all(places.map((place) => stage.serve(place)))
  const first = await textOf(servers[0]!.url)
  // A folder is packed before it is sent.
  const two = await stage.pushed(ci, join(stage.home, '2'))
  const crowds = servers.map(({ url }) => stage.visit(url))
  const said = await stage.activated(ci, two.slice(0, 8))
  expect(said).toContain('2 servers serve it')
  expect(said.match(/, process \d+$/gm)).toHaveLength(2)
  const now = await textOf(servers[0]!.url)
  for (const { url } of servers) {
    expect(await textOf(url)).toContain('version 2')
    for (const [text, bytes] of [
      [now, 'a { order: 2 }'],
      [first, 'a { order: 1 }'],
    ] as const) {
      const reply = await fetch(new URL(/\/assets\/\S+/.exec(text)?.[0] ?? '', url))
      expect(await reply.text()).toBe(bytes)
      expect(reply.headers.get('cache-control')).toContain('immutable')
    }
  }
  // A server that starts later has copies of the releases that were served before, and none of the removed ones.
  const late = machine()
  const { url } = await stage.serve(late)
  expect(copies(late).toSorted()).toEqual([one, two].toSorted())
  expect(await (await fetch(new URL(/\/assets\/\S+/.exec(first)?.[0] ?? '', url))).text()).toBe('a { order: 1 }')
  expect((await stage.release(ci, 'rollback')).said).toContain('3 servers serve it')
  for (const server of servers) expect(await textOf(server.url)).toContain('version 1')
  for (const visitors of crowds) {
    expect(await visitors.leave()).toBeGreaterThan(20)
    expect(visitors.failed).toEqual([])
    expect([...visitors.seen].sort()).toEqual(['1', '2'])
  }
  expect((await stage.release(ci, 'prune', '--keep=1')).said).toContain(`removed ${two.slice(0, 12)}`)
  for (const place of [...places, late]) await expect.poll(() => copies(place)).toEqual([one])
})

test('a server that cannot have or start the release keeps all at the one before', async () => {
  const one = await stage.pushed(ci, packed['1']!)
  await stage.activated(ci, one)
  const [good, bad] = [machine(), machine()]
  const servers = [await stage.serve(good), await stage.serve(bad, { BAD_MACHINE: '1' })]
  const visitors = stage.visit(servers[1]!.url)
  const broken = await stage.pushed(ci, stage.made('late', 'if (process.env.BAD_MACHINE) throw new Error("not here");'))
  const refused = await stage.release(ci, 'activate', broken)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.said).toMatch(/not here.*, process \d+\)/)
  expect(refused.said).toContain(`All servers serve the release ${one.slice(0, 12)} as before`)
  // If one server has no space for a copy, nothing changes on any server.
  rmSync(join(bad.data ?? '', 'release-copies'), { recursive: true })
  writeFileSync(join(bad.data ?? '', 'release-copies'), '')
  const two = await stage.pushed(ci, packed['2']!)
  const full = await stage.release(ci, 'activate', two)
  expect(full).toMatchObject({ code: 1 })
  expect(full.said).toMatch(
    /nothing was changed\.\n {2}- .*, process \d+: '.*release-copies' cannot be read or written/,
  )
  expect(await current()).toBe(one)
  expect(await textOf(servers[0]!.url)).toContain('version 1')
  await visitors.leave()
  expect(visitors.failed).toEqual([])
  expect([...visitors.seen]).toEqual(['1'])
})

test('a server that was off, or has lost its connection, follows when it is back', async () => {
  const { sql } = stage.ingot.database
  const [one, two] = [await stage.pushed(ci, packed['1']!), await stage.pushed(ci, packed['2']!)]
  await stage.activated(ci, one)
  const [off, on] = [machine(), machine()]
  const gone = await stage.serve(off)
  gone.server.child.kill('SIGKILL')
  await gone.server.exitCode
  // The leftover of a process that was killed while it unpacked a copy.
  const left = join(off.data ?? '', 'release-copies', `.${ownMark().split('_')[0]}_${gone.server.child.pid}_0-0a1b2c3d`)
  writeFileSync(left, '')
  appendFileSync(join(off.data ?? '', 'release-copies', one, 'site.mjs'), 'damaged')
  const { url } = await stage.serve(on)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'`
  expect(await stage.activated(ci, two)).toContain('1 server serves it')
  expect(await textOf(url)).toContain('version 2')
  const back = await stage.serve(off)
  expect(await textOf(back.url)).toContain('version 2')
  expect(existsSync(left)).toBe(false)
  expect((await stage.release(ci, 'rollback')).said).toContain('2 servers serve it')
  expect(await textOf(back.url)).toContain('version 1')
})

test('what was pushed in part, or is damaged, is not served', async () => {
  const { sql } = stage.ingot.database
  const one = await stage.pushed(ci, packed['1']!)
  await stage.activated(ci, one)
  for (const wait of [300, 700, 1100]) {
    const killed = stage.begin(ci, 'push', packed['2']!)
    // The moment does not matter.
    await sleep(wait)
    killed.child.kill('SIGKILL')
    await killed.exitCode
    const parts = await sql`
      select r.id from ingot.releases r where r.digest <> encode(sha256(
        (select string_agg(p.bytes, '' order by p.number) from ingot.release_parts p where p.release = r.id)), 'hex')`
    expect(parts).toEqual([])
  }
  const two = await stage.pushed(ci, packed['2']!)
  await sql`update ingot.release_parts set bytes = overlay(bytes placing decode('00', 'hex') from 40) where release = ${two}`
  const refused = await stage.release(ci, 'activate', two)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.said).toContain('its archive was changed: push it again')
  await stage.pushed(ci, packed['2']!)
  for (const wait of [500, 1200, 1900]) {
    const killed = stage.begin(ci, 'activate', (await current()) === one ? two : one)
    await sleep(wait)
    killed.child.kill('SIGKILL')
    await killed.exitCode
    expect([one, two]).toContain(await current())
  }
  await stage.activated(ci, two)
  expect(await current()).toBe(two)
})

test('other commands work with the active release, as a server does', async () => {
  await stage.activated(ci, await stage.pushed(ci, packed['1']!))
  const said = async (...argv: string[]): Promise<string> => {
    const ended = await stage.ingot.run(argv, { INGOT_RELEASES: ci.releases, INGOT_DATA: ci.data ?? '' })
    expect(ended, ended.said).toMatchObject({ code: 0 })
    return ended.said
  }
  // The folder of the site contains no build, so the commands use the release.
  expect(await said('migrations', 'list', ci.site)).toBe('The site has no migrations.\n')
  expect(await said('openapi', ci.site)).toContain('"openapi"')
  expect(await said('data', 'export', ci.site, '--format', 'json', '--out', '-')).toContain('item')
})
