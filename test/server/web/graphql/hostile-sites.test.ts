/** Other sites that answer `remote_records` slowly, with too much, with something else, or not at all. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bodyOf, createTestServers } from '../../core/net/test-servers.ts'
import { type GraphqlResult, type ListeningSite, listeningSite } from './listening-site.ts'

const TOKEN = 'a-token-that-nobody-may-read'
const MAIN: Readonly<Record<string, string>> = {
  'app/schema/child.yml':
    'name: child\nproperties:\n  - name: title\n  - name: ids\n    type: array\n  - name: other\n    type: integer\n',
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const servers = createTestServers()
const asked: { url: string; token: unknown; body: string }[] = []
let answer: Answer = (_request, response) => response.end('[]')
let origin = ''
let main: ListeningSite

beforeAll(async () => {
  origin = await servers.http(async (request, response) => {
    const body = (await bodyOf(request)).toString()
    asked.push({ url: request.url ?? '', token: request.headers['authentication-token'], body })
    answer(request, response)
  })
  main = await listeningSite(MAIN, ['127.0.0.1'])
  await main.run(
    `mutation { a: record_create(record: { table: "child", properties: [{ name: "title", value: "a" }, { name: "ids", value_array: ["1", "2"] }, { name: "other", value_int: 7 }] }) { id }
                b: record_create(record: { table: "child", properties: [{ name: "title", value: "b" }, { name: "ids", value_array: ["2"] }] }) { id } }`,
  )
})
afterAll(async () => {
  await servers.close()
  await main?.close()
})
beforeEach(() => {
  asked.length = 0
})

const FIELDS = 'id email: property(name: "email") n: property_int(name: "n")'

/** Asks for the objects of all rows, in the order of their titles. */
function ask(fields = FIELDS, join = 'ids', url = `${origin}/rows.json`): Promise<GraphqlResult> {
  return main.run(
    `{ records(per_page: 5, sort: [{ properties: [{ name: "title", order: ASC }] }], filter: { table: { value: "child" }, properties: [{ name: "title", value_in: ["a", "b"] }] }) { results { remote_records(endpoint: { url: "${url}", token: "${TOKEN}" }, join_on_property: "${join}") { ${fields} } } } }`,
  )
}

function lists({ records }: GraphqlResult): unknown {
  return records?.results.map((row: { remote_records: unknown }) => row.remote_records)
}

function says(json: unknown): Answer {
  return (_request, response) => response.end(typeof json === 'string' ? json : JSON.stringify(json))
}

