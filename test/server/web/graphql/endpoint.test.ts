/** `POST /api/graph` over HTTP: who may send which operations, the responses, and attacks. */
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { page, site } from '../../../support/server/site.ts'
import { ADMIN, schema, type Served, serve } from './served.ts'

let database: TestDatabase
let served: Served

beforeAll(async () => {
  database = await testDatabase()
  const tables = schema({ item: { title: 'string', price: 'integer', tags: 'array' } })
  served = await serve(site([page('/')], { data: tables }), database.sql, { bodyLimit: 200_000 })
  const create = `mutation($t: String) { record_create(record: { table: "item", properties: [{ name: "title", value: $t }] }) { id } }`
  for (const t of ['one', 'two', 'three'])
    expect((await served.ask(create, { variables: { t } })).json.errors).toBe(undefined)
})
afterAll(async () => {
  await served.close()
  await database.close()
})

const TITLES = `{ records(per_page: 10, filter: { table: { value: "item" } }) { results { title: property(name: "title") } } }`

test('a page size is limited however its number is written', async () => {
  const query = `query($n: Int!) { records(per_page: $n, filter: { table: { value: "item" } }) { results { id } } }`
  for (const n of ['+1000000', '1e6', '1000000.0', 1e6]) {
    const { json } = await served.ask(query, { variables: { n } })
    expect(json, String(n)).toMatchObject({ errors: [{ extensions: { code: 'LIMIT' } }] })
  }
  const { json } = await served.ask(query, { variables: { n: '1e1' } })
  expect(json.errors).toBe(undefined)
})

describe('a token', () => {
  test('is needed: without a valid one nothing is answered', async () => {
    const headers: Record<string, string>[] = [
      { authorization: '' },
      { authorization: 'Token' },
      { authorization: 'Token token=' },
      { authorization: 'Token wrong' },
      { authorization: `Basic ${Buffer.from(`x:${ADMIN}`).toString('base64')}` },
      { authorization: ADMIN },
      { authorization: `Token ${ADMIN}x` },
      { authorization: `Token '; select 1; --` },
    ]
    for (const each of headers) {
      const answer = await served.send(JSON.stringify({ query: TITLES }), each)
      expect(answer.status, each['authorization']).toBe(401)
      expect(answer.headers.get('content-type')).toMatch(/json/)
      expect(JSON.parse(answer.text)).toEqual({ errors: [{ message: expect.stringContaining('token') }] })
      expect(answer.text).not.toContain('three')
    }
  })

  test('is read in both spellings, quoted or not', async () => {
    for (const value of [
      `Token ${ADMIN}`,
      `Token token=${ADMIN}`,
      `Token token="${ADMIN}"`,
      `token TOKEN=${ADMIN}, nonce=1`,
    ]) {
      const answer = await served.send(JSON.stringify({ query: TITLES }), { authorization: value })
      expect(answer.status, value).toBe(200)
      expect(JSON.parse(answer.text)).toEqual({
        data: { records: { results: [{ title: 'one' }, { title: 'two' }, { title: 'three' }] } },
      })
    }
  })

  const CHANGE = `mutation { record_create(record: { table: "item" }) { id } }`
  const forbidden: readonly [string, string, readonly ('read' | 'write' | 'admin')[]][] = [
    ['a query', TITLES, ['read', 'write', 'admin']],
    ['the site’s files', '{ admin_pages { results { slug } } }', ['read', 'write', 'admin']],
    ['a change', CHANGE, ['write', 'admin']],
    ['constants', '{ constants { results { name } } }', ['admin']],
    [
      'a constant in a fragment',
      '{ ...c } fragment c on RootQuery { x: constant(filter: { name: "a" }) { value } }',
      ['admin'],
    ],
    ['a token of a user', '{ users(per_page: 1) { results { temporary_token } } }', ['admin']],
    [
      'another of them, in a change',
      'mutation { user_create(user: { email: "a@example.com" }) { jwt_token } }',
      ['admin'],
    ],
    ['the hash of a password', '{ users(per_page: 1) { results { encrypted_password } } }', ['admin']],
    ['one-time passwords', '{ users(per_page: 1) { results { a: otp { secret } } } }', ['admin']],
    [
      'a check of a password',
      '{ users(per_page: 1) { results { authenticate { password(password: "x") } } } }',
      ['read', 'write', 'admin'],
    ],
    ['a constant that is set', 'mutation { constant_set(name: "a", value: "b") { name } }', ['admin']],
  ]
  test.each(forbidden)('reaches as far as its scope: %s', async (_what, query, allowed) => {
    for (const scope of ['read', 'write', 'admin'] as const) {
      const { status, json } = await served.ask(query, { token: await served.token(scope) })
      expect(status).toBe(200)
      if (allowed.includes(scope)) expect(json.errors, scope).toBe(undefined)
      else
        expect(json.errors?.[0], scope).toMatchObject({
          message: expect.stringContaining('scope'),
          extensions: { code: 'FORBIDDEN' },
        })
    }
  })
})

