/** `transaction` and `rollback` in templates of sites that are served with a real database, and the state of its connections afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { page } from '../../../support/server/site.ts'
import { type Door, openDoor } from './door.ts'
import { type Served, serve } from './served.ts'

/** The templates of the pages, by name. */
const PAGES: Readonly<Record<string, string>> = {
  kept: `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% graphql b = 'items/create', title: 'b' %}
      {% graphql seen = 'items/count' %}
      {% background job = 'note', title: 'c' %}
    {% endtransaction %}
    {{ seen.records.total_entries }} {% if a.record_create.id and job != blank %}made{% endif %}`,
  'rolled-back': `
    {% assign mark = 'before' %}
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% background job = 'note', title: 'c' %}
      {% assign mark = a.record_create.id %}
      {% try %}{% render 'undo' %}{% catch %}caught{% endtry %}
      {% assign mark = 'after' %}
    {% endtransaction %}
    {% if mark == a.record_create.id %}on{% endif %} {% graphql seen = 'items/count' %}{{ seen.records.total_entries }}`,
  failing: `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% background job = 'note', title: 'c' %}
      {% function x = 'fails' %}
    {% endtransaction %}
    behind`,
  caught: `
    {% try %}
      {% transaction %}
        {% graphql a = 'items/create', title: 'a' %}
        {% function x = 'fails' %}
      {% endtransaction %}
    {% catch error %}{{ error.message }}{% endtry %}
    {% graphql b = 'items/create', title: 'b' %}`,
  'inner-catch': `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% try %}{% function x = 'fails' %}{% catch %}caught{% endtry %}
      {% graphql b = 'items/create', title: 'b' %}
    {% endtransaction %}`,
  'bad-mutation': `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% try %}{% graphql bad = 'items/pair', price: context.params.price %}{% catch error %}{% assign said = error.message %}{% endtry %}
      {% graphql b = 'items/create', title: 'b' %}
    {% endtransaction %}
    {{ bad.errors.size }}{{ said }}`,
  'bad-read': `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% try %}{% graphql bad = 'users/slow' %}{% catch error %}{% assign said = error.message %}{% endtry %}
      {% graphql seen = 'items/count' %}
    {% endtransaction %}
    {{ seen.records.total_entries }} {{ bad.errors[0].message }}{{ said }}`,
  late: `
    {% transaction timeout: 0.3 %}
      {% graphql a = 'items/create', title: 'a' %}
      {% background job = 'note', title: 'c' %}
      {% graphql locked = 'items/rename', id: context.params.id %}
      {% graphql b = 'items/create', title: 'b' %}
    {% endtransaction %}
    behind`,
  'late-caught': `
    {% try %}
      {% transaction timeout: 0.3 %}
        {% graphql a = 'items/create', title: 'a' %}
        {% try %}{% graphql locked = 'items/rename', id: context.params.id %}{% catch %}inner{% endtry %}
        {% try %}{% graphql b = 'items/create', title: 'b' %}{% catch %}inner{% endtry %}
      {% endtransaction %}
    {% catch error %}{{ error.message }}{% endtry %}
    {% graphql c = 'items/create', title: 'c' %}`,
  nested: `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% transaction %}{% graphql b = 'items/create', title: 'b' %}{% endtransaction %}
      {% graphql seen = 'items/count' %}
    {% endtransaction %}
    {{ seen.records.total_entries }}`,
  'nested-rollback': `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% transaction %}{% graphql b = 'items/create', title: 'b' %}{% rollback %}{% endtransaction %}
      {% assign reached = 'reached' %}
    {% endtransaction %}
    {{ reached }} behind`,
  'nested-caught': `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% try %}
        {% transaction %}{% graphql b = 'items/create', title: 'b' %}{% function x = 'fails' %}{% endtransaction %}
      {% catch %}{% endtry %}
      {% graphql c = 'items/create', title: 'c' %}
    {% endtransaction %}`,
  'nested-late': `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% try %}
        {% transaction timeout: 0.2 %}
          {% graphql b = 'items/create', title: 'b' %}
          {% graphql locked = 'items/rename', id: context.params.id %}
        {% endtransaction %}
      {% catch error %}{{ error.message }}{% endtry %}
      {% graphql c = 'items/create', title: 'c' %}
    {% endtransaction %}`,
  caller: `{% transaction %}{% graphql a = 'items/create', title: 'a' %}{% render 'deep', n: 5 %}{% endtransaction %}{% render 'down', n: 97 %}`,
  loop: `
    {% for n in (1..3) %}
      {% transaction %}
        {% assign title = 'n' | append: n %}
        {% graphql a = 'items/create', title: title %}
        {% if n == 2 %}{% break %}{% endif %}
      {% endtransaction %}
    {% endfor %}`,
  constants: `
    {% transaction %}
      {% graphql a = 'constants/set', value: context.params.value %}
      {% if context.params.undo %}{% rollback %}{% endif %}
    {% endtransaction %}
    {{ context.constants.KEY }}`,
  slow: `
    {% transaction %}
      {% graphql a = 'items/create', title: 'a' %}
      {% graphql locked = 'items/rename', id: context.params.id %}
      {% graphql b = 'items/create', title: 'b' %}
    {% endtransaction %}
    behind {{ locked.errors }}`,
  count: `
    {% transaction timeout: 60 %}
      {% graphql before = 'items/count' %}
      {% graphql a = 'items/create', title: context.params.title %}
      {% graphql b = 'items/create', title: context.params.title %}
      {% background job = 'note', title: context.params.title %}
      {% if context.params.undo %}{% rollback %}{% endif %}
    {% endtransaction %}done`,
  'bad-time': `{% transaction timeout: context.params.time %}{% graphql a = 'items/create', title: 'a' %}{% endtransaction %}`,
  many: `
    {% transaction %}
      {% for n in (1..200) %}{% graphql a = 'items/create', title: 'x' %}{% graphql seen = 'items/count' %}{% endfor %}
    {% endtransaction %}{{ seen.records.total_entries }}`,
}

