/** Tests searches of the log, as the client's pages send them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseSearch } from '../../../../server/tools/instance/search/parse.ts'
import { deployed, type Deployed } from './deployed.ts'

let site: Deployed

beforeAll(async () => {
  site = await deployed('search', { 'app/views/pages/index.liquid': 'home' })
  await site.stage.ingot.database.sql`
    insert into ingot.logs (created_at, type, message, data) values
      ('2026-02-28T10:00:00Z', 'info', 'first: 100% of it', '{"url": "shop.example/a"}'),
      ('2026-02-28T10:00:00Z', 'info', 'second', '{"url": "shop.example/b", "user": {"id": "7", "email": "ada@example.com"}}'),
      ('2026-02-28T11:00:00Z', 'error', 'it''s broken', '{"schema_version": 1, "context": {"url": "shop.example/c"}}')`
})

afterAll(() => site.close(), 60_000)

interface Hit {
  readonly _timestamp: number
  readonly message: string
  readonly [column: string]: unknown
}

async function searched(sql: string, more: object = {}, aggs?: object) {
  const body = { query: { sql, from: 0, size: 20, start_time: 0, end_time: 0, ...more }, ...(aggs && { aggs }) }
  const { status, json } = await site.ask('POST', 'undefined/_search', { json: body })
  return { status, ...(json as { hits: Hit[]; total: number; aggs?: Record<string, object[]>; error?: string }) }
}
const messages = async (sql: string, more?: object) => (await searched(sql, more)).hits.map(({ message }) => message)

describe('a search', () => {
  it('gives the entries of the log, the newest first, and how many there are', async () => {
    const { hits, total } = await searched('SELECT * FROM logs', { size: 2 })
    expect(total).toBe(3)
    expect(hits.map(({ message, type }) => [type, message])).toEqual([
      ['error', "it's broken"],
      ['info', 'second'],
    ])
    expect(hits[1]).toMatchObject({ options_data_url: 'shop.example/b', options_data_user_email: 'ada@example.com' })
    expect(hits[0]).toMatchObject({ options_data_url: 'shop.example/c', options_at: 1772276400000000 })
    expect(await messages('SELECT * FROM logs', { from: 2 })).toEqual(['first: 100% of it'])
  })

  it('finds one entry by its time, also where two were logged in one millisecond', async () => {
    const { hits } = await searched('select * from logs')
    expect(new Set(hits.map((hit) => hit._timestamp)).size).toBe(3)
    for (const { _timestamp: at, message } of hits)
      expect(await messages(`select * from logs where _timestamp = ${at}`, { size: 1 })).toEqual([message])
  })

  it('goes by words in several columns, and by a span of time', async () => {
    const by = (word: string) =>
      `SELECT * FROM logs where message ILIKE '%${word}%' OR type ILIKE '%${word}%' OR options_data_url ILIKE '%${word}%'`
    expect(await messages(by('ERR'))).toEqual(["it's broken"])
    expect(await messages(by('example/b'))).toEqual(['second'])
    expect(await messages("select * from logs where message = 'it''s broken' and not (type in ('info'))")).toHaveLength(
      1,
    )
    const noon = Date.parse('2026-02-28T10:30:00Z') * 1000
    expect(await messages('select * from logs', { start_time: noon })).toEqual(["it's broken"])
    expect(await messages('select * from logs', { end_time: noon })).toHaveLength(2)
  })

  it('groups and counts what another search has found', async () => {
    const count = 'SELECT type, count(type) as count FROM query GROUP BY type ORDER BY count DESC LIMIT 1'
    const latest = 'SELECT max(_timestamp) as latest, approx_percentile_cont(id, 0.5) as middle FROM query'
    const { aggs } = await searched('select * from logs where id > 0', {}, { count, latest })
    expect(aggs?.count).toEqual([{ type: 'info', count: 2 }])
    expect(aggs?.latest).toEqual([{ latest: 1772276400000003, middle: 2 }])
  })

  it.each([
    ["select * from logs where message ILIKE '%it's%'", /unexpected '%' at character 46/],
    ['select * from pg_catalog', /no stream 'pg_catalog'/],
    ['select digest from logs', /no column 'digest'/],
    ['select "message; drop table ingot.logs" from logs', /no column 'message; drop table ingot.logs'/],
    ['select * from logs; delete from logs', /expected the end of the search/],
    ["select pg_read_file('x') from logs", /expected `from`/],
    ['select * from logs where message = (select 1)', /expected a value/],
    ['select type, message, count(*) from logs group by type', /'message' is not grouped/],
    ['update logs set type = 1', /expected `select`/],
    ['select * from logs -- all', /unexpected|expected/],
  ])('is refused: %s', async (sql, message) => {
    const { status, error } = await searched(sql)
    expect(status).toBe(400)
    expect(error).toMatch(message)
    expect((await searched('select * from logs')).total).toBe(3)
  })

  it('is answered to who has a token', async () => {
    const json = { query: { sql: 'select * from logs' } }
    expect((await site.ask('POST', 'any/_search', { json, token: 'wrong' })).status).toBe(401)
    expect((await site.ask('POST', 'any/_search', { json, token: await site.token('read') })).status).toBe(200)
    expect((await site.ask('POST', 'any/_search', { json: { query: 1 } })).status).toBe(400)
  })
})

it('goes over the requests that were answered, as the screen of the network asks for them', async () => {
  await fetch(`${site.url}/?token=secret`, { headers: { 'user-agent': 'a test' } })
  await fetch(`${site.url}/nowhere`)
  const columns = '_timestamp, http_request_path, http_request_method, lb_status_code, client, user_agent, sent_bytes'
  const aggs = {
    filters:
      'SELECT lb_status_code, count(lb_status_code) as count FROM query GROUP BY lb_status_code ORDER BY count DESC',
    // The client sends this text if no order is chosen.
    results: `SELECT ${columns} FROM query   undefined LIMIT 150`,
    slowest:
      'SELECT http_request_path, count(http_request_path) as count, approx_percentile_cont(target_processing_time, 0.5) as median_target_processing_time FROM query GROUP BY http_request_path, http_request_method ORDER BY median_target_processing_time DESC',
  }
  const found = () => searched('SELECT * FROM requests', { size: 150 }, aggs)
  await expect.poll(async () => (await found()).total).toBe(2)
  const { hits, aggs: of } = await found()
  // Requests of API clients are not included, and addresses have no query.
  expect(hits.map((hit) => [hit['http_request_url'], hit['lb_status_code']])).toEqual([
    [`${site.url}/nowhere`, 404],
    [`${site.url}/`, 200],
  ])
  expect(of?.['results']?.[1]).toMatchObject({
    ...{ http_request_path: '/', http_request_method: 'GET', user_agent: 'a test', client: '127.0.0.1', sent_bytes: 4 },
  })
  expect(of?.['filters']).toHaveLength(2)
  expect(of?.['slowest']).toHaveLength(2)
  const [{ _timestamp: at } = { _timestamp: 0 }] = hits
  expect((await searched(`select * from requests where _timestamp = ${at}`, { size: 1 })).hits).toHaveLength(1)
})

describe('the text of a search', () => {
  it('binds `not` closer than `and`, and that closer than `or`', () => {
    const { where } = parseSearch('select * from logs where a = 1 or not b = 2 and c = 3')
    expect(where).toMatchObject({
      kind: 'or',
      parts: [{ column: 'a' }, { kind: 'and', parts: [{ kind: 'not', part: { column: 'b' } }, { column: 'c' }] }],
    })
  })

  it('is of limited depth and length', () => {
    expect(() => parseSearch(`select * from logs where ${'('.repeat(60)}`)).toThrow('nested too deeply')
    expect(() => parseSearch(`select * from logs where a = '${'a'.repeat(10_001)}'`)).toThrow('characters')
  })
})
