/** Indexes of the site's queries: one server builds them in the background, and drops them when no query needs them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DataSchema, IndexSpec } from '../../../../runtime/page/compiled.ts'
import { createCatalog } from '../../../../runtime/data/query/catalog.ts'
import { createSession } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { maintainIndexes } from '../../../../server/data/store/indexes.ts'
import { LOCKS } from '../../../../server/data/store/locks.ts'
import { openStore } from '../../../../server/data/store/store.ts'
import { type TestDatabase, applyData, testDatabase } from '../../../support/database.ts'

const SCHEMA: DataSchema = {
  tables: [
    {
      name: 'listing',
      file: 'app/schema/listing.yml',
      properties: [
        { name: 'title', type: 'string', default: null, belongsTo: null, options: null },
        { name: 'price', type: 'float', default: null, belongsTo: null, options: null },
        { name: 'tags', type: 'array', default: null, belongsTo: null, options: null },
      ],
    },
  ],
  user: [],
  profiles: [],
}

const BY_PRICE: IndexSpec = {
  table: 'listing',
  method: 'btree',
  alive: true,
  keys: [
    { property: 'price', as: 'number', order: 'desc' },
    { column: 'id', order: 'asc' },
  ],
}
const BY_TAG: IndexSpec = {
  table: 'listing',
  method: 'gin',
  alive: true,
  keys: [{ property: 'tags', as: 'json', order: 'asc' }],
}
const BY_WORD: IndexSpec = {
  table: 'listing',
  method: 'trigram',
  alive: true,
  keys: [{ property: 'title', as: 'text', order: 'asc' }],
}

describe('indexes', () => {
  let database: TestDatabase
  let ids: ReadonlyMap<string, number>
  beforeAll(async () => {
    database = await testDatabase()
    ids = await applyData(database.sql, SCHEMA)
  })
  afterAll(() => database.close())
  beforeEach(() => keep([]))

  async function keep(specs: readonly IndexSpec[], told: string[] = [], signal = new AbortController().signal) {
    const session = createSession(readDatabaseUrl(database.url, 'DATABASE_URL'), 'tests', () => undefined)
    const say = (_fields: object, message: string) => void told.push(message)
    await maintainIndexes(session, {
      specs,
      catalog: createCatalog(SCHEMA, ids),
      log: { info: say, warn: say },
      signal,
    })
    await session.end()
  }

  async function present(): Promise<readonly { name: string; valid: boolean }[]> {
    return database.sql<{ name: string; valid: boolean }[]>`
      select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname like 'ix\\_%' order by 1`
  }

  it('are created once, and dropped when no query needs them', async () => {
    const told: string[] = []
    await keep([BY_PRICE, BY_TAG, BY_WORD], told)
    const all = await present()
    expect(all.map(({ valid }) => valid)).toEqual([true, true, true])
    const sums = told.filter((message) => message.startsWith('built 3 indexes that queries need in '))
    expect(sums).toHaveLength(1)
    await keep([BY_PRICE, BY_TAG, BY_WORD], told)
    expect(told.filter((message) => !message.startsWith('built the index'))).toEqual(sums)
    await keep([BY_TAG], told)
    expect(await present()).toHaveLength(1)
    expect(told.filter((message) => message.endsWith('which no query needs anymore'))).toHaveLength(2)
  })

  it('leave those of others alone', async () => {
    await database.sql`create index ix_of_mine on ingot.records (updated_at)`
    await keep([])
    expect((await present()).map(({ name }) => name)).toEqual(['ix_of_mine'])
    await database.sql`drop index ingot.ix_of_mine`
  })

  it('are built by one of many servers', async () => {
    const told: string[] = []
    await Promise.all(Array.from({ length: 6 }, () => keep([BY_PRICE, BY_TAG], told)))
    expect(told.filter((message) => /^built (?:one|\d+) index/.test(message))).toEqual([
      expect.stringMatching(/^built 2 indexes/),
    ])
    expect(await present()).toHaveLength(2)
  })

  it('are built anew where building was broken off', async () => {
    await keep([BY_PRICE])
    await database.sql`
      update pg_index set indisvalid = false from pg_class c where c.oid = indexrelid and c.relname like 'ix\\_%'`
    expect((await present()).map(({ valid }) => valid)).toEqual([false])
    await keep([BY_PRICE])
    expect((await present()).map(({ valid }) => valid)).toEqual([true])
  })

  it('do not hold up writers while they are built', async () => {
    const id = ids.get('listing') ?? 0
    await database.sql`insert into ingot.records (table_id, properties)
      select ${id}, jsonb_build_object('title', md5(n::text), 'price', n, 'tags', jsonb_build_array('a')) from generate_series(1, 50000) n`
    let building = true
    let slowest = 0
    let writes = 0
    const writer = (async () => {
      while (building) {
        const begun = performance.now()
        await database.sql`insert into ingot.records (table_id, properties) values (${id}, '{"title": "new", "price": 1}')`
        slowest = Math.max(slowest, performance.now() - begun)
        writes++
      }
    })()
    const begun = performance.now()
    await keep([BY_PRICE, BY_TAG, BY_WORD])
    const whole = performance.now() - begun
    building = false
    await writer
    expect(writes).toBeGreaterThan(10)
    expect(slowest).toBeLessThan(whole / 2)
    expect((await present()).map(({ valid }) => valid)).toEqual([true, true, true])
    await database.sql`delete from ingot.records`
  })

  it('wait for a server that is at it, and give up when they are told to', async () => {
    const [holder] = await Promise.all([database.sql.reserve()])
    await holder`select pg_advisory_lock(${LOCKS.indexes})`
    const abort = new AbortController()
    const waiting = keep([BY_PRICE], [], abort.signal)
    abort.abort()
    await waiting
    expect(await present()).toEqual([])
    await holder`select pg_advisory_unlock(${LOCKS.indexes})`
    holder.release()
  })

  it('come with a store that is prepared, and do not hold up its start', async () => {
    const say = () => undefined
    const store = await openStore({ url: database.url, replicaUrl: null, pool: 4, logger: { info: say, warn: say } })
    const [holder] = await Promise.all([database.sql.reserve()])
    await holder`select pg_advisory_lock(${LOCKS.indexes})`
    expect((await store.prepare(SCHEMA, [BY_PRICE])).ids).toEqual(ids)
    expect(await present()).toEqual([])
    await holder`select pg_advisory_unlock(${LOCKS.indexes})`
    holder.release()
    await expect.poll(present).toHaveLength(1)
    await store.prepare(SCHEMA, null)
    expect(await present()).toHaveLength(1)
    await store.close()
  })
})