const PARTIALS: Readonly<Record<string, string>> = {
  note: `{% log title %}`,
  undo: `{% rollback %}`,
  fails: `{% assign x = 1 | divided_by: 0 %}{% return x %}`,
  down: `{% if n > 0 %}{% assign m = n | minus: 1 %}{% render 'down', n: m %}{% endif %}`,
  deep: `{% if n > 0 %}{% assign m = n | minus: 1 %}{% render 'deep', n: m %}{% elsif context.params.undo %}{% rollback %}{% endif %}`,
}

const OPERATIONS: Readonly<Record<string, string>> = {
  'items/create': `mutation($title: String!) { record_create(record: { table: "item", properties: [{ name: "title", value: $title }] }) { id } }`,
  'items/pair': `mutation($price: String) {
    a: record_create(record: { table: "item", properties: [{ name: "title", value: "pair" }] }) { id }
    b: record_create(record: { table: "item", properties: [{ name: "title", value: "pair" }, { name: "price", value: $price }] }) { id }
  }`,
  'items/count': `query { records(per_page: 1, filter: { table: { value: "item" } }) { total_entries } }`,
  'users/slow': `query { users(per_page: 1, options: { timeout: 1 }) { total_entries } }`,
  'items/rename': `mutation($id: ID!) { record_update(id: $id, record: { properties: [{ name: "title", value: "renamed" }] }) { id } }`,
  'constants/set': `mutation($value: String!) { constant_set(name: "KEY", value: $value) { name } }`,
}

