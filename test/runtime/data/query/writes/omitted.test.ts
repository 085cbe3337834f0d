/** Mutations whose document names more than a caller gives: what is left out stays as it is, and null clears. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ground, openGround } from './ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground?.close())
beforeEach(() => ground.clear())

type Row = Record<string, unknown>

async function run(document: string, variables: Row): Promise<Row> {
  const { data, errors } = await ground.run(document, variables)
  expect(errors).toBeUndefined()
  return data!['r'] as Row
}

const VARIABLES = '$title: String, $views: Int, $live: Boolean, $tags: [String], $add: String, $less: String, $e: ID'
const RECORD = `external_id: $e, properties: [
  { name: "title", value: $title } { name: "views", value_int: $views } { name: "live", value_boolean: $live }
  { name: "tags", value_array: $tags } { name: "tags", array_append: $add } { name: "tags", array_remove: $less }
]`
const SHOWN = 'id external_id properties'
const FULL = { title: 'a', views: 1, live: true, tags: ['x', 'y'], e: 'ext' }

const create = (variables: Row): Promise<Row> =>
  run(`mutation(${VARIABLES}) { r: record_create(record: { table: "post", ${RECORD} }) { ${SHOWN} } }`, variables)

const UPDATES: Readonly<Record<string, string>> = {
  record_update: `mutation($id: ID!, ${VARIABLES}) { r: record_update(id: $id, record: { table: "post", ${RECORD} }) { ${SHOWN} } }`,
  'record_update of any table': `mutation($id: ID!, ${VARIABLES}) { r: record_update(id: $id, record: { ${RECORD} }) { ${SHOWN} } }`,
  model_update: `mutation($id: ID!, ${VARIABLES}) { r: model_update(id: $id, model: { ${RECORD} }) { ${SHOWN} } }`,
  customization_update: `mutation($id: ID!, ${VARIABLES}) { r: customization_update(id: $id, customization: { ${RECORD} }) { ${SHOWN} } }`,
  records_update_all: `mutation($id: ID!, ${VARIABLES}) {
    r: records_update_all(table: "post", filter: { id: { value: $id } }, record: { ${RECORD} }) { count }
  }`,
}
const READ = `query($id: ID!) { r: records(per_page: 1, filter: { id: { value: $id } }) { results { ${SHOWN} } } }`

describe.each(Object.entries(UPDATES))('%s', (_name, document) => {
  async function updated(id: unknown, variables: Row): Promise<Row> {
    await run(document, { id, ...variables })
    const { results } = await run(READ, { id })
    return (results as Row[])[0]!
  }

  it('leaves what is not given as it is, and clears by null', async () => {
    const { id } = await create(FULL)
    expect(await updated(id, {})).toMatchObject({
      external_id: 'ext',
      properties: { title: 'a', views: 1, live: true },
    })
    expect(await updated(id, { views: 2 })).toMatchObject({ properties: { title: 'a', views: 2, tags: ['x', 'y'] } })
    // The same shape of document, with other variables: a kept statement must not serve.
    expect(await updated(id, { title: null, e: null, tags: null })).toMatchObject({
      external_id: null,
      properties: { title: null, views: 2, live: true, tags: [] },
    })
    expect(await updated(id, { live: null, views: '' })).toMatchObject({ properties: { live: null, views: null } })
  })

  it('acts by the elements of one name in their order, each only with a value', async () => {
    const { id } = await create(FULL)
    expect(await updated(id, { add: 'z' })).toMatchObject({ properties: { tags: ['x', 'y', 'z'], title: 'a' } })
    expect(await updated(id, { less: 'x' })).toMatchObject({ properties: { tags: ['y', 'z'] } })
    expect(await updated(id, { add: 'q', less: 'y' })).toMatchObject({ properties: { tags: ['z', 'q'] } })
    expect(await updated(id, { tags: ['1', '2'], add: '3', less: '1' })).toMatchObject({
      properties: { tags: ['2', '3'] },
    })
  })
})

describe('a change', () => {
  it('is lost by a whole value behind it', async () => {
    const { id } = await create(FULL)
    const document = `mutation($id: ID!, $v: [String]) { r: record_update(id: $id, record: { properties: [
      { name: "tags", array_append: "lost" } { name: "tags", value_array: $v } { name: "tags", array_append: "kept" }
    ] }) { properties } }`
    expect(await run(document, { id, v: ['a'] })).toMatchObject({ properties: { tags: ['a', 'kept'] } })
    expect(await run(document, { id })).toMatchObject({ properties: { tags: ['a', 'kept', 'lost', 'kept'] } })
  })

  it('takes elements that come as a whole in the same way', async () => {
    const { id } = await create(FULL)
    const document = `mutation($id: ID!, $p: [PropertyInputType]) { r: record_update(id: $id, record: { properties: $p }) { properties } }`
    const p = [
      { name: 'title' },
      { name: 'views', value_int: null },
      { name: 'live', value: null, value_boolean: false },
    ]
    expect(await run(document, { id, p })).toMatchObject({ properties: { title: 'a', views: null, live: false } })
  })
})

describe('a new record', () => {
  it('has the default of its table where nothing is given, and null where null is', async () => {
    const document = `mutation($s: String, $t: [String]) { r: record_create(record: { table: "post", properties: [
      { name: "state", value: $s } { name: "tags", value_array: $t } { name: "title" }
    ] }) { properties } }`
    expect(await run(document, {})).toMatchObject({ properties: { state: 'draft', tags: [], title: null } })
    expect(await run(document, { s: null, t: null })).toMatchObject({ properties: { state: null, tags: [] } })
    expect(await run(document, { s: 'live' })).toMatchObject({ properties: { state: 'live' } })
  })
})

describe('user_update', () => {
  const document = `mutation($id: ID!, $m: String, $f: String, $motto: String, $logins: Int, $rating: Float, $shop: String) {
    r: user_update(id: $id, user: { email: $m, first_name: $f
      properties: [{ name: "motto", value: $motto } { name: "logins", value_int: $logins }]
      profiles: [{ name: "seller", values: { properties: [
        { name: "rating", value_float: $rating } { name: "shops", array_append: $shop }
      ] } }]
    }) { email first_name properties profile(profile_type: "seller") { properties } }
  }`

  it('leaves what is not given as it is, also in profiles', async () => {
    const { id } = await run('mutation { r: user_create(user: { email: "a@x.y", first_name: "A" }) { id } }', {})
    const full = { id, m: 'b@x.y', f: 'B', motto: 'so', logins: 3, rating: 1.5, shop: 's' }
    await run(document, full)
    expect(await run(document, { id })).toMatchObject({
      email: 'b@x.y',
      first_name: 'B',
      properties: { motto: 'so', logins: 3 },
      profile: { properties: { rating: 1.5, shops: ['s'] } },
    })
    expect(await run(document, { id, m: null, f: null, motto: null, rating: null })).toMatchObject({
      email: 'b@x.y',
      first_name: null,
      properties: { motto: null, logins: 3 },
      profile: { properties: { rating: null, shops: ['s'] } },
    })
  })
})
