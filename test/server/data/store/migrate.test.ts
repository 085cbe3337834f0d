/** Migration of a database to the tables of this version. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../../../server/data/store/migrate.ts'
import { migrations } from '../../../../server/data/store/migrations/index.ts'
import { connect } from '../../../../server/data/store/connection.ts'
import { sendOnce } from '../../../../server/data/store/send.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

describe('migrations', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase({ empty: true })
  })
  afterAll(() => database.close())

  it('run once each when twenty servers start at once', async () => {
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })),
    )
    await Promise.all(clients.map((sql) => migrate(sql)))
    await Promise.all(clients.map((sql) => sql.end()))
    const rows = await database.sql`select number, name from ingot.migrations order by number`
    expect(rows.map(({ number, name }) => [number, name])).toEqual(migrations.map(({ name }, at) => [at + 1, name]))
  })
})

describe('ids of users', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase({ empty: true })
  })
  afterAll(() => database.close())

  it('stay what they are, and go on behind all that were ever given', async () => {
    const { sql } = database
    const before = migrations.findIndex(({ name }) => name.endsWith('-user-ids'))
    await sql.unsafe('create schema ingot')
    await sql.unsafe('create table ingot.migrations (number integer primary key, name text not null)')
    for (const [at, step] of migrations.slice(0, before).entries()) {
      await sendOnce(sql, step.sql)
      await sql`insert into ingot.migrations values (${at + 1}, ${step.name})`
    }
    const add = (email: string) =>
      sql`insert into ingot.users (email, slug) values (${email}, ${email}) returning id::text`
    const [[old], [purged]] = [await add('a@x.y'), await add('b@x.y')]
    await sql`insert into ingot.tables (name) values ('t')`
    await sql`insert into ingot.records (table_id, user_id) select id, ${String(purged!['id'])} from ingot.tables`
    await sql`delete from ingot.users where id = ${String(purged!['id'])}`
    await migrate(sql)
    const [next] = await add('c@x.y')
    expect(Number(next!['id'])).toBeGreaterThan(Number(purged!['id']))
    expect(await sql`select id::text, email from ingot.users order by id`).toEqual([
      { id: old!['id'], email: 'a@x.y' },
      { id: next!['id'], email: 'c@x.y' },
    ])
    const [given] = await sql`select ingot.reserved_user(${Number(next!['id']) + 5})::text as id`
    const [behind] = await add('d@x.y')
    expect(Number(behind!['id'])).toBeGreaterThan(Number(given!['id']))
  })

  it('begin anew beside those of records, which nothing else uses up', async () => {
    const fresh = await testDatabase()
    const { sql } = fresh
    await sql`insert into ingot.tables (name) values ('t')`
    await sql`insert into ingot.constants (name, value) values ('a', '1')`
    await sql`insert into ingot.activities (uuid, payload) values ('a', '{}')`
    const [record] = await sql`insert into ingot.records (table_id) select id from ingot.tables returning id::text`
    const [user] = await sql`insert into ingot.users (email, slug) values ('a', 'a') returning id::text`
    expect([record!['id'], user!['id']]).toEqual(['1', '1'])
    await sql`insert into ingot.profiles (user_id, profile_type) values (1, 'default')`
    const drawing = await sql`
      select distinct refobjid::regclass::text as sequence, objid::regclass::text as "table" from (
        select d.refobjid, a.adrelid as objid from pg_depend d join pg_attrdef a on a.oid = d.objid
        where d.classid = 'pg_attrdef'::regclass and d.refobjid = 'ingot.ids'::regclass) found`
    expect(drawing).toEqual([{ sequence: 'ingot.ids', table: 'ingot.records' }])
    const [next] = await sql`insert into ingot.records (table_id) select id from ingot.tables returning id::text`
    expect(next!['id']).toBe('2')
    const ids = await sql`
      select ingot.reserved(40)::int as record, ingot.reserved_user(50)::int as user, ingot.reserved_row(60)::int as row,
        nextval('ingot.ids')::int > 40 and nextval('ingot.user_ids')::int > 50 and nextval('ingot.row_ids')::int > 60 as behind`
    expect(ids[0]).toEqual({ record: 40, user: 50, row: 60, behind: true })
    await fresh.close()
  })
})