function files(raise: boolean): Record<string, string> {
  const named = (folder: string, extension: string, all: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(all).map(([name, text]) => [`app/${folder}/${name}.${extension}`, text])
  return {
    'app/config.yml': `liquid_raise_mode: ${raise}\n`,
    'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n  - name: price\n    type: integer\n',
    ...Object.fromEntries(named('views/pages', 'liquid', PAGES)),
    ...Object.fromEntries(named('views/partials', 'liquid', PARTIALS)),
    ...Object.fromEntries(named('graphql', 'graphql', OPERATIONS)),
  }
}

let database: TestDatabase
let raising: LiquidSite
let printing: LiquidSite
let served: Served
/** The faults that pages have reported. */
const faults: unknown[] = []
let quiet: Served

beforeAll(async () => {
  database = await testDatabase()
  raising = await liquidSite(files(true))
  printing = await liquidSite(files(false))
  const outside = page('outside', { render: (r) => r.port('transactions', 'rollback').rollback() })
  const overdue = page('overdue', {
    async render(r) {
      try {
        await r.port('transactions', 'transaction').run({ timeout: 0.1 }, () => sleep(300))
      } catch (error) {
        faults.push(error)
      }
      return ''
    },
  })
  served = await serve(
    { ...raising.loaded.site, pages: [...raising.loaded.site.pages, outside, overdue] },
    database.sql,
  )
  quiet = await serve(printing.loaded.site, database.sql)
})
afterAll(async () => {
  await served.close()
  await quiet.close()
  raising.close()
  printing.close()
  await database.close()
})
beforeEach(async () => {
  await database.sql`delete from ingot.records`
  await database.sql`delete from ingot.constants`
  await database.sql`delete from graphile_worker._private_jobs`
  await served.graphql.constants.reload()
})
afterEach(async () => {
  // No transaction is left open after any test.
  const open = await database.sql`
    select pid, state, query from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`
  expect([...open]).toEqual([])
})

async function get(name: string, from: Served = served): Promise<{ status: number; text: string }> {
  const { status, text } = await from.page(`/${name}`)
  return { status, text: text.replace(/\s+/g, ' ').trim() }
}

async function titles(): Promise<string[]> {
  const rows = await database.sql<
    { title: string }[]
  >`select properties ->> 'title' as title from ingot.records where deleted_at is null order by id`
  return rows.map(({ title }) => title)
}

async function queued(): Promise<unknown[]> {
  const rows = await database.sql`select label, arguments, host, user_id from ingot.jobs order by id`
  return rows.map((row) => ({ ...row }))
}

/** Runs `body` while another transaction has locked a row. */
async function whileLocked<T>(body: (id: string) => Promise<T>): Promise<T> {
  const id = (await served.ask('mutation { record_create(record: { table: "item" }) { id } }')).json.data?.[
    'record_create'
  ] as { id: string }
  return (await database.sql.begin(async (other) => {
    await other`select 1 from ingot.records where id = ${id.id} for update`
    return body(id.id)
  })) as T
}

/** Returns the message of the last error in the log. */
function lastError(from: Served = served): string {
  const errors = from.logged.filter(({ level }) => Number(level) >= 50)
  return String(errors.at(-1)?.['msg'])
}

describe('a transaction', () => {
  it('keeps all of its work, sees it, and queues its jobs at the end', async () => {
    expect(await get('kept')).toEqual({ status: 200, text: '2 made' })
    expect(await titles()).toEqual(['a', 'b'])
    expect(await queued()).toEqual([
      { label: 'note', arguments: { title: 'c' }, host: served.url.replace('http://', ''), user_id: null },
    ])
  })

  it('is undone by `rollback` in a partial and in a `try`, keeps its variables, and goes on behind it', async () => {
    for (const from of [served, quiet]) expect(await get('rolled-back', from)).toEqual({ status: 200, text: 'on 0' })
    expect(await queued()).toEqual([])
  })

  it('is undone by an error, which goes on', async () => {
    expect((await get('failing')).status).toBe(500)
    expect(lastError()).toContain('divided by 0')
    expect(await titles()).toEqual([])
    expect(await queued()).toEqual([])
  })

  it('fails into a `try` around it, behind which work is work again', async () => {
    for (const from of [served, quiet]) {
      await database.sql`delete from ingot.records`
      expect((await get('caught', from)).text).toMatch(/^Liquid error.*divided by 0$/)
      expect(await titles()).toEqual(['b'])
    }
  })

  it('goes on where a `try` inside catches', async () => {
    for (const from of [served, quiet]) {
      await database.sql`delete from ingot.records`
      expect((await get('inner-catch', from)).text).toBe('caught')
      expect(await titles()).toEqual(['a', 'b'])
    }
  })

  it('outlives an operation that fails in the database, all of which is undone', async () => {
    for (const from of [served, quiet]) {
      await database.sql`delete from ingot.records`
      const { status, text } = await get('bad-mutation?price=99999999999999999999999999999', from)
      expect({ status, said: text !== '' }).toEqual({ status: 200, said: true })
      expect(await titles()).toEqual(['a', 'b'])
    }
  })

  it('outlives a query that fails', async () => {
    for (const from of [served, quiet]) {
      await database.sql`delete from ingot.records`
      await database.sql.begin(async (other) => {
        await other`lock table ingot.users in access exclusive mode`
        expect((await get('bad-read', from)).text).toMatch(/^1 .*The query took too long and was stopped/)
      })
      expect(await titles()).toEqual(['a'])
    }
  })

  it('is kept when a `break` leaves it, and the loop ends', async () => {
    await get('loop')
    expect(await titles()).toEqual(['n1', 'n2'])
  })

  it('leaves the depth of partials as it was when it is rolled back in the middle of some', async () => {
    expect((await get('caller?undo=1')).status).toBe(200)
    expect(await titles()).toEqual([])
  })

  it('can be long', async () => {
    expect((await get('many')).text).toBe('200')
    expect((await titles()).length).toBe(200)
  })

  it('tells other processes of constants only when it is kept', async () => {
    expect((await get('constants?value=one&undo=1')).text).toBe('')
    expect(served.graphql.constants.all()).toEqual({})
    expect((await get('constants?value=two')).text).toBe('two')
    await expect.poll(() => quiet.graphql.constants.all()['KEY']).toBe('two')
  })

  it('needs a time that is one', async () => {
    for (const time of ['abc', '-1', '0', '1e999', 'x'.repeat(500)]) {
      expect((await get(`bad-time?time=${time}`)).status, time).toBe(500)
      expect(lastError()).toContain('transaction tag - timeout must be')
    }
    expect(await titles()).toEqual([])
    expect((await get('bad-time?time=%205.5%20')).status).toBe(200)
    expect(await titles()).toEqual(['a'])
  })
})

describe('rollback', () => {
  it('outside of a transaction is an error', async () => {
    expect((await get('outside')).status).toBe(500)
    expect(lastError()).toContain('rollback performed outside of transaction')
  })
})

describe('a transaction in another', () => {
  it('joins it', async () => {
    expect(await get('nested')).toEqual({ status: 200, text: '2' })
    expect(await titles()).toEqual(['a', 'b'])
  })

  it('undoes and ends both by `rollback`', async () => {
    expect(await get('nested-rollback')).toEqual({ status: 200, text: 'behind' })
    expect(await titles()).toEqual([])
  })

  it('undoes its own work where its error is caught', async () => {
    for (const from of [served, quiet]) {
      await database.sql`delete from ingot.records`
      expect((await get('nested-caught', from)).status).toBe(200)
      expect(await titles()).toEqual(['a', 'c'])
    }
  })

  it('has its own time', async () => {
    await whileLocked(async (id) => {
      const { text } = await get(`nested-late?id=${id}`)
      expect(text).toContain('the transaction exceeded its timeout of 0.2 seconds and was rolled back')
    })
    expect(await titles()).toEqual([null, 'a', 'c'])
  })
})

describe('time', () => {
  it('ends a transaction, and all of it is undone', async () => {
    await whileLocked(async (id) => {
      // Without a timeout, the page would wait for the lock, which is held until the page has responded.
      expect((await get(`late?id=${id}`)).status).toBe(500)
      expect(lastError()).toContain('the transaction exceeded its timeout of 0.3 seconds and was rolled back')
      expect((await get(`late?id=${id}`, quiet)).text).toMatch(
        /exceeded its timeout of 0.3 seconds and was rolled back behind$/,
      )
    })
    expect(await titles()).toEqual([null])
    expect(await queued()).toEqual([])
  })

  it('fails with a stack that leads to the template', async () => {
    await get('overdue')
    const [fault] = faults.splice(0)
    expect(fault).toMatchObject({ message: 'the transaction exceeded its timeout of 0.1 seconds and was rolled back' })
    expect((fault as Error).stack).toMatch(/transactions\.test\.ts:\d+/)
  })

  it('is not caught inside, and is caught outside', async () => {
    await whileLocked(async (id) => {
      for (const from of [served, quiet])
        expect((await get(`late-caught?id=${id}`, from)).text).toMatch(
          /^Liquid error.*exceeded its timeout of 0.3 seconds/,
        )
    })
    expect(await titles()).toEqual([null, 'c', 'c'])
  })
})

describe('many at once', () => {
  it('wait for their turn, and all are kept or undone as a whole', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, n) => get(`count?title=t${n}${n % 4 === 0 ? '&undo=1' : ''}`)),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 done']))
    const counts = new Map<string, number>()
    for (const title of await titles()) counts.set(title, (counts.get(title) ?? 0) + 1)
    expect(counts.size).toBe(150)
    expect(new Set(counts.values())).toEqual(new Set([2]))
    expect((await queued()).length).toBe(150)
  })
})

