/** Tests the queries of the client's pages: tables, records, users, jobs and constants, field by field. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Deployed, deployed } from './deployed.ts'

const TYPES = ['string', 'integer', 'float', 'boolean', 'array', 'date', 'datetime', 'upload'] as const
const SITE = {
  'app/views/pages/index.liquid': "{% background job = 'later', delay: 60 %}{{ job }}",
  'app/lib/later.liquid': 'later',
  'app/schema/item.yml': `name: item\nproperties:\n${TYPES.map((type) => `  - name: a_${type}\n    type: ${type}\n`).join('')}`,
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: body\n    type: text\n',
  'app/user.yml': 'name: user\nproperties:\n  - name: tags\n    type: array\n  - name: nick\n    type: string\n',
}

let site: Deployed

beforeAll(async () => {
  site = await deployed('screens', SITE)
})
afterAll(() => site?.close())

// The tests check the contents of the results.
// biome-ignore lint/suspicious/noExplicitAny: the answers of many queries
type Data = any

/** Returns the data of a query. Errors fail the test. */
async function graph(query: string, variables?: object): Promise<Data> {
  const { status, json } = await site.ask('POST', 'graph', { json: { query, ...(variables && { variables }) } })
  expect({ status, errors: json['errors'] ?? [] }).toEqual({ status: 200, errors: [] })
  return json['data']
}

async function tableId(): Promise<string> {
  const query = `query($per_page: Int, $id: ID) { admin_tables(per_page: $per_page, filter: { id: { value: $id } }) {
    results { id name properties { name attribute_type } } } }`
  const { admin_tables } = await graph(query, { per_page: 100 })
  const [table] = admin_tables.results
  const one = await graph(query, { per_page: 100, id: table.id })
  expect(one.admin_tables.results).toEqual([table])
  // The older pages of the client use an older name for tables.
  const older = await graph(
    `query { admin_model_schemas(per_page: 100 filter: { id: { value: ${table.id} } }) { results { id name properties { name attribute_type } } } }`,
  )
  expect(older.admin_model_schemas.results).toEqual([table])
  return table.id as string
}

it('the tables with the types of their properties, by their names', async () => {
  await tableId()
  const { admin_tables } = await graph(
    'query { admin_tables(per_page: 100, filter: { name: { value: "item" } }) { results { name properties { name attribute_type } } } }',
  )
  expect(admin_tables.results).toEqual([
    { name: 'item', properties: TYPES.toSorted().map((type) => ({ name: `a_${type}`, attribute_type: type })) },
  ])
  const named = await graph(
    'query { admin_tables(per_page: 100, filter: { name: { value: "note" } }) { results { properties { name attribute_type } } } }',
  )
  expect(named.admin_tables.results).toEqual([{ properties: [{ name: 'body', attribute_type: 'text' }] }])
})

