/** Templates and the database: stored and inline queries in pages, constants, transactions, and a database that becomes unreachable. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Render } from '../../../../runtime/page/render.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { hashPassword, verifyPassword } from '../../../../server/web/accounts/passwords.ts'
import { createSiteData } from '../../../../server/web/graphql/site/site-data.ts'
import { createMarkdown } from '../../../../server/core/services/markdown.ts'
import { createLoadedSite } from '../../../../server/web/site/load.ts'
import { createClient } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { page, site } from '../../../support/server/site.ts'
import { type Door, openDoor } from './door.ts'
import { schema, type Served, serve } from './served.ts'

const OPERATIONS: Readonly<Record<string, string>> = {
  'items/all': `query all($limit: Int = 2, $title: String) {
    records(per_page: $limit, filter: { table: { value: "item" }, properties: [{ name: "title", value: $title }] }) {
      total_entries results { id title: property(name: "title") }
    }
  }`,
  'items/create': `mutation($title: String!, $price: String) {
    record_create(record: { table: "item", properties: [{ name: "title", value: $title }, { name: "price", value: $price }] }) { id }
  }`,
  'items/pair': `mutation($a: String, $b: String) {
    a: record_create(record: { table: "item", properties: [{ name: "title", value: "pair" }, { name: "price", value: $a }] }) { id }
    b: record_create(record: { table: "item", properties: [{ name: "title", value: "pair" }, { name: "price", value: $b }] }) { id }
  }`,
  'items/replace': `mutation($id: ID!) {
    record_create(record: { table: "item", properties: [{ name: "title", value: "replacing" }] }) { id }
    record_delete(id: $id, table: "item") { id }
  }`,
  'constants/set': `mutation($name: String!, $value: String!) { constant_set(name: $name, value: $value) { name } }`,
  'constants/unset': `mutation($name: String!) { constant_unset(name: $name) { name } }`,
  me: '{ current_user { id } }',
  broken: '{ records { nothing } }',
}

/** The warnings of queries that have run. */
const warnings: string[] = []

/** Renders a page that prints the result of the query in the parameters of its URL. */
async function query(r: Render): Promise<string> {
  const { query, ...variables } = r.context['params'] as Record<string, string>
  return JSON.stringify(
    await r.services.graphql?.run({ name: String(query) }, variables, (said) => warnings.push(said)),
  )
}

function compiled(more: Partial<CompiledSite> = {}): CompiledSite {
  return site(
    [
      page('query', { render: query }),
      page('inline', {
        render: async (r) => {
          const { document } = r.context['params'] as Record<string, string>
          return JSON.stringify(await r.services.graphql?.run({ document: String(document) }, {}))
        },
      }),
      page('twice', {
        render: async (r) => {
          await r.services.graphql?.run({ name: 'items/all' }, {})
          await r.services.graphql?.run({ name: 'items/all' }, { limit: 1 })
          return 'done'
        },
      }),
      page('cached', {
        staticCache: 60,
        render: async (r) => JSON.stringify(await r.services.graphql?.run({ name: 'items/all' }, {})),
      }),
      page('raising', {
        render: async (r) => {
          const result = await r.services.graphql?.run({ name: 'items/all' }, {})
          if (result?.['errors'] !== undefined) throw new LiquidFault('the query failed')
          return 'fine'
        },
      }),
      page('constant', { render: (r) => JSON.stringify(constantsOf(r)) }),
      page('constant/set', {
        render: async (r) => {
          const before = constantsOf(r)
          const { value } = r.context['params'] as Record<string, string>
          await r.services.graphql?.run({ name: 'constants/set' }, { name: 'KEY', value })
          return JSON.stringify([before, constantsOf(r), Object.keys(r.context).includes('constants')])
        },
      }),
    ],
    {
      data: schema({ item: { title: 'string', price: 'integer' } }),
      operations: Object.fromEntries(
        Object.entries(OPERATIONS).map(([name, document]) => [name, { file: `app/graphql/${name}.graphql`, document }]),
      ),
      ...more,
    },
  )
}

function constantsOf(r: Render): unknown {
  return { ...(r.context['constants'] as Record<string, unknown>) }
}

let database: TestDatabase
let served: Served

beforeAll(async () => {
  database = await testDatabase()
  served = await serve(compiled(), database.sql, { environment: 'development' })
})
afterAll(async () => {
  await served.close()
  await database.close()
})
beforeEach(async () => {
  await database.sql`delete from ingot.records`
  await database.sql`delete from ingot.constants`
  await served.graphql.constants.reload()
})

