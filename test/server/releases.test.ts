/** Releases: servers change from one to another while visitors keep coming, and stay with the old one where the new cannot be served. */
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { main as compiler } from '../../compiler/cli.ts'
import { ABI } from '../../runtime/page/site.ts'
import { LOCKS } from '../../server/store/locks.ts'
import { write } from '../product.ts'
import { type Program, type Programs, programs } from './program.ts'
import { bundle } from './served-bundle.ts'

// Each command is a process of its own, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let ingot: Programs
let home: string
/** Archives of two versions of a site, by name. */
const packed: Record<string, string> = {}
let store: string
let site: string
/** What runs until the test ends. */
const running: { readonly servers: Program[]; readonly crowds: Crowd[] } = { servers: [], crowds: [] }

const FILES = (version: string, amount: string): Record<string, string> => ({
  'app/views/pages/index.liquid': `version ${version} {{ 'a.css' | asset_url }}`,
  'app/views/pages/sent.liquid': `---\nslug: sent\nmethod: post\n---\nversion ${version} took {{ context.params.x }}`,
  'app/assets/a.css': `a { order: ${version} }`,
  'app/schema/item.yml': `name: item\nproperties:\n  - name: amount\n    type: ${amount}\n`,
})

beforeAll(async () => {
  ingot = await programs()
  home = mkdtempSync(join(tmpdir(), 'ingot-releases-'))
  for (const [version, amount] of [
    ['1', 'integer'],
    ['2', 'integer'],
    ['3', 'string'],
  ] as const) {
    const folder = join(home, version)
    write(folder, FILES(version, amount))
    packed[version] = join(home, `${version}.tgz`)
    expect(await compiler(['build', folder, '--pack', packed[version]])).toBe(0)
  }
})

beforeEach(() => {
  store = mkdtempSync(join(home, 'store-'))
  site = mkdtempSync(join(home, 'site-'))
})