describe('a lost connection', () => {
  let door: Door
  let sql: Sql
  let other: Served

  beforeAll(async () => {
    door = await openDoor(database.url)
    sql = createClient({ ...readDatabaseUrl(database.url, 'DATABASE_URL'), ...door.address }, { pool: 5, name: 'door' })
    other = await serve(raising.loaded.site, sql)
  })
  afterAll(async () => {
    await other.close()
    await sql.end({ timeout: 1 })
    await door.close()
  })

  /** Returns the ids of the database processes that wait for a lock in the transaction of a page. */
  async function waiting(): Promise<number[]> {
    const rows = await database.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return rows.map(({ pid }) => pid)
  }

  it('that the server ended leaves nothing behind, and the pool whole', async () => {
    for (let round = 0; round < 5; round++) {
      await database.sql`delete from ingot.records`
      await whileLocked(async (id) => {
        const asked = get(`slow?id=${id}`)
        await expect.poll(waiting).toHaveLength(1)
        await database.sql`select pg_terminate_backend(${(await waiting())[0]!})`
        expect((await asked).status).toBe(503)
        expect(lastError()).toContain('the connection to the database was lost during the transaction')
      })
      expect(await titles()).toEqual([null])
    }
    const replies = await Promise.all(Array.from({ length: 20 }, () => get('kept')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('that broke on the way does so too', async () => {
    expect((await get('kept', other)).status).toBe(200)
    await whileLocked(async (id) => {
      const before = await titles()
      const asked = get(`slow?id=${id}`, other)
      await expect.poll(waiting).toHaveLength(1)
      door.cut()
      expect((await asked).status).toBe(503)
      expect(await titles()).toEqual(before)
    })
    await expect.poll(async () => (await get('kept', other)).status).toBe(200)
    const replies = await Promise.all(Array.from({ length: 20 }, () => get('kept', other)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('to a database that does not answer ends with the time of the transaction', async () => {
    expect((await get('kept', other)).status).toBe(200)
    await whileLocked(async (id) => {
      const asked = get(`late?id=${id}`, other)
      await expect.poll(waiting).toHaveLength(1)
      door.freeze(true)
      const begun = performance.now()
      expect((await asked).status).toBeGreaterThanOrEqual(500)
      expect(performance.now() - begun).toBeLessThan(30_000)
      door.freeze(false)
      door.cut()
    })
    await sleep(100)
    await expect.poll(async () => (await get('kept', other)).status).toBe(200)
  })
})

it('repeats the mutations of an operation that conflict with those of another one', async () => {
  const create = async (): Promise<string> => {
    const { data } = (await served.ask('mutation { made: record_create(record: { table: "item" }) { id } }')).json
    return String(Object(data?.['made']).id)
  }
  const [a, b] = [await create(), await create()]
  // The included PostgreSQL finds a deadlock after a second.
  const cross = (first: string, second: string) => {
    const add = (id: string) =>
      `record_update(id: "${id}", record: { properties: [{ name: "price", increment: 1 }] }) { id }`
    return served.ask(`mutation { x: ${add(first)} y: ${add(second)} }`)
  }
  const sent = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? cross(a, b) : cross(b, a)))
  for (const { json } of await Promise.all(sent)) expect(json.errors).toBeUndefined()
  const rows = await database.sql`select properties->'price' as price from ingot.records where id in (${a}, ${b})`
  // Each update was made once.
  expect(rows.map(({ price }) => price)).toEqual([20, 20])
}, 60_000)