async function run(
  name: string,
  variables: Record<string, string> = {},
  from: Served = served,
): Promise<Record<string, unknown>> {
  const parameters = new URLSearchParams({ query: name, ...variables })
  return JSON.parse((await from.page(`/query?${parameters}`)).text) as Record<string, unknown>
}

async function count(): Promise<number> {
  const [row] = await database.sql`select count(*)::int as count from ingot.records`
  return Number(row?.['count'])
}

describe('a stored query', () => {
  test('gives its root fields, without a word of errors where there are none', async () => {
    await run('items/create', { title: 'one' })
    await run('items/create', { title: 'two', price: '5' })
    const result = await run('items/all')
    expect(result).toEqual({
      records: {
        total_entries: 2,
        results: [
          { id: expect.any(String), title: 'one' },
          { id: expect.any(String), title: 'two' },
        ],
      },
    })
  })

  test('takes text for numbers, its defaults where nothing is given, and ignores what it does not declare', async () => {
    for (const title of ['a', 'b', 'c']) await run('items/create', { title })
    expect(await run('items/all', { limit: '3', nobody: 'x' })).toMatchObject({
      records: { total_entries: 3, results: { length: 3 } },
    })
    expect(await run('items/all')).toMatchObject({ records: { results: { length: 2 } } })
    expect(await run('items/all', { title: 'b' })).toMatchObject({ records: { total_entries: 1 } })
    expect(await run('items/all', { limit: 'many' })).toMatchObject({
      errors: [{ message: expect.stringContaining('limit') }],
    })
  })

  test('by the name of its file alone runs, and is warned of once', async () => {
    await run('items/create', { title: 'one' })
    warnings.length = 0
    expect(await run('all', { title: 'one' })).toMatchObject({ records: { total_entries: 1 } })
    expect(await run('all')).toMatchObject({ records: { total_entries: 1 } })
    expect(warnings).toEqual([expect.stringContaining("so 'items/all' ran")])
    expect(await run('set')).toHaveProperty('errors.0.message', expect.stringContaining('name'))
    expect(warnings).toHaveLength(2)
  })

  test('that is not there names the nearest one that is', async () => {
    expect(await run('items/al')).toEqual({
      errors: [{ message: 'There is no query `items/al`. Did you mean `items/all`?' }],
    })
    for (const name of ['__proto__', 'constructor', 'toString', ''])
      expect((await run(name))['errors'], name).toEqual([{ message: expect.stringContaining('There is no query') }])
  })

  test('that does not hold says so each time it is asked', async () => {
    for (let i = 0; i < 2; i++)
      expect(await run('broken')).toMatchObject({ errors: [{ message: expect.stringContaining('nothing') }, {}] })
  })

  test('runs without a visitor until somebody signs in', async () => {
    expect(await run('me')).toEqual({ current_user: null })
  })

  test('many at once give each its own', async () => {
    for (let i = 0; i < 20; i++) await run('items/create', { title: `t${i}` })
    const results = await Promise.all(Array.from({ length: 60 }, (_, i) => run('items/all', { title: `t${i % 20}` })))
    for (const [i, result] of results.entries())
      expect(result).toMatchObject({ records: { results: [{ title: `t${i % 20}` }] } })
  })
})

describe('an inline query', () => {
  test('runs as a stored one does', async () => {
    const document = encodeURIComponent('{ records(per_page: 1) { total_entries } }')
    expect(JSON.parse((await served.page(`/inline?document=${document}`)).text)).toEqual({
      records: { total_entries: 0 },
    })
  })

  test('of endless forms fills no memory: thousands are answered', async () => {
    for (let i = 0; i < 700; i++) {
      const document = encodeURIComponent(`{ q${i}: records(per_page: 1) { total_entries } }`)
      expect(JSON.parse((await served.page(`/inline?document=${document}`)).text)).toEqual({
        [`q${i}`]: { total_entries: 0 },
      })
    }
  })
})

describe('a mutation', () => {
  test('of which one part fails changes nothing', async () => {
    expect(await run('items/pair', { a: '1', b: '2' })).toMatchObject({ a: {}, b: {} })
    expect(await count()).toBe(2)
    const failed = await run('items/pair', { a: '1', b: 'cheap' })
    expect(failed).toEqual({ errors: [expect.objectContaining({ message: expect.stringContaining('price') })] })
    expect(await count()).toBe(2)
    const missing = await run('items/replace', { id: '999999' })
    expect(missing['errors']).toHaveLength(1)
    expect(await count()).toBe(2)
  })

  test('of many visitors at once loses nothing', async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) => run('items/pair', { a: String(i), b: String(i) })),
    )
    expect(results.filter((result) => 'errors' in result)).toEqual([])
    expect(await count()).toBe(100)
  })
})