describe('an answer that is none', () => {
  const CASES: readonly (readonly [title: string, answer: Answer, message: string])[] = [
    ['is an error', (_request, response) => response.writeHead(503).end('[]'), 'answered with status 503.'],
    ['is empty', (_request, response) => response.writeHead(204).end(), 'answered with something that is not JSON.'],
    ['is HTML', says('<html></html>'), 'answered with something that is not JSON.'],
    ['is half of a list', says('[{"id":1},'), 'answered with something that is not JSON.'],
    ['is a text', says('"1"'), 'neither a list of objects nor an object with `results`.'],
    ['is null', says('null'), 'neither a list of objects nor an object with `results`.'],
    ['is a list of numbers', says([1, 2]), 'neither a list of objects nor an object with `results`.'],
    ['is a list of lists', says([[{ id: 1 }]]), 'neither a list of objects nor an object with `results`.'],
    ['is an object', says({ records: [{ id: '1' }] }), 'neither a list of objects nor an object with `results`.'],
    ['has results that are no list', says({ results: { id: '1' } }), 'neither a list of objects nor an object with'],
    [
      'is nested too deep',
      says(`[{"id":1,"properties":{"n":${'['.repeat(200_000)}${']'.repeat(200_000)}}}]`),
      'nested deeper than 100 levels.',
    ],
    [
      'redirects to the own network',
      (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
      'answered with a redirect (status 302). Check the token, and give the final address.',
    ],
    ['breaks off', (request) => void request.socket.resetAndDestroy(), 'could not be asked: the connection was reset.'],
    [
      'breaks off in the middle',
      (request, response) => {
        response.writeHead(200, { 'content-length': 1_000 })
        response.write('[{"id":', () => setTimeout(() => request.socket.resetAndDestroy(), 20))
      },
      'could not be asked: the connection was',
    ],
    [
      'never ends',
      (_request, response) => {
        const pour = setInterval(() => response.write(`"${'x'.repeat(1_000_000)}",`), 1)
        response.once('close', () => clearInterval(pour))
      },
      'could not be asked: the response is larger than 10000000 bytes.',
    ],
    [
      'announces too much',
      (_request, response) => response.writeHead(200, { 'content-length': 20_000_000 }).end('['),
      'larger than',
    ],
  ]

  test.each(CASES)('%s', async (_title, given, message) => {
    answer = given
    const result = await ask()
    expect(lists(result)).toEqual([null, null])
    expect(result.errors).toHaveLength(1)
    expect(result.errors[0]).toMatchObject({
      message: expect.stringContaining(message),
      path: ['records', 'results', 0, 'remote_records'],
      locations: [{ line: 1, column: expect.any(Number) }],
    })
    expect(result.errors[0].message).toContain(`The site ${origin} `)
    expect(JSON.stringify(result)).not.toContain(TOKEN)
    expect(main.log()).not.toContain(TOKEN)
    expect(asked.every(({ token }) => token === TOKEN)).toBe(true)
  })

  test('does not come in time', async () => {
    answer = () => undefined
    const result = await main.run(
      `{ records(per_page: 5, options: { timeout: 1 }, filter: { table: { value: "child" } }) { results { remote_records(endpoint: { url: "${origin}/slow.json" }, join_on_property: "ids") { id } } } }`,
    )
    expect(lists(result)).toEqual([null, null])
    expect(result.errors[0].message).toMatch(/^The site .* could not be asked: no answer within (?:1|0\.9\d*) s\.$/)
  })

  test('comes from nowhere, or from a place that is not allowed', async () => {
    answer = says([])
    const messages = []
    for (const url of [
      'http://127.0.0.1:1/x.json',
      'http://10.0.0.7/x.json',
      'http://[::1]/x.json',
      'ftp://a.example/x',
      'x',
      '',
    ])
      messages.push((await ask('id', 'ids', url)).errors[0].message)
    expect(messages).toEqual([
      'The site http://127.0.0.1:1 could not be asked: nothing listens at this address.',
      ...['http://10.0.0.7', 'http://[::1]'].map(
        (host) =>
          `The site ${host} could not be asked: this site is not allowed to connect to its address. Allow hosts of the private network in INGOT_OUTGOING.`,
      ),
      'The site ftp://a.example could not be asked: its URL does not begin with http:// or https://.',
      "The site 'x' could not be asked: its URL is not valid.",
      "The site '' could not be asked: its URL is not valid.",
    ])
    expect(asked).toEqual([])
  })

  test('is not asked for with a token that no header can contain', async () => {
    const result = await main.run(
      `query($token: String) { records(per_page: 5, filter: { table: { value: "child" } }) { results { remote_records(endpoint: { url: "${origin}/x", token: $token }, join_on_property: "ids") { id } } } }`,
      { token: 'secret\r\nx-injected: 1' },
    )
    expect(result.errors[0].message).toBe(
      `The site ${origin} could not be asked: a header contains characters that cannot be sent.`,
    )
    expect(asked).toEqual([])
  })

  test('is the answer of one of two sites: the other site is shown', async () => {
    answer = (request, response) =>
      request.url?.startsWith('/bad') ? response.writeHead(500).end() : response.end('[{"id":"2"}]')
    const result = await main.run(
      `{ records(per_page: 1, filter: { table: { value: "child" } }) { results { good: remote_records(endpoint: { url: "${origin}/good" }, join_on_property: "ids") { id } bad: remote_records(endpoint: { url: "${origin}/bad" }, join_on_property: "ids") { id } } } }`,
    )
    expect(result.records.results).toEqual([{ good: [{ id: '2' }], bad: null }])
    expect(result.errors).toMatchObject([{ path: ['records', 'results', 0, 'bad'] }])
  })
})

describe('an answer with wrong parts', () => {
  test('has null where a value has another type', async () => {
    answer = says([
      { id: 1, properties: { n: '12.9', email: { a: 1 } } },
      { id: '2', properties: { n: 'many', email: ['x'] } },
      { id: ['1'], properties: {} },
      { id: { toString: 1 } },
      { id: null, properties: null },
      {},
    ])
    const result = await ask(`${FIELDS} table user_id created: property(name: "created")`)
    expect(result.errors).toBeUndefined()
    const none = { table: null, user_id: null, created: null }
    const second = { id: '2', email: '["x"]', n: null, ...none }
    expect(lists(result)).toEqual([[{ id: '1', email: '{"a":1}', n: 12, ...none }, second], [second]])
  })

  test('cannot reach a prototype', async () => {
    answer = says(
      '[{"id":"2","__proto__":{"table":"polluted","properties":{"email":"polluted"}},"properties":{"__proto__":{"email":"polluted"},"n":1,"constructor":"c"}}]',
    )
    const result = await ask(
      `${FIELDS} table properties proto: property_object(name: "__proto__") constructor: property(name: "constructor") none: property(name: "toString") some: properties(select: [{ name: "__proto__", attribute_type: object }])`,
    )
    expect(result.errors).toBeUndefined()
    const [row] = result.records.results[1].remote_records
    expect(row).toMatchObject({ id: '2', email: null, n: 1, table: null, constructor: 'c', none: null })
    expect(row.proto).toEqual({ email: 'polluted' })
    expect(Object.keys(row.properties).sort()).toEqual(['__proto__', 'constructor', 'n'])
    expect(({} as Record<string, unknown>)['email']).toBeUndefined()
  })

  test('with hundreds of thousands of objects and names is read in a moment', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, '1']))
    const objects = Array.from({ length: 120_000 }, (_, n) => ({
      id: `x${n}`,
      properties: n < 15 ? many : { p0: '3' },
    }))
    answer = says(objects)
    const startedAt = performance.now()
    expect(lists(await ask())).toEqual([[], []])
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  test('that all rows share is copied only so often', async () => {
    await main.sql`
      insert into ingot.records (table_id, properties)
      select t.id, '{"title": "shared", "ids": ["9"]}' from ingot.tables t, generate_series(1, 400) where t.name = 'child'`
    answer = says([{ id: '9', properties: { text: 'x'.repeat(1_000_000) } }])
    const result = await main.run(
      `{ records(per_page: 400, filter: { table: { value: "child" }, properties: [{ name: "title", value: "shared" }] }) { results { remote_records(endpoint: { url: "${origin}/shared" }, join_on_property: "ids") { n: property_int(name: "n") } } } }`,
    )
    expect(lists(result)).toEqual(Array.from({ length: 400 }, () => null))
    expect(result.errors.map(({ message }: Error) => message)).toEqual([
      'The rows share too many large objects of another site.',
    ])
  })

  test('with too many objects for the rows is refused', async () => {
    answer = says(Array.from({ length: 150_000 }, () => ({ id: '2' })))
    expect((await ask('id')).errors.map(({ message }: Error) => message)).toEqual([
      'The rows have more than 100000 objects of another site.',
    ])
  })
})