describe('an answer', () => {
  test('has status 200 also where the query does not hold, and says where it does not', async () => {
    const wrong: readonly [string, RegExp][] = [
      ['{', /expected a name.*missing/i],
      ['', /missing at the end/],
      ['{ recrods { id } }', /recrods/],
      ['{ records(per_page: 5) { results { titel: nothing } } }', /nothing/],
      ['query a { __typename } query b { __typename }', /operation/i],
      ['subscription { records }', /subscription/i],
    ]
    for (const [query, said] of wrong) {
      const { status, json } = await served.ask(query)
      expect(status, query).toBe(200)
      expect(json.data ?? null, query).toBe(null)
      expect(json.errors?.[0]?.message, query).toMatch(said)
    }
    const { json } = await served.ask('{\n  recrods { id }\n}')
    expect(json.errors?.[0]?.['locations']).toEqual([{ line: 2, column: 3 }])
  })

  test('runs the operation that is named', async () => {
    const query = `query a { a: records(per_page: 1) { per_page } } query b { b: records(per_page: 2) { per_page } }`
    expect((await served.ask(query, { operationName: 'b' })).json).toEqual({ data: { b: { per_page: 2 } } })
    expect((await served.ask(query, { operationName: 'c' })).json.errors?.[0]?.message).toMatch(/c/)
  })

  test('knows no visitor', async () => {
    expect((await served.ask('{ current_user { id } }')).json).toEqual({ data: { current_user: null } })
  })

  test('describes itself to tools', async () => {
    const { json } = await served.ask(getIntrospectionQuery())
    expect(json.errors).toBe(undefined)
    expect(JSON.stringify(json.data)).toContain('RecordsFilterInput')
    const nested = `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`
    expect((await served.ask(nested)).json.errors?.[0]?.message).toMatch(/introspection/i)
  })

  test('is never kept by anyone', async () => {
    const answer = await served.send(JSON.stringify({ query: TITLES }))
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('a body', () => {
  test('that is no request is refused in a sentence', async () => {
    const wrong: readonly [string | Uint8Array, RegExp][] = [
      ['', /empty/],
      ['{', /not JSON/],
      ['query { a }', /not JSON/],
      [new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), /not JSON/],
      ['null', /object/],
      ['"text"', /object/],
      ['[]', /Batches are not supported/],
      [JSON.stringify([{ query: TITLES }, { query: TITLES }]), /Batches are not supported/],
      ['{}', /no `query`/],
      ['{"query": 5}', /no `query`/],
      ['{"query": ["{ a }"]}', /no `query`/],
      ['{"query": "{ a }", "variables": "x"}', /`variables`/],
      ['{"query": "{ a }", "variables": [1]}', /`variables`/],
      ['{"query": "{ a }", "operationName": {}}', /`operationName`/],
      [`{"query": "{ a }", "variables": {"a": ${'['.repeat(5_000)}${']'.repeat(5_000)}}}`, /64 levels/],
    ]
    for (const [body, said] of wrong) {
      const answer = await served.send(body)
      expect(answer.status, String(body).slice(0, 60)).toBe(400)
      expect(JSON.parse(answer.text).errors[0].message).toMatch(said)
    }
  })

  test('that is too large is refused', async () => {
    const answer = await served.send(JSON.stringify({ query: `{ a } # ${'x'.repeat(300_000)}` }))
    expect(answer.status).toBe(413)
  })

  test('may name what objects have of themselves: no variable reaches a prototype', async () => {
    const query = `query($f: RecordsFilterInput) { records(per_page: 5, filter: $f) { total_entries } }`
    for (const variables of [
      '{"__proto__": {"f": 1}}',
      '{"f": {"__proto__": {"table": {"value": "item"}}}}',
      '{"constructor": {"prototype": {"f": 1}}}',
    ]) {
      const answer = await served.send(`{"query": ${JSON.stringify(query)}, "variables": ${variables}}`)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toMatch(/"total_entries":0/)
    }
    expect(({} as Record<string, unknown>)['f']).toBe(undefined)
  })
})

describe('limits', () => {
  test('each is a clear sentence, and nothing runs', async () => {
    const deep = `{ records(per_page: 1) { results ${'{ related_records(join_on_property: "id", foreign_property: "x") '.repeat(19)}{ id }${' }'.repeat(19)} } }`
    const wrong: readonly [string, RegExp][] = [
      [deep, /levels/],
      [`{ records(per_page: 1) { results { ${Array.from({ length: 2_000 }, () => 'id').join(' ')} } } }`, /fields/],
      [
        `{ records(per_page: 1) { results { ${Array.from({ length: 501 }, (_, at) => `a${at}: id`).join(' ')} } } }`,
        /aliases/,
      ],
      ['{ records(per_page: 1000000) { results { id } } }', /1,000,000 rows/],
    ]
    for (const [query, said] of wrong) {
      const { status, json } = await served.ask(query)
      expect(status).toBe(200)
      expect(json.errors).toEqual([{ message: expect.stringMatching(said), extensions: { code: 'LIMIT' } }])
    }
  })

  test('many fields of one name are answered soon, or refused', async () => {
    const started = performance.now()
    const same = (count: number): string => Array.from({ length: count }, () => 'id').join(' ')
    expect((await served.ask(`{ records(per_page: 1) { results { ${same(300)} } } }`)).json.errors).toBe(undefined)
    expect((await served.ask(`{ records(per_page: 1) { results { ${same(1_990)} } } }`)).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('other methods', () => {
  test('OPTIONS names what is answered; the rest are pages, of which there is none', async () => {
    const options = await fetch(`${served.url}/api/graph`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'OPTIONS, POST'])
    expect(options.headers.get('access-control-allow-origin')).toBe(null)
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
      const answer = await fetch(`${served.url}/api/graph?query={__typename}`, {
        method,
        headers: { authorization: `Token ${ADMIN}` },
      })
      expect(answer.status, method).toBe(404)
    }
  })
})

describe('hostile values', () => {
  const HOSTILE = [
    `'; drop table ingot.records; --`,
    `' or '1'='1`,
    `\\'; select pg_sleep(5); --`,
    `$1`,
    `\u0000`,
    `"}'::jsonb`,
    `__proto__`,
    `item' union select 1 --`,
    '\ud800',
    'x'.repeat(50_000),
  ]

  test('in every place of a query give an error or nothing, never SQL of theirs', async () => {
    const filter = `query($v: String!) { records(per_page: 5, filter: { table: { value: "item" }, or: [{ external_id: { value: $v } }, { properties: [{ name: "title", value: $v }] }] }) { total_entries } }`
    const table = `query($v: String!) { records(per_page: 5, filter: { table: { value: $v } }) { total_entries } }`
    const name = `query($v: String!) { records(per_page: 5, filter: { table: { value: "item" }, properties: [{ name: $v, value: "x" }] }) { total_entries } }`
    const sort = `query($v: String!) { records(per_page: 5, filter: { table: { value: "item" } }, sort: [{ properties: [{ name: $v, order: ASC }] }]) { total_entries results { id } } }`
    const id = `query($v: ID!) { records(per_page: 5, filter: { id: { value: $v } }) { total_entries } }`
    const read = `query($v: String!) { records(per_page: 5, filter: { table: { value: "item" } }) { results { property(name: $v) } } }`
    for (const query of [filter, table, name, sort, id, read]) {
      for (const v of HOSTILE) {
        const { status, json } = await served.ask(query, { variables: { v } })
        expect(status).toBe(200)
        // The response may repeat the sent value.
        const text = JSON.stringify(json.errors?.map(({ message }) => message.replace(v, '')) ?? json.data)
        expect(text, `${query} with ${v.slice(0, 40)}`).not.toMatch(
          /syntax error|ingot\.records|relation|json_build|select /i,
        )
        const [left] = await database.sql`select count(*)::int as count from ingot.records`
        expect(left?.['count']).toBeGreaterThan(2)
      }
    }
    expect(served.logged.filter(({ level, code }) => Number(level) >= 50 && code !== undefined)).toEqual([])
  })

  test('in records are kept as they are', async () => {
    const create = `mutation($v: String!) { record_create(record: { table: "item", properties: [{ name: "title", value: $v }] }) { property(name: "title") } }`
    for (const v of HOSTILE.filter((text) => !/[\0\ud800]/.test(text))) {
      expect((await served.ask(create, { variables: { v } })).json).toEqual({
        data: { record_create: { property: v } },
      })
    }
    expect((await served.ask(create, { variables: { v: 'a\0b' } })).json.errors?.[0]?.message).toMatch(/character|NUL/i)
  })
})

describe('a variable of a program', () => {
  test('that is absent changes nothing, null clears, and null is no default', async () => {
    const ask = async (query: string, variables: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const { json } = await served.ask(query, { variables })
      expect(json.errors).toBe(undefined)
      return json.data?.['r'] as Record<string, unknown>
    }
    const made = await ask(
      'mutation { r: record_create(record: { table: "item", properties: [{ name: "title", value: "a" }, { name: "price", value_int: 1 }] }) { id } }',
      {},
    )
    const update = `mutation($id: ID!, $t: String, $p: Int = 5) {
      r: record_update(id: $id, record: { properties: [{ name: "title", value: $t }, { name: "price", value_int: $p }] }) { properties }
    }`
    const { id } = made
    expect(await ask(update, { id })).toEqual({ properties: { title: 'a', price: 5, tags: [] } })
    expect(await ask(update, { id, t: null, p: null })).toEqual({ properties: { title: null, price: null, tags: [] } })
  })
})