describe('records', () => {
  const RESULTS = 'current_page total_pages results { id created_at updated_at deleted_at properties }'
  const ids: string[] = []
  let table = ''

  beforeAll(async () => {
    table = await tableId()
    for (const n of [1, 2, 3]) {
      const { record_create } = await graph(
        `mutation($a_string: String, $a_integer: Int, $a_float: Float, $a_boolean: Boolean, $a_array: [String!]) {
          record_create(record: { table: "item", properties: [
            { name: "a_string", value: $a_string } { name: "a_integer", value_int: $a_integer }
            { name: "a_float", value_float: $a_float } { name: "a_boolean", value_boolean: $a_boolean }
            { name: "a_array", value_array: $a_array }] }) { id } }`,
        { a_string: `text ${n}`, a_integer: n, a_float: n / 2, a_boolean: n === 1, a_array: [`tag ${n}`, 'all'] },
      )
      ids.push(record_create.id as string)
    }
  })

  async function list(filter: string, variables: object = {}, head = '', sort = 'id: { order: ASC }'): Promise<Data[]> {
    const { records } = await graph(
      `query${head} { records(page: 1 per_page: 20, sort: { ${sort} }, filter: { table_id: { value: ${table} } ${filter} }) { ${RESULTS} } }`,
      variables,
    )
    expect(records).toMatchObject({ current_page: 1, total_pages: records.results.length === 0 ? 0 : 1 })
    return records.results
  }
  const texts = async (...given: Parameters<typeof list>): Promise<string[]> =>
    (await list(...given)).map(({ properties }) => properties.a_string as string)

  it('of a table, with all their values', async () => {
    const [first] = await list('properties: []')
    expect(first).toMatchObject({
      id: ids[0],
      deleted_at: null,
      properties: { a_string: 'text 1', a_integer: 1, a_float: 0.5, a_boolean: true, a_array: ['tag 1', 'all'] },
    })
  })

  it.each([
    ['value', 'String', 'a_string', 'text 2', ['text 2']],
    ['not_value', 'String', 'a_string', 'text 2', ['text 1', 'text 3']],
    ['contains', 'String', 'a_string', 'xt 3', ['text 3']],
    ['not_contains', 'String', 'a_string', 'xt 3', ['text 1', 'text 2']],
    ['starts_with', 'String', 'a_string', 'text', ['text 1', 'text 2', 'text 3']],
    ['not_starts_with', 'String', 'a_string', 'text', []],
    ['ends_with', 'String', 'a_string', '1', ['text 1']],
    ['not_ends_with', 'String', 'a_string', '1', ['text 2', 'text 3']],
    ['value_int', 'Int', 'a_integer', 2, ['text 2']],
    ['not_value_int', 'Int', 'a_integer', 2, ['text 1', 'text 3']],
    ['value_float', 'Float', 'a_float', 0.5, ['text 1']],
    ['not_value_float', 'Float', 'a_float', 0.5, ['text 2', 'text 3']],
    ['value_boolean', 'Boolean', 'a_boolean', true, ['text 1']],
    ['not_value_boolean', 'Boolean', 'a_boolean', true, ['text 2', 'text 3']],
    ['exists', 'Boolean', 'a_date', false, ['text 1', 'text 2', 'text 3']],
    ['exists', 'Boolean', 'a_date', true, []],
    ['range', 'RangeFilter', 'a_integer', { gt: '1', lte: '3' }, ['text 2', 'text 3']],
    ['array_contains', 'String', 'a_array', 'tag 2', ['text 2']],
    ['not_array_contains', 'String', 'a_array', 'tag 2', ['text 1', 'text 3']],
    ['array_overlaps', '[String!]', 'a_array', ['tag 1', 'tag 3'], ['text 1', 'text 3']],
    ['not_array_overlaps', '[String!]', 'a_array', ['tag 1', 'tag 3'], ['text 2']],
    ['value_array', '[String!]', 'a_array', ['tag 1', 'all'], ['text 1']],
    ['not_value_array', '[String!]', 'a_array', ['tag 1', 'all'], ['text 2', 'text 3']],
    ['value_in', '[String!]', 'a_string', ['text 1', 'text 3'], ['text 1', 'text 3']],
    ['not_value_in', '[String!]', 'a_string', ['text 1', 'text 3'], ['text 2']],
  ] as const)('filtered by %s of a %s', async (operation, type, name, value, found) => {
    expect(
      await texts(`properties: [{ name: "${name}", ${operation}: $value }]`, { value }, `($value: ${type})`),
    ).toEqual(found)
  })

  it('by their ids, and sorted by a property or a time', async () => {
    expect(await texts(`id: { value: ${ids[1]} } properties: []`)).toEqual(['text 2'])
    expect(await texts(`id: { not_value_in: [${ids[1]}] } properties: []`)).toEqual(['text 1', 'text 3'])
    expect(await texts('properties: []', {}, '', 'properties: { name: "a_integer", order: DESC }')).toEqual([
      'text 3',
      'text 2',
      'text 1',
    ])
    expect(await texts('properties: []', {}, '', 'created_at: { order: DESC }')).toEqual(['text 3', 'text 2', 'text 1'])
    expect(await texts('properties: []', {}, '', 'updated_at: { order: ASC }')).toEqual(['text 1', 'text 2', 'text 3'])
  })

  it('changed, deleted, seen among the deleted ones and restored', async () => {
    const change = `mutation($a_string: String) { record_update(id: ${ids[0]}, record: { table: "item" properties: [{ name: "a_string", value: $a_string }] }) { id } }`
    expect(await graph(change, { a_string: 'text 9' })).toEqual({ record_update: { id: ids[0] } })
    await graph(change, { a_string: 'text 1' })
    expect(await graph(`mutation { record_delete(table: "item", id: ${ids[0]}) { id } }`)).toEqual({
      record_delete: { id: ids[0] },
    })
    expect(await texts('properties: []')).toEqual(['text 2', 'text 3'])
    const [deleted] = await list('deleted_at: { exists: true } properties: []')
    expect(deleted).toMatchObject({ id: ids[0], deleted_at: expect.any(String) })
    await graph(`mutation { record_update(id: ${ids[0]}, record: { table: "item", deleted_at: null }) { id } }`)
    expect(await texts('properties: []')).toEqual(['text 1', 'text 2', 'text 3'])
  })

  it('also by the older names of records', async () => {
    const { models } = await graph(
      `query { models(page: 1 per_page: 20, sort: { created_at: { order: DESC } }, filter: { model_schema_id: { value: ${table} } }) { total_pages results { id created_at updated_at deleted_at properties } } }`,
    )
    expect(models.results).toHaveLength(3)
    const { model_create } = await graph(
      'mutation { model_create(model: { model_schema_name: "item", properties: [{ name: "a_string", value: "old" }] }) { id } }',
    )
    const { id } = model_create
    await graph(
      `mutation { model_update(id: ${id}, model: { properties: [{ name: "a_string", value: "older" }] }) { id } }`,
    )
    await graph(`mutation { model_delete(id: ${id}) { id } }`)
    await graph(`mutation { model_update(id: ${id}, model: { deleted_at: null }) { id } }`)
    await graph(`mutation { model_delete(id: ${id}) { id } }`)
  })
})

