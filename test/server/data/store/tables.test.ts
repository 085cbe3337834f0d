/** The site's tables in the database: the effect of a changed file on stored values. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DataSchema, PropertyDef, PropertyType, TableDef } from '../../../../runtime/page/compiled.ts'
import { connect } from '../../../../server/data/store/connection.ts'
import { addSchema, deleteRows } from '../../../../server/data/store/tables.ts'
import { type TestDatabase, applyData, testDatabase } from '../../../support/database.ts'

type Types = Readonly<Record<string, PropertyType>>

function properties(types: Types): readonly PropertyDef[] {
  return Object.entries(types).map(([name, type]) => ({ name, type, default: null, belongsTo: null, options: null }))
}

function table(name: string, types: Types): TableDef {
  return { name, file: `app/schema/${name}.yml`, properties: properties(types) }
}

function data(tables: readonly TableDef[], user: Types = {}, profiles: readonly TableDef[] = []): DataSchema {
  return { tables, user: properties(user), profiles }
}

describe('tables', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await database.sql.unsafe(
      'delete from ingot.records; delete from ingot.users; delete from ingot.declared; delete from ingot.tables',
    )
  })

  const apply = (schema: DataSchema) => applyData(database.sql, schema)

  async function store(tableId: number | undefined, values: readonly unknown[], deleted = false): Promise<void> {
    for (const value of values) {
      await database.sql`
        insert into ingot.records (table_id, properties, deleted_at)
        values (${tableId ?? 0}, ${JSON.stringify({ p: value })}::text::jsonb, ${deleted ? new Date() : null})`
    }
  }

  async function stored(): Promise<readonly unknown[]> {
    const rows = await database.sql<{ properties: { p: unknown } }[]>`select properties from ingot.records order by id`
    return rows.map((row) => row.properties.p)
  }

  /** Returns a value of one type after its conversion to another. */
  async function converted(
    from: PropertyType,
    to: PropertyType,
    values: readonly unknown[],
  ): Promise<readonly unknown[]> {
    const ids = await apply(data([table('t', { p: from })]))
    await store(ids.get('t'), values)
    await apply(data([table('t', { p: to })]))
    return stored()
  }

  /** Returns values of a property that were written before its file declared it. */
  async function writtenBefore(to: PropertyType, values: readonly unknown[]): Promise<void> {
    const ids = await apply(data([table('t', { q: 'string' })]))
    for (const value of values)
      await database.sql`insert into ingot.records (table_id, undeclared)
        values (${ids.get('t') ?? 0}, ${JSON.stringify({ p: value, other: 'x' })}::text::jsonb)`
    await apply(data([table('t', { q: 'string', p: to })]))
  }

  it.each([
    ['string', ['a', 5, true, null, { a: 1 }], ['a', '5', 'true', null, '{"a": 1}']],
    ['integer', ['12', 7, null], [12, 7, null]],
    ['array', [['a', 'b'], 'c', null], [['a', 'b'], ['c'], []]],
    ['boolean', [true, 'false'], [true, false]],
  ] as const)('have what was written to a property before it was declared %s', async (type, before, after) => {
    await writtenBefore(type, before)
    const rows = await database.sql`select properties -> 'p' as p, undeclared from ingot.records order by id`
    const given = rows.map((row) => row['p'] as unknown)
    expect(
      given.map((value) => (typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value)),
    ).toEqual(after.map((value) => (typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value)))
    expect(rows.every((row) => (row['undeclared'] as { other?: string }).other === 'x')).toBe(true)
  })

  it('refuse a declaration that does not fit what was written before it, and change nothing', async () => {
    await expect(writtenBefore('integer', ['1', 'one'])).rejects.toThrow(
      /property `p` is now declared integer, and 1 of 2 records with a value that was written before/,
    )
    const rows = await database.sql`select properties, undeclared ->> 'p' as p from ingot.records order by id`
    expect(rows.map((row) => row['p'])).toEqual(['1', 'one'])
  })

  it('keep users and profiles to the same', async () => {
    await apply(data([]))
    await database.sql`
      insert into ingot.users (email, slug, undeclared) values ('a@x.y', 'a', '{"shoe": 42}')`
    await database.sql`
      insert into ingot.profiles (user_id, profile_type, undeclared) select id, 'seller', '{"van": "blue"}' from ingot.users`
    await apply(data([], { shoe: 'string' }, [table('seller', { van: 'string' })]))
    expect(await database.sql`select properties, undeclared from ingot.users`).toEqual([
      { properties: { shoe: '42' }, undeclared: null },
    ])
    expect(await database.sql`select properties, undeclared from ingot.profiles`).toEqual([
      { properties: { van: 'blue' }, undeclared: null },
    ])
  })

  it('keep what a declaration held that was taken away, and what was written since wins', async () => {
    const ids = await apply(data([table('t', { p: 'string', q: 'string' })]))
    await store(ids.get('t'), ['old', 'older'])
    await apply(data([table('t', { q: 'string' })]))
    await database.sql`update ingot.records set undeclared = '{"p": "new"}' where properties ->> 'p' = 'old'`
    await apply(data([table('t', { p: 'string', q: 'string' })]))
    expect(await stored()).toEqual(['new', 'older'])
  })

  describe('with a property that has become a column of the record', () => {
    const own = (...names: readonly string[]): TableDef => {
      const columns = properties(Object.fromEntries(names.map((name) => [name, 'string'])))
      return {
        ...table('t', {}),
        properties: [...properties({ p: 'string' }), ...columns.map((each) => ({ ...each, column: true as const }))],
      }
    }
    const insert = (id: number | undefined, values: unknown, column: 'properties' | 'undeclared', user?: string) =>
      database.sql`insert into ingot.records (table_id, user_id, ${database.sql(column)})
        values (${id ?? 0}, ${user ?? null}, ${JSON.stringify(values)}::text::jsonb)`
    const rows = () =>
      database.sql`select user_id::text, external_id, properties, undeclared from ingot.records order by id`

    it('move its values there, once', async () => {
      const ids = await apply(data([table('t', { p: 'string', user_id: 'string' })]))
      const id = ids.get('t')
      await insert(id, { p: 'a', user_id: '7' }, 'properties')
      await insert(id, { p: 'b', user_id: 8 }, 'properties', '9')
      await insert(id, { p: 'c', user_id: '' }, 'properties', '9')
      await insert(id, { p: 'd' }, 'properties', '9')
      await insert(id, { external_id: 'e', id: 'kept' }, 'undeclared')
      const after = [
        { user_id: '7', external_id: null, properties: { p: 'a' }, undeclared: null },
        { user_id: '8', external_id: null, properties: { p: 'b' }, undeclared: null },
        { user_id: '9', external_id: null, properties: { p: 'c' }, undeclared: null },
        { user_id: '9', external_id: null, properties: { p: 'd' }, undeclared: null },
        { user_id: null, external_id: 'e', properties: {}, undeclared: { id: 'kept' } },
      ]
      await apply(data([own('user_id', 'external_id', 'id')]))
      expect(await rows()).toEqual(after)
      await database.sql`update ingot.records set user_id = 10 where user_id = 7`
      await apply(data([own('user_id', 'external_id', 'id'), table('other', {})]))
      expect(await rows()).toEqual([{ ...after[0], user_id: '10' }, ...after.slice(1)])
    })

    it('refuse what the column cannot hold, and change nothing', async () => {
      const ids = await apply(data([table('t', { p: 'string', user_id: 'string' })]))
      await insert(ids.get('t'), { user_id: '7' }, 'properties')
      await insert(ids.get('t'), { user_id: 'nobody' }, 'properties')
      await expect(apply(data([own('user_id')]))).rejects.toThrow(
        /`user_id` is the column `user_id` of the record now, and 1 of 2 records with a value cannot be stored there \(record \d+: "nobody"\)/,
      )
      expect((await rows()).map(({ user_id, properties }) => [user_id, properties])).toEqual([
        [null, { user_id: '7' }],
        [null, { user_id: 'nobody' }],
      ])
    })
  })

  it('keep their numbers, whatever is added', async () => {
    const first = await apply(data([table('b', {}), table('modules/blog/post', { title: 'string' })]))
    const second = await apply(data([table('a', {}), table('b', { x: 'integer' }), table('modules/blog/post', {})]))
    expect([...second.keys()].toSorted()).toEqual(['a', 'b', 'modules/blog/post'])
    expect(second.get('b')).toBe(first.get('b'))
    expect(second.get('modules/blog/post')).toBe(first.get('modules/blog/post'))
  })

  it('are asked for once where nothing changed', async () => {
    const schema = data([table('a', { x: 'string' })])
    await apply(schema)
    const [before] = await database.sql`select xmin::text as version from ingot.declared`
    const reordered = data([table('a', { x: 'string' })])
    expect((await apply(reordered)).size).toBe(1)
    expect(await database.sql`select xmin::text as version from ingot.declared`).toEqual([before])
  })

  it('are registered once when twenty servers start at once', async () => {
    const schema = data(Array.from({ length: 30 }, (_, at) => table(`t${at}`, { x: 'string' })))
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => connect(database.url, 'DATABASE_URL', { pool: 2, name: 'tests' })),
    )
    const all = await Promise.all(clients.map((sql) => applyData(sql, schema)))
    await Promise.all(clients.map((sql) => sql.end()))
    expect(all.map((ids) => [...ids].toSorted())).toEqual(all.map(() => [...all[0]!].toSorted()))
    expect(all[0]?.size).toBe(30)
  })

  it.each<[PropertyType, PropertyType, unknown[], unknown[]]>([
    ['integer', 'string', [1, -20, null], ['1', '-20', null]],
    ['integer', 'float', [1, null], [1, null]],
    ['integer', 'array', [1, null], [['1'], []]],
    ['float', 'string', [1.5, -0.25], ['1.5', '-0.25']],
    ['float', 'array', [1.5], [['1.5']]],
    ['string', 'integer', ['12', ' -3 ', '4.0', '', null], [12, -3, 4, null, null]],
    ['string', 'float', ['1.5', '2e3', '', null], [1.5, 2000, null, null]],
    ['string', 'boolean', ['true', 'no', '1', '', null], [true, false, true, null, null]],
    ['string', 'array', ['a', '["x", "y"]', '', null], [['a'], ['x', 'y'], [], []]],
    ['boolean', 'string', [true, false, null], ['true', 'false', null]],
    ['boolean', 'array', [true, null], [['true'], []]],
    ['array', 'integer', [['5'], [], null], [5, null, null]],
    ['array', 'string', [['a'], []], ['a', null]],
  ])('are converted from %s to %s', async (from, to, values, expected) => {
    expect(await converted(from, to, values)).toEqual(expected)
  })

  it('keep every digit of an integer that becomes text', async () => {
    const ids = await apply(data([table('t', { p: 'integer' })]))
    await database.sql`insert into ingot.records (table_id, properties)
      values (${ids.get('t') ?? 0}, '{"p": 9223372036854775807}'::text::jsonb)`
    await apply(data([table('t', { p: 'string' })]))
    expect(await stored()).toEqual(['9223372036854775807'])
  })

  it('are left as they are where a value cannot be converted, with the rows counted', async () => {
    const ids = await apply(data([table('t', { p: 'string' }), table('u', { p: 'integer' })]))
    await store(ids.get('t'), ['1', 'two', '3', 'four', '9223372036854775808'])
    await store(ids.get('u'), [7])
    const wanted = data([table('t', { p: 'integer' }), table('u', { p: 'string' })])
    await expect(apply(wanted)).rejects.toThrow(
      /and was not changed:\n {2}- app\/schema\/t\.yml: property `p` is now integer and was string, and 3 of 5 records with a value cannot be converted \(record \d+: "two", record \d+: "four", record \d+: "9223372036854775808"\)/,
    )
    expect(await stored()).toEqual(['1', 'two', '3', 'four', '9223372036854775808', 7])
    expect([...(await apply(data([table('t', { p: 'string' }), table('u', { p: 'integer' })])))]).toEqual([...ids])
  })

  it('follow a change that no value stands against, whatever the types', async () => {
    expect(await converted('datetime', 'integer', [null])).toEqual([null])
  })

  it('are left as they are where no value of the old type can become the new one', async () => {
    const ids = await apply(data([table('t', { p: 'datetime' })]))
    await store(ids.get('t'), ['2020-03-15T14:28:48.153Z'])
    await expect(apply(data([table('t', { p: 'integer' })]))).rejects.toThrow(
      'no datetime can become integer; there are 1 of 1 record with a value',
    )
  })

  it('are not held up by rows that were deleted', async () => {
    const ids = await apply(data([table('t', { p: 'string' })]))
    await store(ids.get('t'), ['gone', '5'], true)
    await apply(data([table('t', { p: 'integer' })]))
    expect(await stored()).toEqual(['gone', 5])
  })

  it('remember the type of a property that was taken away and comes back with another', async () => {
    const ids = await apply(data([table('t', { p: 'string' })]))
    await store(ids.get('t'), ['12'])
    await apply(data([table('t', {})]))
    expect(await stored()).toEqual(['12'])
    await apply(data([table('t', { p: 'integer' })]))
    expect(await stored()).toEqual([12])
  })

  it('remember it also where the whole table was away', async () => {
    const first = await apply(data([table('t', { p: 'string' })]))
    await store(first.get('t'), ['12'], true)
    expect((await apply(data([]))).size).toBe(0)
    const back = await apply(data([table('t', { p: 'integer' })]))
    expect(back.get('t')).toBe(first.get('t'))
    expect(await stored()).toEqual([12])
  })

  it('are not removed while they have rows', async () => {
    const ids = await apply(data([table('t', { p: 'string' }), table('empty', {})]))
    await store(ids.get('t'), ['x', 'y'])
    await expect(apply(data([]))).rejects.toThrow(
      'the table `t` has no file anymore but still has 2 rows: restore the file, or first delete the rows with `ingot data delete t` in the folder of the site',
    )
    await expect(deleteRows(database.sql, 'emty')).rejects.toThrow(
      "The database has no table 'emty': did you mean 'empty'?",
    )
    expect(await deleteRows(database.sql, 't')).toBe(2)
    expect((await apply(data([]))).size).toBe(0)
  })

  it('say all that stands against them at once', async () => {
    const ids = await apply(data([table('t', { p: 'string', q: 'boolean' }), table('gone', {})]))
    await database.sql`insert into ingot.records (table_id, properties)
      values (${ids.get('t') ?? 0}, '{"p": "x", "q": true}'::text::jsonb), (${ids.get('gone') ?? 0}, '{}')`
    const failed = apply(data([table('t', { p: 'integer', q: 'float' })]))
    await expect(failed).rejects.toThrow(/`gone`.*\n.*`p` is now integer.*\n.*`q` is now float/)
  })

  it('hold names that look like SQL', async () => {
    const name = `a'b"c\\d; drop table ingot.records --`
    const before = await apply(data([table(name, { [name]: 'integer' })]))
    await database.sql`insert into ingot.records (table_id, properties)
      values (${before.get(name) ?? 0}, ${JSON.stringify({ [name]: 5, __proto__x: 1 })}::text::jsonb)`
    await apply(data([table(name, { [name]: 'string' })]))
    const [row] = await database.sql<{ properties: Record<string, unknown> }[]>`select properties from ingot.records`
    expect(row?.properties[name]).toBe('5')
  })

  it('leave the times of converted rows alone, and convert many in one go', async () => {
    const ids = await apply(data([table('t', { p: 'integer' })]))
    await database.sql`insert into ingot.records (table_id, properties, updated_at)
      select ${ids.get('t') ?? 0}, jsonb_build_object('p', n), '2020-01-01' from generate_series(1, 12345) n`
    await apply(data([table('t', { p: 'string' })]))
    const [row] = await database.sql`
      select count(*)::int as count, min(updated_at) as first, max(updated_at) as last from ingot.records
      where jsonb_typeof(properties->'p') = 'string'`
    expect(row).toEqual({ count: 12345, first: new Date('2020-01-01'), last: new Date('2020-01-01') })
  })

  it('are converted while others write, and while rows are locked', async () => {
    const ids = await apply(data([table('t', { p: 'string' })]))
    const id = ids.get('t') ?? 0
    await database.sql`insert into ingot.records (table_id, properties)
      select ${id}, jsonb_build_object('p', n::text) from generate_series(1, 3000) n`
    let writing = true
    let announceHeld = (): void => undefined
    const held = new Promise<void>((resolve) => {
      announceHeld = resolve
    })
    const other = await connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })
    // A transaction that holds a row for a while, and then writes a value of the old type to it.
    const holder = other.begin(async (transaction) => {
      await transaction`select from ingot.records where properties ->> 'p' = '7' for update`
      announceHeld()
      await sleep(300)
      await transaction`update ingot.records set properties = '{"p": "70"}' where properties ->> 'p' = '7'`
    })
    await held
    const longest: number[] = []
    const writer = (async () => {
      while (writing) {
        const started = performance.now()
        await database.sql`update ingot.records set properties = jsonb_set(properties, '{p}', '9')
          where id = (select max(id) from ingot.records)`
        await store(id, [8])
        longest.push(performance.now() - started)
      }
    })()
    await apply(data([table('t', { p: 'integer' })]))
    writing = false
    await Promise.all([writer, holder])
    await other.end()
    const kinds = await database.sql`
      select distinct jsonb_typeof(properties -> 'p') as kind from ingot.records where table_id = ${id}`
    expect(kinds).toEqual([{ kind: 'number' }])
    // The value '70' of another row, and the one that the transaction has written.
    expect(await database.sql`select from ingot.records where properties ->> 'p' = '70'`).toHaveLength(2)
    expect(longest.length).toBeGreaterThan(5)
  })

  it('end a conversion although servers of an earlier release go on writing', async () => {
    const ids = await apply(data([table('t', { p: 'string' })]))
    await store(ids.get('t'), ['1'])
    let writing = true
    const writer = (async () => {
      while (writing) await store(ids.get('t'), ['7'])
    })()
    await apply(data([table('t', { p: 'integer' })]))
    writing = false
    await writer
    expect((await stored())[0]).toBe(1)
  })

  describe('whose conversion broke off', () => {
    /** More rows than one statement converts. The last one has the first of at most three values. */
    const ROWS = 601

    /** Fills the table with one value per row, and breaks a conversion off at the last row, as when the process is killed. */
    async function breakOff(from: PropertyType, to: PropertyType, values: readonly unknown[]): Promise<number> {
      await database.sql`truncate ingot.records, ingot.declared, ingot.tables, ingot.converted_values`
      const id = (await apply(data([table('t', { p: from })]))).get('t') ?? 0
      const all = Array.from({ length: ROWS }, (_, at) => values[at % values.length])
      await database.sql`insert into ingot.records (table_id, properties)
        select ${id}, jsonb_build_object('p', v) from jsonb_array_elements(${JSON.stringify(all)}::text::jsonb) v`
      await database.sql.unsafe(`
        create function ingot.refuse_last() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$;
        create trigger refuse_last before update on ingot.records for each row
          when (old.id = ${(await database.sql`select max(id) from ingot.records`)[0]!['max']})
          execute function ingot.refuse_last()`)
      await expect(apply(data([table('t', { p: to })]))).rejects.toThrow('broken off')
      await database.sql.unsafe('drop trigger refuse_last on ingot.records; drop function ingot.refuse_last()')
      return id
    }

    /** Returns the JSON texts of the first values. */
    async function texts(count: number): Promise<readonly string[]> {
      const rows = await database.sql<{ text: string }[]>`
        select (properties -> 'p')::text as text from ingot.records order by id limit ${count}`
      return rows.map(({ text }) => text)
    }

    const kept = () => database.sql`
      select (select count(*)::int from ingot.converted_values) as values, converting from ingot.declared`

    it.each<[PropertyType, PropertyType, unknown[], string[]]>([
      ['string', 'integer', ['0048', '2', null], ['48', '2', 'null']],
      ['string', 'float', ['1.50', '12345678901234567890.5'], ['1.50', '12345678901234567000']],
      ['string', 'boolean', ['yes', 'false', ''], ['true', 'false', 'null']],
      ['string', 'array', ['["x", "y"]', 'b', ''], ['["x", "y"]', '["b"]', '[]']],
      ['integer', 'array', [1, null], ['["1"]', '[]']],
      ['boolean', 'string', [true, false], ['"true"', '"false"']],
    ])('from %s to %s, are continued, or get back what they were', async (from, to, values, after) => {
      const before = values.map((value) => JSON.stringify(value))
      await breakOff(from, to, values)
      expect((await kept())[0]).toMatchObject({
        converting: { [Object.keys((await kept())[0]!['converting'])[0]!]: to },
      })
      await apply(data([table('t', { p: from })]))
      expect(await texts(values.length)).toEqual(before)
      expect(await kept()).toEqual([{ values: 0, converting: {} }])
      await breakOff(from, to, values)
      await apply(data([table('t', { p: to })]))
      const cut = (text: string): string => text.replace(/0+$/, '')
      expect((await texts(values.length)).map(cut)).toEqual(after.map(cut))
      expect(await kept()).toEqual([{ values: 0, converting: {} }])
    })

    it('keep what was written since', async () => {
      await breakOff('string', 'integer', ['01', '02'])
      await database.sql`update ingot.records set properties = '{"p": "new"}' where id = (select min(id) from ingot.records)`
      await apply(data([table('t', { p: 'string' })]))
      expect(await texts(2)).toEqual(['"new"', '"02"'])
    })

    it('get back what they were when the property or the table is not declared any more', async () => {
      for (const next of [data([table('t', {})]), data([])]) {
        await breakOff('string', 'integer', ['01', '02'])
        await database.sql`update ingot.records set deleted_at = now()`
        await apply(next)
        expect(await texts(2)).toEqual(['"01"', '"02"'])
        expect(await kept()).toEqual([{ values: 0, converting: {} }])
        await apply(data([table('t', { p: 'string' })]))
        expect(await texts(2)).toEqual(['"01"', '"02"'])
      }
    })

    it('of users and profiles get back what they were, too', async () => {
      const schema = data([], { age: 'string' }, [table('developer', { level: 'string' })])
      await apply(schema)
      await database.sql`
        with u as (insert into ingot.users (email, slug, properties) values ('a@example.com', 'a', '{"age": 7}') returning id),
          p as (insert into ingot.profiles (user_id, profile_type, properties) select id, 'developer', '{"level": 3}' from u returning id)
        insert into ingot.converted_values (conversion, id, earlier, converted)
        select '["users",null,"age"]', id, '"07"'::jsonb, '7'::jsonb from u
        union all select '["profiles","developer","level"]', id, '"03"', '3' from p`
      const converting = { '["users",null,"age"]': 'integer', '["profiles","developer","level"]': 'integer' }
      await database.sql`update ingot.declared set converting = ${JSON.stringify(converting)}::text::jsonb`
      await apply(schema)
      expect(await database.sql`select properties from ingot.users`).toEqual([{ properties: { age: '07' } }])
      expect(await database.sql`select properties from ingot.profiles`).toEqual([{ properties: { level: '03' } }])
      expect(await kept()).toEqual([{ values: 0, converting: {} }])
    })

    it('become a third type from what they were', async () => {
      await breakOff('string', 'array', ['5', '6'])
      await apply(data([table('t', { p: 'integer' })]))
      expect(await texts(2)).toEqual(['5', '6'])
    })

    it('are undone only where rows are not locked, and wait for the others', async () => {
      await breakOff('string', 'integer', ['01', '02'])
      const other = await connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })
      const { held, ended } = holdFirst(other, 300)
      await held
      await apply(data([table('t', { p: 'string' })]))
      await ended
      await other.end()
      expect(await texts(2)).toEqual(['"01"', '"02"'])
    })
  })

  /** Locks the first row for some milliseconds, and then changes it with `change`. */
  function holdFirst(
    sql: Sql,
    milliseconds: number,
    change: (transaction: TransactionSql) => Promise<unknown> = async () => undefined,
  ): { readonly held: Promise<void>; readonly ended: Promise<void> } {
    let announce = (): void => undefined
    const held = new Promise<void>((resolve) => {
      announce = resolve
    })
    const ended = sql.begin(async (transaction) => {
      await transaction`select from ingot.records where id = (select min(id) from ingot.records) for update`
      announce()
      await sleep(milliseconds)
      await change(transaction)
    })
    return { held, ended }
  }

  it('convert a row that a transaction has held and rewritten meanwhile, and a row that it inserts', async () => {
    const id = (await apply(data([table('t', { p: 'string' })]))).get('t') ?? 0
    await store(id, ['1'])
    const other = await connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })
    const { held, ended } = holdFirst(other, 300, async (transaction) => {
      await transaction`update ingot.records set properties = '{"p": "70"}' where table_id = ${id}`
      await transaction`insert into ingot.records (table_id, properties) values (${id}, '{"p": "5"}')`
      await sleep(200)
    })
    await held
    await apply(data([table('t', { p: 'integer' })]))
    await ended
    await other.end()
    expect(await stored()).toEqual([70, 5])
  })

  it('do not keep servers of the registered declarations waiting', async () => {
    const before = data([table('t', { p: 'string' })])
    const after = data([table('t', { p: 'integer' })])
    await apply(before)
    await store((await apply(before)).get('t'), ['1'])
    const other = await connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })
    const { held, ended } = holdFirst(other, 1_000)
    await held
    const converting = apply(after)
    const begun = () => database.sql`select from ingot.declared where converting <> '{}'`
    await expect.poll(begun).toHaveLength(1)
    const started = performance.now()
    for (const schema of [before, after]) expect((await addSchema(database.sql, schema)).size).toBe(1)
    expect(performance.now() - started).toBeLessThan(900)
    await Promise.all([converting, ended])
    await other.end()
    expect(await stored()).toEqual([1])
  })

  it('are refused without harm when the connection is lost, and are continued by the next start', async () => {
    await apply(data([table('t', { p: 'string' })]))
    await store((await apply(data([table('t', { p: 'string' })]))).get('t'), ['1'])
    const other = await connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })
    const own = await connect(database.url, 'DATABASE_URL', { pool: 2, name: 'converting' })
    const { held, ended } = holdFirst(other, 500)
    await held
    const converting = applyData(own, data([table('t', { p: 'integer' })]))
    const refused = expect(converting).rejects.toThrow()
    await expect.poll(() => database.sql`select from ingot.declared where converting <> '{}'`).toHaveLength(1)
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'converting'`
    await refused
    await ended
    // The first query may meet a connection that was ended.
    await expect.poll(() => own`select 1 as one`.catch(() => [])).toEqual([{ one: 1 }])
    await Promise.all([own.end(), other.end()])
    await apply(data([table('t', { p: 'integer' })]))
    expect(await stored()).toEqual([1])
  })

  it('are written once, also where a number has another text', async () => {
    const id = (await apply(data([table('t', { p: 'string' })]))).get('t')
    await store(id, ['1e-7', '1.50'])
    await database.sql.unsafe(`
      create table ingot.written (id bigint);
      create function ingot.count_writes() returns trigger language plpgsql as $$
        begin insert into ingot.written values (new.id); return null; end $$;
      create trigger count_writes after update on ingot.records for each row execute function ingot.count_writes()`)
    await apply(data([table('t', { p: 'float' })]))
    expect(await stored()).toEqual([1e-7, 1.5])
    expect(await database.sql`select from ingot.written`).toHaveLength(2)
    await database.sql.unsafe(
      'drop trigger count_writes on ingot.records; drop function ingot.count_writes(); drop table ingot.written',
    )
  })

  it('convert the properties of users and of their profiles', async () => {
    await apply(data([], { age: 'string' }, [table('developer', { level: 'integer' })]))
    await database.sql`
      with u as (insert into ingot.users (email, slug, properties) values ('a@example.com', 'a', '{"age": "41"}') returning id)
      insert into ingot.profiles (user_id, profile_type, properties)
      select id, t, '{"level": 3}' from u, unnest(array['developer', 'default']) t`
    await apply(data([], { age: 'integer' }, [table('developer', { level: 'string' })]))
    expect(await database.sql`select properties from ingot.users`).toEqual([{ properties: { age: 41 } }])
    expect(await database.sql`select profile_type as type, properties from ingot.profiles order by 1`).toEqual([
      { type: 'default', properties: { level: 3 } },
      { type: 'developer', properties: { level: '3' } },
    ])
  })
})
