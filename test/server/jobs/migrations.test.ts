/** Migrations of a site: each runs once, in order, before the site is served; one that fails leaves nothing behind. */
import { copyFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { LOCKS } from '../../../server/store/locks.ts'
import { type TestDatabase, testDatabase } from '../../database.ts'
import { type Programs, programs } from '../program.ts'
import { builtQueueSite, type QueueSite } from './queue-site.ts'

let ingot: Programs
let database: TestDatabase

beforeAll(async () => {
  ingot = await programs('migrations')
})
afterAll(() => ingot.clean())
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

/** Sets a constant by GraphQL, as migrations of real sites do. */
const set = (name: string, more = ''): string => `async (r) => {
  const result = await r.services.graphql.run({ document: 'mutation { constant_set(name: "${name}", value: "1") { name } }' }, {})
  if (result.errors) throw new LiquidFault(JSON.stringify(result.errors))
  note("ran ${name} in " + r.context.environment)
  ${more}
}`

function site(migrations: QueueSite['migrations'] & object) {
  return builtQueueSite({ jobs: {}, migrations })
}

const variables = (): Record<string, string> => ({ DATABASE_URL: database.url, INGOT_SECRET: 'of these tests, long' })

const states = async (): Promise<unknown> => [
  ...(await database.sql`select name, state, error from ingot.site_migrations order by name`),
]
const constants = async (): Promise<unknown> =>
  (await database.sql`select name from ingot.constants order by name`).map((row) => row['name'])

it('run once each, in order, before the first page', async () => {
  const built = site({ '20260101000000_first': set('ONE'), '20260102000000_second': set('TWO') })
  const first = ingot.start(['serve', built.root], variables())
  const port = await first.port()
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('home')
  expect(built.notes()).toEqual(['ran ONE in production', 'ran TWO in production'])
  expect(await states()).toEqual([
    { name: '20260101000000_first', state: 'done', error: null },
    { name: '20260102000000_second', state: 'done', error: null },
  ])
  first.child.kill('SIGTERM')
  await first.ended
  const second = ingot.start(['serve', built.root], variables())
  await second.port()
  second.child.kill('SIGTERM')
  await second.ended
  expect(built.notes()).toHaveLength(2)
})

it('several servers that start at once run them once', async () => {
  const built = site({ '20260101000000_first': set('ONE'), '20260102000000_second': set('TWO') })
  const servers = [1, 2].map(() => ingot.start(['serve', built.root], variables()))
  await Promise.all(servers.map((server) => server.port()))
  expect(built.notes()).toEqual(['ran ONE in production', 'ran TWO in production'])
  for (const server of servers) server.child.kill('SIGTERM')
  await Promise.all(servers.map((server) => server.ended))
})

it('one that another server has done meanwhile, the lock being lost with its connection, is undone', async () => {
  const built = site({
    '20260101000000_first': `async (r) => {
      note("begun")
      const made = 'mutation { constant_set(name: "OF_' + process.pid + '", value: "1") { name } }'
      const result = await r.services.graphql.run({ document: made }, {})
      if (result.errors) throw new LiquidFault(JSON.stringify(result.errors))
      await sleep(Number(process.env.LINGER))
    }`,
  })
  const first = ingot.start(['migrations', 'run', built.root], { ...variables(), LINGER: '2500' })
  await expect.poll(() => built.notes().length, { timeout: 20_000 }).toBe(1)
  await database.sql`
    select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${LOCKS.site}
      and database = (select oid from pg_database where datname = current_database())`
  const second = ingot.start(['migrations', 'run', built.root], { ...variables(), LINGER: '6000' })
  await expect.poll(() => built.notes().length, { timeout: 20_000 }).toBe(2)
  // Its connection is gone, and what it was for is done.
  expect(await first.ended, first.output()).toBe(0)
  expect(await second.ended).toBe(0)
  expect(await constants()).toHaveLength(1)
  expect(await states()).toEqual([{ name: '20260101000000_first', state: 'done', error: null }])
}, 60_000)

it('one that fails keeps the server from starting, and leaves nothing; mended, it runs', async () => {
  const broken = site({
    '20260101000000_first': set('ONE'),
    '20260102000000_second': set('TWO', 'throw new LiquidFault("no such table")'),
    '20260103000000_third': set('THREE'),
  })
  const server = ingot.start(['serve', broken.root], variables())
  expect(await server.ended).toBe(2)
  expect(server.output()).toContain(
    'The migration 20260102000000_second failed, and all of it is undone: no such table',
  )
  expect(await constants()).toEqual(['ONE'])
  expect(await states()).toEqual([
    { name: '20260101000000_first', state: 'done', error: null },
    { name: '20260102000000_second', state: 'error', error: 'no such table' },
  ])
  const list = ingot.start(['migrations', 'list', broken.root], variables())
  expect(await list.ended).toBe(0)
  expect(list.output()).toMatch(/20260102000000_second +error .*no such table\n20260103000000_third +pending/)

  const mended = site({
    '20260101000000_first': set('ONE'),
    '20260102000000_second': set('TWO'),
    '20260103000000_third': set('THREE'),
  })
  copyFileSync(mended.bundle, broken.bundle)
  const run = ingot.start(['migrations', 'run', broken.root], variables())
  expect(await run.ended).toBe(0)
  expect(mended.notes()).toEqual(['ran TWO in production', 'ran THREE in production'])
  expect(await constants()).toEqual(['ONE', 'THREE', 'TWO'])
})

it('one that fails when the site is loaded anew leaves the old site where it is', async () => {
  const old = site({ '20260101000000_first': set('ONE') })
  const server = ingot.start(['serve', old.root], variables())
  const port = await server.port()
  const next = site({ '20260101000000_first': set('ONE'), '20260102000000_second': set('TWO', 'null.x') })
  copyFileSync(next.bundle, old.bundle)
  server.child.kill('SIGHUP')
  await server.says('the old one stays')
  expect(server.output()).toContain('The migration 20260102000000_second failed')
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('home')
  expect(await constants()).toEqual(['ONE'])
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

it('one that rolls itself back has not run', async () => {
  const built = site({
    '20260101000000_first': `async (r) => { await r.services.transactions.run({ timeout: null }, async () => r.services.transactions.rollback()) }`,
  })
  const run = ingot.start(['migrations', 'run', built.root], variables())
  expect(await run.ended).toBe(1)
  expect(await states()).toEqual([{ name: '20260101000000_first', state: 'error', error: 'it has rolled itself back' }])
})

it('says what the command line lacks', async () => {
  for (const [argv, sentence] of [
    [['migrations'], 'needs to know what to do: give list or run'],
    [['migrations', 'undo'], "cannot 'undo'"],
    [['migrations', 'list', '.', 'more'], "takes no 'more'"],
    [['migrations', 'list', '--all'], "no option '--all'"],
  ] as const) {
    const program = ingot.start(argv, variables())
    expect(await program.ended).toBe(2)
    expect(program.output()).toContain(sentence)
  }
})
