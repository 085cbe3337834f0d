/** Tests the changes of releases to the tables: two releases work together, and values are converted after the old one is gone. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { nextPointer, type Pointer } from '../../../../server/operate/releases/model.ts'
import { ReleaseFolder } from '../../../../server/operate/releases/folder.ts'
import { FILES, openReleaseSetup, type Place, type ReleaseSetup, textOf } from './release-setup.ts'

// Each command is a separate process, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** The types of a table's four properties in the first and in the second version. The second version lacks another table. */
const [BEFORE, AFTER] = [
  { amount: 'integer', code: 'string', tag: 'string', flag: 'boolean' },
  { amount: 'string', code: 'integer', tag: 'array', flag: 'string' },
]
const QUERY = `query items {
  records(
    per_page: 50
    filter: { table: { value: "item" }, properties: [{ name: "code", value_int: 5 }] }
    sort: [{ properties: [{ name: "amount", order: ASC }] }]
  ) {
    results {
      amount: property_int(name: "amount") text: property(name: "amount") code: property_int(name: "code")
      tag: property_array(name: "tag") flag: property_boolean(name: "flag")
    }
  }
}`
const WRITE: Record<string, string> = {
  before:
    '{ name: "amount", value_int: $n } { name: "code", value: "5" } { name: "tag", value: "x" } { name: "flag", value_boolean: true }',
  after:
    '{ name: "amount", value: $text } { name: "code", value_int: 5 } { name: "tag", value_array: ["x"] } { name: "flag", value: "true" }',
}
const OLD = {
  'app/schema/old.yml': 'name: old\nproperties:\n  - name: note\n',
  'app/graphql/olds.graphql':
    'query olds { records(per_page: 9, filter: { table: { value: "old" } }) { total_entries } }',
  'app/graphql/add_old.graphql':
    'mutation add_old { record_create(record: { table: "old", properties: [{ name: "note", value: "n" }] }) { id } }',
  'app/views/pages/old.liquid':
    "{% graphql _ = 'add_old' %}{% graphql all = 'olds' %}{{ all.records.total_entries }} old",
}

function site(version: 'before' | 'after'): Record<string, string> {
  const types = Object.entries(version === 'before' ? BEFORE! : AFTER!)
  return {
    ...(version === 'before' ? OLD : {}),
    'app/schema/item.yml': `name: item\nproperties:\n${types.map(([name, type]) => `  - name: ${name}\n    type: ${type}\n`).join('')}`,
    'app/graphql/items.graphql': QUERY,
    'app/graphql/add.graphql': `mutation add($n: Int, $text: String) {
  record_create(record: { table: "item", properties: [${WRITE[version]}] }) { id }
}`,
    'app/views/pages/index.liquid': `${version}:{% graphql found = 'items' %}{% for item in found.records.results %} {{ item.amount }} {{ item.text }} {{ item.code }} {{ item.tag | join: '+' }} {{ item.flag }};{% endfor %}`,
    'app/views/pages/add.liquid': `---\nslug: add\nmethod: post\n---\n{% assign n = context.params.n | to_positive_integer: 1 %}{% graphql _ = 'add', n: n, text: context.params.n %}{{ n }}`,
  }
}

let stage: ReleaseSetup
let place: Place
let store: string
const packed: Record<string, string> = {}

beforeAll(async () => {
  stage = await openReleaseSetup('releases-tables')
  packed['1'] = await stage.packed('1', FILES('1', 'integer'))
  packed['3'] = await stage.packed('3', FILES('3', 'string'))
  for (const version of ['before', 'after'] as const) packed[version] = await stage.packed(version, site(version))
})

beforeEach(async () => {
  store = mkdtempSync(join(stage.home, 'store-'))
  place = { releases: store, site: mkdtempSync(join(stage.home, 'site-')) }
  await stage.ingot.database.sql`truncate ingot.records, ingot.tables, ingot.declared`
})

afterEach(() => stage.rest())

afterAll(() => stage.clean())

const current = async (): Promise<Pointer | null> => new ReleaseFolder(store).current()

/** Registers a server that does not follow a new release, so that an activation waits. Returns a function that makes it follow. */
async function slowServer(): Promise<() => Promise<void>> {
  const { sql } = stage.ingot.database
  const { place: mark, release, generation } = (await current())!
  const follows = JSON.stringify({ place: mark, release, generation: generation + 1, problem: null })
  await sql`
    insert into ingot.servers (id, host, pid, version, secret, files, follows, seen_at)
    values ('slow', 'elsewhere', 1, '', '', '', ${follows}::text::jsonb, now() + interval '1 hour')`
  return async () => void (await sql`delete from ingot.servers where id = 'slow'`)
}

