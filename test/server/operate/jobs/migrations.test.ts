/** Tests migrations of a site: each runs once, in order, before the site is served, and a failed one is rolled back. */
import { copyFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { LOCKS } from '../../../../server/data/store/locks.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Programs, programs } from '../../../support/server/program.ts'
import { builtQueueSite, type QueueSite } from './queue-site.ts'

let ingot: Programs
let database: TestDatabase

beforeAll(async () => {
  ingot = await programs()
})
afterAll(() => ingot.clean())
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

/** Returns a migration that sets a constant with GraphQL, as migrations of real sites do. */
const set = (name: string, more = ''): string => `async (r) => {
  const result = await r.services.graphql.run({ document: 'mutation { constant_set(name: "${name}", value: "1") { name } }' }, {})
  if (result.errors) throw new LiquidFault(JSON.stringify(result.errors))
  note("ran ${name} in " + r.context.environment)
  ${more}
}`

function site(migrations: QueueSite['migrations'] & object, options: QueueSite['options'] & object = {}) {
  return builtQueueSite({ jobs: {}, migrations, options })
}

const variables = (): Record<string, string> => ({ DATABASE_URL: database.url, INGOT_SECRET: 'of these tests, long' })

const states = async (): Promise<unknown> => [
  ...(await database.sql`select name, state, error from ingot.site_migrations order by name`),
]
const constants = async (): Promise<unknown> =>
  (await database.sql`select name from ingot.constants order by name`).map((row) => row['name'])

it('run once each, in order, before the first page, also when several servers start at once', async () => {
  const built = site({ '20260101000000_first': set('ONE'), '20260102000000_second': set('TWO') })
  const servers = [1, 2].map(() => ingot.start(['serve', built.root], variables()))
  for (const port of await Promise.all(servers.map((server) => server.port())))
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('home')
  expect(built.notes()).toEqual(['ran ONE in production', 'ran TWO in production'])
  expect(await states()).toEqual([
    { name: '20260101000000_first', state: 'done', error: null },
    { name: '20260102000000_second', state: 'done', error: null },
  ])
  for (const server of servers) server.child.kill('SIGTERM')
  await Promise.all(servers.map((server) => server.exitCode))
  const second = ingot.start(['serve', built.root], variables())
  await second.port()
  second.child.kill('SIGTERM')
  await second.exitCode
  expect(built.notes()).toHaveLength(2)
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
  await expect.poll(() => built.notes().length, { timeout: 90_000 }).toBe(1)
  await database.sql`
    select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${LOCKS.site}
      and database = (select oid from pg_database where datname = current_database())`
  const second = ingot.start(['migrations', 'run', built.root], { ...variables(), LINGER: '6000' })
  await expect.poll(() => built.notes().length, { timeout: 90_000 }).toBe(2)
  // The connection of the first command is lost, but its work is done.
  expect(await first.exitCode, first.output()).toBe(0)
  expect(await second.exitCode).toBe(0)
  expect(await constants()).toHaveLength(1)
  expect(await states()).toEqual([{ name: '20260101000000_first', state: 'done', error: null }])
})

it('one that fails keeps the server from starting, and leaves nothing; mended, it runs', async () => {
  const broken = site({
    '20260101000000_first': set('ONE'),
    '20260102000000_second': set('TWO', 'throw new LiquidFault("no such table")'),
    '20260103000000_third': set('THREE'),
  })
  const server = ingot.start(['serve', broken.root], variables())
  expect(await server.exitCode).toBe(2)
  expect(server.output()).toContain(
    'The migration 20260102000000_second failed, and its changes were rolled back: no such table',
  )
  expect(await constants()).toEqual(['ONE'])
  expect(await states()).toEqual([
    { name: '20260101000000_first', state: 'done', error: null },
    { name: '20260102000000_second', state: 'error', error: 'no such table' },
  ])
  const list = await ingot.run(['migrations', 'list', broken.root], variables())
  expect(list.code).toBe(0)
  expect(list.said).toMatch(/20260102000000_second +error .*no such table\n20260103000000_third +pending/)

  const mended = site({
    '20260101000000_first': set('ONE'),
    '20260102000000_second': set('TWO'),
    '20260103000000_third': set('THREE'),
  })
  copyFileSync(mended.bundle, broken.bundle)
  const run = await ingot.run(['migrations', 'run', broken.root], variables())
  expect(run.code).toBe(0)
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
  await server.waitForOutput('the old one stays')
  expect(server.output()).toContain('The migration 20260102000000_second failed')
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('home')
  expect(await constants()).toEqual(['ONE'])
  server.child.kill('SIGTERM')
  expect(await server.exitCode).toBe(0)
})

const OF_MODULE = 'modules/shop/20260102000000_second'
const FAILS = { [OF_MODULE]: set('TWO', 'throw new LiquidFault("the service is away")') }

it('one of a module that fails is left: those behind it run, and the site is served', async () => {
  const broken = site({ '20260101000000_first': set('ONE'), ...FAILS, '20260103000000_third': set('THREE') })
  const server = ingot.start(['serve', broken.root], variables())
  const port = await server.port()
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('home')
  expect(await constants()).toEqual(['ONE', 'THREE'])
  expect(await states()).toEqual([
    { name: '20260101000000_first', state: 'done', error: null },
    { name: '20260103000000_third', state: 'done', error: null },
    { name: OF_MODULE, state: 'error', error: 'the service is away' },
  ])
  await server.waitForOutput('the site runs without it')
  expect(server.output()).toContain(`${OF_MODULE}: the service is away`)
  server.child.kill('SIGTERM')
  await server.exitCode

  // The failed migration waits for a manual restart: the next start reports it, but does not run it.
  const again = ingot.start(['serve', broken.root], variables())
  await again.port()
  await again.waitForOutput('the site runs without it')
  expect(broken.notes()).toHaveLength(3)
  again.child.kill('SIGTERM')
  await again.exitCode
  const list = await ingot.run(['migrations', 'list', broken.root], variables())
  expect(list.said).toMatch(/modules\/shop\/20260102000000_second +error .*the service is away\n/)
})

it('one of a module is run again by hand', async () => {
  const broken = site({ ...FAILS, '20260103000000_third': set('THREE') })
  const retry = async (name: string): Promise<readonly [number | null, string]> => {
    const { code, said } = await ingot.run(['migrations', 'retry', name, broken.root], variables())
    return [code, said]
  }
  expect(await retry('20260102000000')).toEqual([
    1,
    expect.stringContaining('failed, and its changes were rolled back'),
  ])
  // The other migration was not requested.
  expect(await constants()).toEqual([])
  expect(await retry('20260109000000')).toEqual([2, expect.stringContaining("has no migration '20260109000000'")])
  const mended = site({ [OF_MODULE]: set('TWO'), '20260103000000_third': set('THREE') })
  copyFileSync(mended.bundle, broken.bundle)
  expect((await retry(OF_MODULE))[0]).toBe(0)
  expect(await constants()).toEqual(['TWO'])
  expect(await retry(OF_MODULE)).toEqual([2, expect.stringContaining('is already done, and cannot run again')])
  const run = await ingot.run(['migrations', 'run', broken.root], variables())
  expect(run.code).toBe(0)
  expect(await constants()).toEqual(['THREE', 'TWO'])
})

it('all that failed are tried once by `run`, which tells of them in the end', async () => {
  const broken = site({ ...FAILS, '20260103000000_third': set('THREE') })
  for (const count of [2, 3]) {
    const run = await ingot.run(['migrations', 'run', broken.root], variables())
    expect(run.code).toBe(1)
    expect(broken.notes()).toHaveLength(count)
  }
  expect(await constants()).toEqual(['THREE'])
})

it('with migrations_strict, one of a module keeps the server from starting', async () => {
  const strict = site({ ...FAILS, '20260103000000_third': set('THREE') }, { migrationsStrict: true })
  const server = ingot.start(['serve', strict.root], variables())
  expect(await server.exitCode).toBe(2)
  expect(server.output()).toContain(`The migration ${OF_MODULE} failed`)
  expect(await constants()).toEqual([])
})

it('one that rolls itself back has not run', async () => {
  const built = site({
    '20260101000000_first': `async (r) => { await r.services.transactions.run({ timeout: null }, async () => r.services.transactions.rollback()) }`,
  })
  const run = await ingot.run(['migrations', 'run', built.root], variables())
  expect(run.code).toBe(1)
  expect(await states()).toEqual([
    { name: '20260101000000_first', state: 'error', error: 'it has rolled back its transaction' },
  ])
})

it('says what the command line lacks', async () => {
  for (const [argv, sentence] of [
    [['migrations'], 'needs an action: give list, run or retry'],
    [['migrations', 'retry'], 'needs the name of a migration'],
    [['migrations', 'undo'], "has no action 'undo'"],
    [['migrations', 'list', '.', 'more'], "does not take 'more'"],
    [['migrations', 'list', '--all'], "no option '--all'"],
  ] as const) {
    const { code, said } = await ingot.run(argv, variables())
    expect(code).toBe(2)
    expect(said).toContain(sentence)
  }
})