afterEach(async () => {
  await Promise.all(running.crowds.splice(0).map((crowd) => crowd.leave()))
  const servers = running.servers.splice(0)
  for (const { child } of servers) child.kill('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
})

afterAll(async () => {
  await ingot.clean()
  rmSync(home, { recursive: true, force: true })
})

interface Ended {
  readonly code: number | null
  readonly said: string
}

function begin(...words: string[]): Program {
  return ingot.start(['release', ...words, site], { INGOT_RELEASES: store })
}

async function release(...words: string[]): Promise<Ended> {
  const program = begin(...words)
  const code = await program.ended
  return { code, said: program.output() }
}

async function pushed(build: string): Promise<string> {
  const { code, said } = await release('push', build)
  expect(said).toMatch(/^[\da-f]{64}/)
  expect(code).toBe(0)
  return said.slice(0, 64)
}

async function activated(id: string): Promise<void> {
  expect(await release('activate', id)).toMatchObject({ code: 0 })
}

async function served(): Promise<{ server: Program; url: string }> {
  const server = ingot.start(['serve', site], { INGOT_RELEASES: store })
  running.servers.push(server)
  return { server, url: `http://127.0.0.1:${await server.port()}` }
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text()
const current = (): string => (JSON.parse(readFileSync(join(store, 'current'), 'utf8')) as { release: string }).release

/** A build of one page that is given as source text, with code that runs when it is loaded. */
function made(name: string, first: string): string {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  const code = first + bundle({ '/': '() => "made"' })
  const files = { 'site.mjs': { digest: digest(code), size: Buffer.byteLength(code) } }
  write(join(home, name), { 'site.mjs': code, 'manifest.json': JSON.stringify({ abi: ABI, builtBy: '0.1.0', files }) })
  return join(home, name)
}

interface Crowd {
  readonly failed: string[]
  readonly seen: Set<string>
  /** Resolves to the number of visits. */
  leave(): Promise<number>
}

/** Visitors that read and send all the time. */
function crowd(url: string): Crowd {
  const failed: string[] = []
  const seen = new Set<string>()
  let [going, count] = [true, 0]
  const visit = async (send: boolean): Promise<void> => {
    while (going) {
      count++
      const options = send ? { method: 'POST', body: new URLSearchParams({ x: `${count}` }) } : {}
      const text = await fetch(send ? `${url}/sent` : url, options).then(
        async (reply) => (reply.status === 200 ? reply.text() : `status ${reply.status}`),
        (error: unknown) => String(error),
      )
      const version = /^version (\d)/.exec(text.trim())?.[1]
      if (version === undefined) failed.push(text)
      else seen.add(version)
    }
  }
  const all = [false, false, false, true, true].map(visit)
  const visitors: Crowd = {
    failed,
    seen,
    async leave() {
      going = false
      await Promise.all(all)
      return count
    },
  }
  running.crowds.push(visitors)
  return visitors
}

describe('releases', () => {
  test('are pushed, activated and rolled back without a failed request, by two servers', async () => {
    const one = await pushed(packed['1']!)
    await activated(one)
    const servers = await Promise.all([served(), served()])
    const first = await textOf(servers[0]!.url)
    const crowds = servers.map(({ url }) => crowd(url))
    const two = await pushed(packed['2']!)
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

  test('pushed twice are one, and a damaged one is refused until it is pushed again', async () => {
    const one = await pushed(packed['1']!)
    expect((await release('push', join(home, '1'))).said).toBe(`${one} (it was there already)\n`)
    appendFileSync(join(store, one, 'site.mjs'), '\n')
    const refused = await release('activate', one)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.said).toContain("'site.mjs' was changed")
    expect(readdirSync(store)).toEqual([one])
    await pushed(packed['1']!)
    await activated(one)
  })

  test('that do not load are refused, and the old one is served', async () => {
    const one = await pushed(packed['1']!)
    await activated(one)
    const { url } = await served()
    for (const [first, why] of [
      ['throw new Error("no such luck");', 'no such luck'],
      ['process.kill(process.pid, "SIGKILL");', 'SIGKILL'],
    ] as const) {
      const refused = await release('activate', await pushed(made(`broken ${why}`, first)))
      expect(refused).toMatchObject({ code: 1 })
      expect(refused.said).toContain(why)
      expect(current()).toBe(one)
    }
    expect(await textOf(url)).toContain('version 1')
  })

  test('that load and cannot be served are gone back from, by all servers', async () => {
    const one = await pushed(packed['1']!)
    await activated(one)
    const servers = await Promise.all([served(), served()])
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

  test('are activated by one at a time', async () => {
    const one = await pushed(packed['1']!)
    const held = await ingot.database.sql.reserve()
    await held`select pg_advisory_lock(${LOCKS.release})`
    const waiting = begin('activate', one)
    await waiting.says('Waiting: the releases are being changed')
    expect(readdirSync(store)).toEqual([one])
    await held`select pg_advisory_unlock(${LOCKS.release})`
    held.release()
    expect(await waiting.ended).toBe(0)
    expect(current()).toBe(one)
  })

  test('whose activation is killed leave the old one or the new one', async () => {
    const one = await pushed(packed['1']!)
    const two = await pushed(packed['2']!)
    await activated(one)
    const { url } = await served()
    const visitors = crowd(url)
    for (const wait of [100, 400, 700, 1000, 1300]) {
      const next = current() === one ? two : one
      const killed = begin('activate', next)
      // Any moment will do: none may leave anything but the one or the other.
      await sleep(wait)
      killed.child.kill('SIGKILL')
      await killed.ended
      expect([one, two]).toContain(current())
    }
    await activated(current() === one ? two : one)
    await visitors.leave()
    expect(visitors.failed).toEqual([])
    expect(await textOf(url)).toContain(`version ${current() === one ? 1 : 2}`)
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

describe('the tables', () => {
  test('are spoken of beforehand, and a rollback over a converted type needs force', async () => {
    const [one, three] = [await pushed(packed['1']!), await pushed(packed['3']!)]
    await activated(one)
    const { sql } = ingot.database
    await sql`
      insert into ingot.records (table_id, properties)
      select id, ${JSON.stringify({ amount: 7 })}::text::jsonb from ingot.tables, generate_series(1, 3) where name = 'item'`
    const stored = async () => (await sql`select properties->'amount' as a from ingot.records`).map(({ a }) => a)
    const dry = await release('activate', three, '--dry-run')
    expect(dry).toMatchObject({ code: 0 })
    expect(dry.said).toMatch(/convert `amount` of .*item.yml from integer to string \(3 rows with a value\)/)
    expect(await stored()).toEqual([7, 7, 7])
    expect(current()).toBe(one)
    await activated(three)
    expect(await stored()).toEqual(['7', '7', '7'])
    const back = await release('rollback')
    expect(back).toMatchObject({ code: 1 })
    expect(back.said).toContain('3 rows would become integer again')
    expect(current()).toBe(three)
    expect(await stored()).toEqual(['7', '7', '7'])
    expect(await release('rollback', '--force')).toMatchObject({ code: 0 })
    expect(await stored()).toEqual([7, 7, 7])
  })
})