it('users: listed, found, shown with their details, made, changed, deleted', async () => {
  const { admin_user_schema } = await graph('query { admin_user_schema { properties { attribute_type name } } }')
  expect(admin_user_schema.properties).toEqual([
    { attribute_type: 'string', name: 'nick' },
    { attribute_type: 'array', name: 'tags' },
  ])
  const { user } = await graph(
    'mutation($nick: String) { user: user_create(user: { email: "ada@example.com", password: "password", properties: [{ name: "nick", value: $nick }] }) { id } }',
    { nick: 'ada' },
  )
  const list = (filter: string, details = '') =>
    graph(
      `query { users(page: 1 per_page: 50 sort: { id: { order: DESC } } filter: { ${filter} }) { current_page total_pages results { id email ${details} properties } } }`,
    )
  expect((await list('')).users.results).toMatchObject([{ id: user.id, properties: { nick: 'ada' } }])
  expect((await list('email: { contains: "da@ex" }')).users.results).toHaveLength(1)
  expect((await list('email: { contains: "nobody" }')).users.results).toEqual([])
  const DETAILS =
    'deleted_at created_at external_id jwt_token temporary_token name first_name middle_name last_name slug language'
  const [shown] = (await list(`id: { value: "${user.id}" }`, DETAILS)).users.results
  expect(shown).toMatchObject({
    email: 'ada@example.com',
    deleted_at: null,
    jwt_token: expect.any(String),
    temporary_token: expect.any(String),
  })
  await graph(
    `mutation($nick: String) { user_update(user: { email: "ada@example.com", properties: [{ name: "nick", value: $nick }] }, id: ${user.id}) { id } }`,
    { nick: 'lovelace' },
  )
  expect((await list('')).users.results).toMatchObject([{ properties: { nick: 'lovelace' } }])
  expect(
    (
      await graph(
        'query { users(per_page: 20, page: 1, filter: { email: { contains: "" }, first_name: { contains: "" }, last_name: { contains: "" } }) { results { id deleted_at external_id jwt_token temporary_token } } }',
      )
    ).users,
  ).toBeDefined()
  await graph(`mutation { user_delete(id: ${user.id}){ id } }`)
  expect((await list('')).users.results).toEqual([])
})

it('background jobs: listed by their type, run now, deleted', async () => {
  const id = (await (await fetch(site.url)).text()).trim()
  const list = (filter: string) =>
    graph(`query { admin_background_jobs(per_page: 20, page: 1 filter: { ${filter} }) { has_next_page, has_previous_page, total_pages,
      results { id arguments attempts created_at dead_at error error_class error_message failed_at form_configuration_name form_name
        label liquid_body partial_name locked_at queue resource_id resource_type retry_at run_at source_name source_type started_at
        updated_at } } }`)
  const { admin_background_jobs } = await list('')
  expect(admin_background_jobs).toMatchObject({ has_next_page: false, has_previous_page: false, total_pages: 1 })
  expect(admin_background_jobs.results).toMatchObject([{ id, source_name: 'later', dead_at: null }])
  for (const [type, count] of [
    ['SCHEDULED', 1],
    ['DEAD', 0],
    ['RUNNING', 0],
    ['RETRY', 0],
  ] as const)
    expect((await list(`type: ${type}`)).admin_background_jobs.results, type).toHaveLength(count)
  expect((await list(`id: { value: "${id}" }`)).admin_background_jobs.results).toHaveLength(1)
  expect(await graph(`mutation { admin_background_job_retry(id: "${id}"){ id } }`)).toEqual({
    admin_background_job_retry: { id },
  })
  expect(await graph(`mutation { admin_background_job_delete(id: "${id}") { id } }`)).toEqual({
    admin_background_job_delete: { id },
  })
  expect((await list('')).admin_background_jobs.results).toEqual([])
})

it('constants: set, listed, unset; null for one that is not there', async () => {
  const set =
    'mutation SetConstant($name: String!, $value: String!) { constant_set(name: $name, value: $value){ name, value } }'
  const unset = 'mutation UnsetConstant($name: String!) { constant_unset(name: $name){ name } }'
  expect(await graph(set, { name: 'KEY', value: 'one' })).toEqual({ constant_set: { name: 'KEY', value: 'one' } })
  await graph(set, { name: 'KEY', value: 'two' })
  const { constants } = await graph('query { constants(per_page: 100) { results { name, value, updated_at } } }')
  expect(constants.results).toEqual([{ name: 'KEY', value: 'two', updated_at: expect.any(String) }])
  expect(await graph(unset, { name: 'KEY' })).toEqual({ constant_unset: { name: 'KEY' } })
  expect(await graph(unset, { name: 'KEY' })).toEqual({ constant_unset: null })
})

it('a query that is wrong is answered with status 200 and its errors', async () => {
  const { status, json } = await site.ask('POST', 'graph', { json: { query: '{ nothing }' } })
  expect(status).toBe(200)
  expect(json['errors']).toMatchObject([{ message: expect.any(String), locations: [{ line: 1, column: 3 }] }])
})