describe('what a request asks of the database', () => {
  test('is told to developers, and not kept with a cached page', async () => {
    expect((await served.page('/twice')).headers.get('server-timing')).toMatch(/^db;dur=[\d.]+;desc="2 statements"$/)
    expect((await run('items/all'))['errors']).toBe(undefined)
    expect((await served.page('/cached')).headers.get('server-timing')).toMatch(/1 statement"/)
    expect((await served.page('/cached')).headers.get('server-timing')).toBe(null)
    expect((await served.page('/constant')).headers.get('server-timing')).toBe(null)
  })

  test('is told to nobody else', async () => {
    const other = await serve(compiled(), database.sql)
    expect((await other.page('/twice')).headers.get('server-timing')).toBe(null)
    await other.close()
  })
})

describe('constants', () => {
  test('that a page sets are there in its next line, and are no part of a printed context', async () => {
    const set = await served.page('/constant/set?value=one')
    expect(JSON.parse(set.text)).toEqual([{}, { KEY: 'one' }, false])
    expect(JSON.parse((await served.page('/constant/set?value=two')).text)[1]).toEqual({ KEY: 'two' })
    expect(JSON.parse((await served.page('/constant')).text)).toEqual({ KEY: 'two' })
    const [row] = await database.sql`select value from ingot.constants`
    expect(row?.['value']).not.toContain('two')
  })

  test('are seen by another process a moment later, gone ones too', async () => {
    const client = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 3, name: 'other' })
    const other = await serve(compiled(), client)
    const shown = async (): Promise<unknown> => JSON.parse((await other.page('/constant')).text)
    await served.page('/constant/set?value=three')
    for (let i = 0; i < 100 && JSON.stringify(await shown()) === '{}'; i++) await sleep(20)
    expect(await shown()).toEqual({ KEY: 'three' })
    await run('constants/unset', { name: 'KEY' })
    for (let i = 0; i < 100 && JSON.stringify(await shown()) !== '{}'; i++) await sleep(20)
    expect(await shown()).toEqual({})
    await other.close()
    await client.end({ timeout: 1 })
  })

  test('that a failed operation has set are as before', async () => {
    await served.page('/constant/set?value=kept')
    const { json } = await served.ask(`mutation {
      constant_set(name: "KEY", value: "lost") { name }
      record_delete(id: 987654, table: "item") { id }
    }`)
    expect(json.data).toBe(null)
    expect(JSON.parse((await served.page('/constant')).text)).toEqual({ KEY: 'kept' })
  })
})

describe('a database that goes away', () => {
  let door: Door
  let sql: Sql
  let away: Served

  beforeEach(async () => {
    door = await openDoor(database.url)
    sql = createClient(door.address, { pool: 3, name: 'tests' })
    away = await serve(compiled(), sql)
  })
  afterEach(async () => {
    await away.close()
    await sql.end({ timeout: 1 })
    await door.close()
  })

  test('gives errors and 503, and works again when it is back, without a hand', async () => {
    expect((await away.page('/raising')).status).toBe(200)
    await door.shut()
    const failed = await away.page('/raising')
    expect(failed.status).toBe(503)
    expect(failed.text).not.toMatch(/ECONN|127\.0\.0\.1|select/)
    expect(await run('items/all', {}, away)).toEqual({
      errors: [expect.objectContaining({ message: 'The database is not reachable' })],
    })
    const program = await away.ask('{ records(per_page: 1) { total_entries } }')
    expect(program.status).toBe(503)
    expect(program.json.errors?.[0]?.message).toBe('The database is not reachable')
    // A page that needs no data works all the time.
    expect((await away.page('/constant')).status).toBe(200)
    await door.open()
    let status = 0
    for (let i = 0; i < 50 && status !== 200; i++) {
      status = (await away.page('/raising')).status
      if (status !== 200) await sleep(100)
    }
    expect(status).toBe(200)
  })

  test('is the reason on the page and in the log, in development', async () => {
    const developed = await serve(compiled(), sql, { environment: 'development' })
    try {
      await door.shut()
      const failed = await developed.page('/raising')
      expect([failed.status, failed.text]).toEqual([
        503,
        expect.stringContaining('The reason: the database cannot be reached.'),
      ])
      expect((await developed.ask('{ records(per_page: 1) { total_entries } }')).status).toBe(503)
      for (const path of ['/raising', '/api/graph'])
        expect(developed.logged).toContainEqual(
          expect.objectContaining({ path, status: 503, reason: 'the database cannot be reached' }),
        )
    } finally {
      await developed.close()
    }
  })

  test('in the middle of a mutation undoes it, and the next one works', async () => {
    await database.sql.begin(async (holder) => {
      // Locks the table, so that the mutation is interrupted while it runs.
      await holder`lock table ingot.records in access exclusive mode`
      const caught = run('items/pair', { a: '1', b: '2' }, away)
      await sleep(300)
      door.cut()
      expect((await caught)['errors']).toEqual([expect.objectContaining({ message: 'The database is not reachable' })])
    })
    expect(await count()).toBe(0)
    expect(await run('items/pair', { a: '1', b: '2' }, away)).toMatchObject({ a: {}, b: {} })
    expect(await count()).toBe(2)
  })

  test('between two requests is not noticed', async () => {
    for (let i = 0; i < 5; i++) {
      expect(await run('items/create', { title: `t${i}` }, away)).toMatchObject({ record_create: {} })
      door.cut()
      await sleep(20)
      expect(await run('items/all', {}, away)).toMatchObject({ records: { total_entries: i + 1 } })
      door.cut()
    }
  })
})