describe('what is asked for', () => {
  test('keeps the query of the address, and encodes the ids', async () => {
    await main.sql`
      insert into ingot.records (table_id, properties)
      select id, '{"title": "signs", "ids": ["a&b=ü", "  ", "", "#x", "😀"]}' from ingot.tables where name = 'child'`
    answer = says([{ id: 'a&b=ü' }])
    const result = await main.run(
      `{ records(per_page: 5, filter: { table: { value: "child" }, properties: [{ name: "title", value: "signs" }] }) { results { remote_records(endpoint: { url: " ${origin}/rows.json?key=1#part " }, join_on_property: "ids") { id } } } }`,
    )
    expect(lists(result)).toEqual([[{ id: 'a&b=ü' }]])
    expect(asked).toEqual([
      {
        url: '/rows.json?key=1&ids%5B%5D=a%26b%3D%C3%BC&ids%5B%5D=%23x&ids%5B%5D=%F0%9F%98%80',
        token: undefined,
        body: '',
      },
    ])
  })

  test('is a number where the property is one, and nothing where it is missing', async () => {
    answer = says([{ id: 7 }])
    expect(lists(await ask('id', 'other'))).toEqual([[{ id: '7' }], []])
    expect(asked.map(({ url }) => url)).toEqual(['/rows.json?ids%5B%5D=7'])
  })

  test('is split where an address would be too long, and refused where it would be too much', async () => {
    await main.sql`
      insert into ingot.records (table_id, properties)
      select t.id, jsonb_build_object('title', 'long', 'ids', jsonb_build_array(repeat('i', 100) || n)) from ingot.tables t, generate_series(1, 1000) n where t.name = 'child'`
    answer = (request, response) =>
      response.end(
        JSON.stringify(new URL(request.url ?? '', origin).searchParams.getAll('ids[]').map((id) => ({ id }))),
      )
    const read = (rows: number) =>
      main.run(
        `{ records(per_page: ${rows}, filter: { table: { value: "child" }, properties: [{ name: "title", value: "long" }] }) { results { title: property_array(name: "ids") remote_records(endpoint: { url: "${origin}/long" }, join_on_property: "ids") { id } } } }`,
      )
    const result = await read(200)
    expect(result.errors).toBeUndefined()
    for (const { title, remote_records: own } of result.records.results) expect(own).toEqual([{ id: title[0] }])
    expect(asked).toHaveLength(3)
    expect(asked.every(({ url }) => url.length < 8_000)).toBe(true)
    asked.length = 0
    expect((await read(1_000)).errors[0].message).toBe(
      `The site ${origin} was not asked, because 1000 ids need 15 requests. At most 10 are sent: request smaller pages.`,
    )
    expect(asked).toEqual([])
  })

  test('contains no text that is too long for an id', async () => {
    await main.sql`
      insert into ingot.records (table_id, properties)
      select id, jsonb_build_object('title', 'huge', 'ids', jsonb_build_array(repeat('é', 100000), repeat('é', 500), '5')) from ingot.tables where name = 'child'`
    answer = says([{ id: '5' }])
    const result = await main.run(
      `{ records(per_page: 5, filter: { table: { value: "child" }, properties: [{ name: "title", value: "huge" }] }) { results { remote_records(endpoint: { url: "${origin}/huge" }, join_on_property: "ids") { id } } } }`,
    )
    expect(lists(result)).toEqual([[{ id: '5' }]])
    expect(asked.map(({ url }) => new URL(url, origin).searchParams.getAll('ids[]'))).toEqual([['é'.repeat(500), '5']])
  })

  test('of many endpoints is refused', async () => {
    const fields = Array.from(
      { length: 11 },
      (_, n) => `r${n}: remote_records(endpoint: { url: "${origin}/${n}" }, join_on_property: "ids") { id }`,
    )
    const result = await main.run(
      `{ records(per_page: 1, filter: { table: { value: "child" } }) { results { ${fields.join(' ')} } } }`,
    )
    expect(result.errors).toHaveLength(11)
    expect(result.errors[0].message).toBe('An operation can ask at most 10 other sites, and this one asks 11.')
    expect(asked).toEqual([])
  })

  test('holds no connection of the database while it waits', async () => {
    answer = () => undefined
    const waiting = Array.from({ length: 40 }, () => ask('id').then((result) => lists(result)))
    await expect.poll(() => asked.length).toBe(40)
    const [row] = await main.sql<{ busy: number }[]>`
      select count(*)::int as busy from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
    expect(row?.busy).toBe(0)
    // Another visitor is served meanwhile.
    expect((await main.run('{ records(per_page: 1) { total_entries } }')).records.total_entries).toBeGreaterThan(0)
    await servers.close()
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 40 }, () => [null, null]))
  })
})