test('are what both of two releases can work with, as long as both serve', async () => {
  const { sql } = stage.ingot.database
  const before = await stage.pushed(place, packed['before']!)
  await stage.activated(place, before)
  const [first, second] = await Promise.all([stage.serve(place), stage.serve(place)])
  const add = async (url: string, n: number) =>
    (await fetch(`${url}/add`, { method: 'POST', body: new URLSearchParams({ n: `${n}` }) })).text()
  const lines = async (url: string) => (await textOf(url)).trim()
  expect(await add(first!.url, 1)).toBe('1')
  expect(await textOf(`${first!.url}/old`)).toBe('1 old')
  const after = await stage.pushed(place, packed['after']!)
  const refused = await stage.release(place, 'activate', after)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.said).toContain('the table `old` has no file anymore but still has 1 row')
  // The first server cannot follow while its supervisor is paused. The supervisor's processes continue.
  first!.server.child.kill('SIGSTOP')
  const followed = await slowServer()
  const activating = stage.begin(place, 'activate', after, '--force')
  const switched = async () => (await sql`select from ingot.servers where follows->>'release' = ${after}`).length
  await expect.poll(switched, { timeout: 120_000 }).toBe(1)
  expect(await lines(second!.url)).toBe('after: 1 1 5 x true;')
  expect(await lines(first!.url)).toBe('before: 1 1 5 x true;')
  expect(await add(first!.url, 2)).toBe('2')
  expect(await add(second!.url, 3)).toBe('3')
  const all = ' 1 1 5 x true; 2 2 5 x true; 3 3 5 x true;'
  expect(await lines(second!.url)).toBe(`after:${all}`)
  expect(await lines(first!.url)).toBe(`before:${all}`)
  expect(await textOf(`${first!.url}/old`)).toBe('2 old')
  first!.server.child.kill('SIGCONT')
  await expect.poll(switched, { timeout: 120_000 }).toBe(2)
  expect(await lines(first!.url)).toBe(`after:${all}`)
  expect(activating.child.exitCode).toBe(null)
  await followed()
  expect(await activating.exitCode).toBe(0)
  const rows = await sql<{ p: object }[]>`
    select properties as p from ingot.records where table_id = (select id from ingot.tables where name = 'item') order by id`
  expect(rows.map(({ p }) => p)).toEqual(
    ['1', '2', '3'].map((amount) => ({ amount, code: 5, tag: ['x'], flag: 'true' })),
  )
  expect(await lines(first!.url)).toBe(`after:${all}`)
  const back = await stage.release(place, 'rollback')
  expect(back).toMatchObject({ code: 1 })
  expect(back.said).toContain('the table `old` was removed later, and it still has 2 rows')
  expect(back.said).toContain('3 rows would be converted back to integer')
  expect(back.said).toContain(
    '`tag` of app/schema/item.yml was later converted to array; 3 rows would be converted back to string',
  )
  expect((await current())?.release).toBe(after)
})

test('are spoken of beforehand, and a rollback over a converted type needs force', async () => {
  const [one, three] = [await stage.pushed(place, packed['1']!), await stage.pushed(place, packed['3']!)]
  await stage.activated(place, one)
  const { sql } = stage.ingot.database
  await sql`
    insert into ingot.records (table_id, properties)
    select id, ${JSON.stringify({ amount: 7 })}::text::jsonb from ingot.tables, generate_series(1, 3) where name = 'item'`
  const stored = async () => (await sql`select properties->'amount' as a from ingot.records`).map(({ a }) => a)
  const dry = await stage.release(place, 'activate', three, '--dry-run')
  expect(dry).toMatchObject({ code: 0 })
  expect(dry.said).toMatch(/convert `amount` of .*item.yml from integer to string \(3 rows with a value\)/)
  expect(await stored()).toEqual([7, 7, 7])
  expect((await current())?.release).toBe(one)
  await stage.activated(place, three)
  expect(await stored()).toEqual(['7', '7', '7'])
  // A process of the previous release that starts only now does not change the values.
  const folder = new ReleaseFolder(store)
  const now = await folder.current()
  await folder.replace(now, nextPointer(now, { release: one }))
  await stage.serve(place)
  expect(await stored()).toEqual(['7', '7', '7'])
  const mended = await folder.current()
  await folder.replace(mended, nextPointer(mended, { release: three, earlier: [one] }))
  const back = await stage.release(place, 'rollback')
  expect(back).toMatchObject({ code: 1 })
  expect(back.said).toContain('3 rows would be converted back to integer')
  expect((await current())?.release).toBe(three)
  expect(await stored()).toEqual(['7', '7', '7'])
  expect(await stage.release(place, 'rollback', '--force')).toMatchObject({ code: 0 })
  expect(await stored()).toEqual([7, 7, 7])
  expect((await stage.release(place, 'activate', one)).said).toContain('is already active')
})