describe('a replica', () => {
  test('answers the queries that ask for it, and no others', async () => {
    // Another database represents a replica. It is recognized by its different rows.
    const copy = await testDatabase()
    const both = await serve(compiled(), database.sql, { replica: copy.sql })
    await applyData(copy.sql, compiled().data)
    await run('items/create', { title: 'here' })
    const total = async (options: string): Promise<unknown> => {
      const { json } = await both.ask(
        `{ records(per_page: 1, filter: { table: { value: "item" } }${options}) { total_entries } }`,
      )
      return (json.data?.['records'] as Record<string, unknown> | undefined)?.['total_entries']
    }
    expect(await total('')).toBe(1)
    expect(await total(', options: { read_replica: false }')).toBe(1)
    expect(await total(', options: { read_replica: true }')).toBe(0)
    await both.close()
    await copy.close()
  })
})

describe('time', () => {
  /** Returns the result for a program whose operation may take the given number of seconds. */
  async function within(seconds: number, document: string, from: Served = served): Promise<string | undefined> {
    const loaded = createLoadedSite(compiled(), '/nowhere', '/nowhere', false)
    const tableIds = await applyData(database.sql, loaded.site.data)
    const accounts = { hashPassword, verifyPassword, signInByPassword: null }
    const parts = {
      loadedSite: loaded,
      tableIds,
      accounts,
      markdown: createMarkdown(),
      assetUrl: String,
      render: noRender,
    }
    const asked = { document, operationName: null, variables: {}, seconds }
    const { result } = await createSiteData(from.graphql, parts).answer(asked)
    return result.errors?.[0]?.message
  }

  const noRender = (): never => {
    throw new Error('nothing is rendered')
  }

  const CREATE = `mutation { a: record_create(record: { table: "item" }) { id } b: record_create(record: { table: "item" }) { id } }`

  test('that a program has for an operation is that of all its statements together', async () => {
    expect(await within(5, CREATE)).toBe(undefined)
    const before = await count()
    await database.sql.begin(async (holder) => {
      await holder`lock table ingot.records in access exclusive mode`
      const started = performance.now()
      expect(await within(0.3, CREATE)).toMatch(/took too long/)
      expect(await within(0.3, '{ records(per_page: 1, options: { timeout: 60 }) { total_entries } }')).toMatch(
        /took too long/,
      )
      expect(performance.now() - started).toBeLessThan(5_000)
    })
    expect(await count()).toBe(before)
  })

  test('is not lost on a database that no longer answers', async () => {
    const door = await openDoor(database.url)
    const sql = createClient(door.address, { pool: 3, name: 'tests' })
    const away = await serve(compiled(), sql)
    expect(await within(5, CREATE, away)).toBe(undefined)
    door.freeze(true)
    const started = performance.now()
    expect(await within(0.3, '{ records(per_page: 1) { total_entries } }', away)).toMatch(/took too long/)
    expect(await within(0.3, CREATE, away)).toBe('The database is not reachable')
    expect(performance.now() - started).toBeLessThan(6_000)
    door.freeze(false)
    door.cut()
    await away.close()
    await sql.end({ timeout: 1 })
    await door.close()
  })

  test('that a query gives itself ends it in a sentence', async () => {
    await database.sql.begin(async (holder) => {
      await holder`lock table ingot.records in access exclusive mode`
      const started = performance.now()
      const { json } = await served.ask('{ records(per_page: 1, options: { timeout: 1 }) { total_entries } }')
      expect(performance.now() - started).toBeLessThan(4_000)
      expect(json.errors?.[0]?.message).toMatch(/took too long/)
    })
    expect((await served.ask('{ records(per_page: 1) { total_entries } }')).json.errors).toBe(undefined)
  })
})
