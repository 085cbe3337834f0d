/** `remote_records` and `remote_users` between two sites, each with its own database and port. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { request } from '../../../support/server/site.ts'
import { type ListeningSite, listeningSite } from './listening-site.ts'
import { createToken } from '../../../../server/data/store/tokens.ts'
import { ADMIN } from './served.ts'

const TOKEN = 'secret-token-of-the-remote'
const POLICY =
  '---\nname: api_key_check\nredirect_to: /\n---\n' +
  `{% if context.headers.HTTP_AUTHENTICATION_TOKEN == "${TOKEN}" -%}true{% endif -%}`
const linked = (query: string, slug: string, results: string) =>
  `---\nslug: ${slug}\nformat: json\nauthorization_policies:\n  - api_key_check\n---\n` +
  `{% graphql g = '${query}', ids: context.params.ids %}\n{{ g.${results}.results | json | html_safe }}`

const REMOTE: Readonly<Record<string, string>> = {
  'app/config.yml': 'escape_output_instead_of_sanitize: true\n',
  'app/schema/parent_model.yml':
    'name: parent_model\nproperties:\n  - name: parent_title\n  - name: parent_id\n    type: integer\n  - name: rate\n    type: float\n  - name: tags\n    type: array\n',
  'app/user.yml': 'name: user\nproperties:\n  - name: nick\n',
  'app/authorization_policies/api_key_check.liquid': POLICY,
  'app/views/pages/linked.liquid': linked('get_linked_records', 'linked-records', 'records'),
  'app/views/pages/by_id.liquid': linked('get_by_id', 'by-id', 'records'),
  'app/views/pages/people.liquid': linked('get_people', 'people', 'users'),
  'app/views/pages/search.liquid':
    '---\nslug: search\nformat: json\nmethod: post\nauthorization_policies:\n  - api_key_check\n---\n' +
    "{% graphql g = 'search', args: context.params %}{{ g.records | json | html_safe }}",
  'app/views/pages/user_search.liquid':
    '---\nslug: user-search\nformat: json\nmethod: post\nauthorization_policies:\n  - api_key_check\n---\n' +
    "{% graphql g = 'user_search', args: context.params %}{{ g.users.results | json | html_safe }}",
  'app/graphql/get_linked_records.graphql':
    'query get_linked_records($ids: [String!]) { records(page: 1, per_page: 500, sort: [{ id: { order: ASC } }], filter: { properties: [{ name: "parent_id", value_in: $ids }] }) { results { id properties } } }',
  'app/graphql/get_by_id.graphql':
    'query get_by_id($ids: [ID!]) { records(per_page: 1000, sort: [{ id: { order: DESC } }], filter: { id: { value_in: $ids } }) { results { id created_at updated_at table_id table properties related_records(table: "parent_model", join_on_property: "parent_id", foreign_property: "parent_id") { id title: property(name: "parent_title") } } } }',
  'app/graphql/get_people.graphql':
    'query get_people($ids: [ID!]) { users(per_page: 100, filter: { external_id: { value_in: $ids } }) { results { id: external_id email slug first_name properties } } }',
  'app/graphql/search.graphql':
    'query search($filter: RecordsFilterInput, $page: Int, $per_page: Int!, $sort: [RecordsSortInput!]) { records(filter: $filter, page: $page, per_page: $per_page, sort: $sort) { total_entries total_pages current_page per_page has_next_page has_previous_page results { id properties } } }',
  'app/graphql/user_search.graphql':
    'query user_search($page: Int, $per_page: Int!) { users(page: $page, per_page: $per_page, sort: [{ id: { order: ASC } }]) { results { id email slug } } }',
}

const MAIN: Readonly<Record<string, string>> = {
  'app/config.yml': 'escape_output_instead_of_sanitize: true\n',
  'app/schema/child_model.yml':
    'name: child_model\nproperties:\n  - name: child_title\n  - name: child_id\n    type: integer\n  - name: parent_id_array\n    type: array\n  - name: remote_id\n',
  'app/user.yml': 'name: user\nproperties:\n  - name: remote_ids\n    type: array\n',
  'app/user_profile_schemas/author.yml': 'name: author\nproperties:\n  - name: remote_id\n    type: integer\n',
  'app/graphql/main.graphql': `query get_main_records($url: String!, $token: String) { records(page: 1, per_page: 10, sort: [{ id: { order: ASC } }], filter: { table: { value: "child_model" } }) { results { id title: property(name: "child_title") remote: remote_records(endpoint: { url: $url, token: $token }, join_on_property: "parent_id_array") { id title: property(name: "parent_title") rate: property_float(name: "rate") } } } }`,
  'app/graphql/within.graphql': `mutation within($url: String!) { r: record_create(record: { table: "child_model", properties: [{ name: "child_title", value: "within" }, { name: "parent_id_array", value_array: ["101"] }] }) { remote_records(endpoint: { url: $url, token: "${TOKEN}" }, join_on_property: "parent_id_array") { title: property(name: "parent_title") } } }`,
  'app/views/pages/within.liquid': `---\nslug: within\nmethod: post\n---\n{% transaction %}{% graphql g = 'within', url: context.params.url %}{{ g.r.remote_records.size }} {{ g.r.remote_records[0].title }}{% rollback %}{% endtransaction %}`,
  'app/views/pages/shown.liquid': `{% graphql g = 'main', url: context.params.url, token: '${TOKEN}' %}{% for row in g.records.results %}[{{ row.title }}:{% for one in row.remote %} {{ one.title }} {{ one.rate }}{% endfor %}]{% endfor %}`,
}

let remote: ListeningSite
let main: ListeningSite
/** Ids of the remote records by title. */
const remoteIds = new Map<string, string>()

beforeAll(async () => {
  ;[remote, main] = await Promise.all([listeningSite(REMOTE, []), listeningSite(MAIN, ['127.0.0.1'])])
  const created = await remote.run(
    `mutation { a: record_create(record: { table: "parent_model", properties: [{ name: "parent_id", value_int: 100 }, { name: "parent_title", value: "Parent <1>" }, { name: "rate", value_float: 4 }, { name: "tags", value_array: ["x", "y"] }] }) { id }
      b: record_create(record: { table: "parent_model", properties: [{ name: "parent_id", value_int: 101 }, { name: "parent_title", value: "Parent 2" }] }) { id }
      u: user_create(user: { email: "ada@example.com", password: "long enough", external_id: "ext-7", first_name: "Ada", properties: [{ name: "nick", value: "A" }] }) { id } }`,
  )
  remoteIds.set('1', created['a'].id).set('2', created['b'].id)
  await main.run(
    `mutation { a: record_create(record: { table: "child_model", external_id: "${created['a'].id}", properties: [{ name: "child_id", value_int: 1 }, { name: "child_title", value: "Title 1" }, { name: "parent_id_array", value_array: ["100", "101"] }, { name: "remote_id", value: "100" }] }) { id }
      b: record_create(record: { table: "child_model", external_id: "${created['b'].id}", properties: [{ name: "child_id", value_int: 2 }, { name: "child_title", value: "Title 2" }, { name: "parent_id_array", value_array: ["101"] }, { name: "remote_id", value: "ext-7" }] }) { id }
      c: record_create(record: { table: "child_model", properties: [{ name: "child_title", value: "Title 3" }] }) { id }
      u: user_create(user: { email: "bob@example.com", password: "long enough", properties: [{ name: "remote_ids", value_array: ["100"] }], profiles: [{ name: "author", values: { properties: [{ name: "remote_id", value_int: 101 }] } }] }) { id } }`,
  )
})
afterAll(async () => {
  await Promise.all([remote?.close(), main?.close()])
})
beforeEach(() => {
  remote.requests.length = 0
})

const endpoint = (path: string): string => `endpoint: { url: "${remote.url}/${path}", token: "${TOKEN}" }`
const children = (fields: string): string =>
  `{ records(per_page: 10, sort: [{ id: { order: ASC } }], filter: { table: { value: "child_model" } }) { results { ${fields} } } }`

describe('records of another site', () => {
  test('belong to the rows whose array has their ids, with one request for all rows', async () => {
    const result = await main.run(
      children(
        `remote: remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { __typename id properties }`,
      ),
    )
    expect(result.errors).toBeUndefined()
    const [first, second, third] = result['records'].results
    const one = {
      __typename: 'Record',
      id: remoteIds.get('1'),
      properties: { parent_id: 100, parent_title: 'Parent <1>', rate: 4, tags: ['x', 'y'] },
    }
    expect(first.remote[0]).toEqual(one)
    expect(first.remote.map((each: { properties: { parent_id: number } }) => each.properties.parent_id)).toEqual([
      100, 101,
    ])
    expect(second.remote).toEqual([first.remote[1]])
    expect(third.remote).toEqual([])
    expect(remote.requests).toEqual(['GET /linked-records.json?ids%5B%5D=100&ids%5B%5D=101'])
  })

  test('are printed by a template of a stored query, which keeps floats', async () => {
    const { body } = await main.app.handler(
      request(`/shown?url=${encodeURIComponent(`${remote.url}/linked-records.json`)}`),
    )
    expect(String(body).trim()).toBe('[Title 1: Parent &lt;1&gt; 4.0 Parent 2 ][Title 2: Parent 2 ][Title 3:]')
  })

  test('are selected with aliases, fragments, and all forms of properties', async () => {
    const result = await main.run(
      `query($url: String!, $name: String = "parent_title") {
      records(per_page: 1, filter: { table: { value: "child_model" }, properties: [{ name: "child_id", value_int: 1 }] }) { results {
        remote_records(endpoint: { url: $url, token: "${TOKEN}" }, join_on_property: "remote_id") { ...P ... on Record { no: property_int(name: "parent_title") } __proto__: id }
      } } }
      fragment P on Record { title: property(name: $name) text: property(name: "parent_id") int: property_int(name: "parent_id") float: property_float(name: "rate")
        tags: property_array(name: "tags") none: property_array(name: "none") yes: property_boolean(name: "parent_title") json: property_json(name: "tags") object: property_object(name: "parent_title")
        some: properties(select: [{ name: "parent_id", attribute_type: string }, { name: "tags", attribute_type: array }]) user_id related_records(table: "child_model", join_on_property: "id", foreign_property: "id") { id } }`,
      {
        url: `${remote.url}/linked-records.json`,
      },
    )
    expect(result.errors).toBeUndefined()
    const row = result['records'].results[0].remote_records[0]
    expect(row).toEqual({
      ...{ title: 'Parent <1>', text: '100', int: 100, float: 4, tags: ['x', 'y'], none: [], yes: false },
      ...{ json: ['x', 'y'], object: null, some: { parent_id: '100', tags: ['x', 'y'] }, user_id: null },
      ...{ related_records: null, no: null },
      ...JSON.parse(`{"__proto__":"${remoteIds.get('1')}"}`),
    })
  })

  test('are joined with the built-in external id, and have the other fields and relations that the page sends', async () => {
    const result = await main.run(
      children(
        `external_id r: remote_records(${endpoint('by-id.json')}, join_on_property: "external_id") { id created_at table related_records(table: "child_model", join_on_property: "id", foreign_property: "id") { title: property(name: "parent_title") other: property(name: "title") } }`,
      ),
    )
    expect(result.errors).toBeUndefined()
    expect(result['records'].results[0].r).toEqual([
      {
        id: remoteIds.get('1'),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        table: 'parent_model',
        related_records: [{ title: null, other: 'Parent <1>' }],
      },
    ])
    expect(result['records'].results[1].r[0].id).toBe(remoteIds.get('2'))
    expect(result['records'].results[2].r).toEqual([])
    expect(remote.requests).toHaveLength(1)
  })

  test('are joined with the own id of the row', async () => {
    const result = await main.run(
      children(`id r: remote_records(${endpoint('by-id.json')}, join_on_property: "id") { id }`),
    )
    expect(result.errors).toBeUndefined()
    for (const { id, r } of result['records'].results)
      expect(r.map((each: { id: string }) => each.id)).toEqual([...remoteIds.values()].includes(id) ? [id] : [])
  })

  test('belong to users and profiles, and to rows that are related to them', async () => {
    const linkedField = (join: string): string =>
      `remote_records(${endpoint('linked-records.json')}, join_on_property: "${join}") { title: property(name: "parent_title") }`
    const result = await main.run(
      `{ users(per_page: 5) { results { ${linkedField('remote_ids')} profiles(profile_type: "author") { ${linkedField('remote_id')} }
          related_records(table: "child_model", join_on_property: "remote_ids", foreign_property: "remote_id") { property(name: "child_title") ${linkedField('parent_id_array')} } } } }`,
    )
    expect(result.errors).toBeUndefined()
    expect(result['users'].results).toEqual([
      {
        remote_records: [{ title: 'Parent <1>' }],
        profiles: [{ remote_records: [{ title: 'Parent 2' }] }],
        related_records: [{ property: 'Title 1', remote_records: [{ title: 'Parent <1>' }, { title: 'Parent 2' }] }],
      },
    ])
    // One request for each property.
    expect(remote.requests).toHaveLength(3)
  })

  test('are asked for once when several fields have the same endpoint and property', async () => {
    const field = `remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array")`
    const result = await main.run(
      `{ a: records(per_page: 1, sort: [{ id: { order: ASC } }], filter: { table: { value: "child_model" } }) { total_entries results { x: ${field} { id } y: ${field} { properties } } }
         b: records(per_page: 9, filter: { table: { value: "child_model" } }) { has_next_page results { ${field} { id } } } }`,
    )
    expect(result.errors).toBeUndefined()
    expect(result['a'].total_entries).toBe(3)
    expect(result['a'].results[0].x).toHaveLength(2)
    expect(result['a'].results[0].y[0].properties.parent_id).toBe(100)
    expect(remote.requests).toHaveLength(1)
  })

  test('are not asked for when no row has a value', async () => {
    const result = await main.run(
      `{ records(per_page: 5, filter: { table: { value: "child_model" }, properties: [{ name: "child_title", value: "Title 3" }] }) { results { remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { id } } } }`,
    )
    expect(result).toEqual({ records: { results: [{ remote_records: [] }] } })
    expect(remote.requests).toEqual([])
  })

  test('are also parts of what a mutation returns, and are asked for after it is committed', async () => {
    const result = await main.run(
      `mutation { a: record_create(record: { table: "child_model", properties: [{ name: "parent_id_array", value_array: ["100"] }] }) { id remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { title: property(name: "parent_title") } }
                  b: record_create(record: { table: "child_model", properties: [{ name: "parent_id_array", value_array: ["101"] }] }) { id remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { title: property(name: "parent_title") } } }`,
    )
    expect(result.errors).toBeUndefined()
    expect(result['a'].remote_records).toEqual([{ title: 'Parent <1>' }])
    expect(result['b'].remote_records).toEqual([{ title: 'Parent 2' }])
    expect(remote.requests).toHaveLength(1)
    await main.run(
      `mutation { a: record_delete(table: "child_model", id: "${result['a'].id}") { id } b: record_delete(table: "child_model", id: "${result['b'].id}") { id } }`,
    )
  })

  test('with a wrong token are null, with the answer of the other site', async () => {
    const result = await main.run(
      children(
        `id remote_records(endpoint: { url: "${remote.url}/linked-records.json", token: "not-the-token" }, join_on_property: "parent_id_array") { id }`,
      ),
    )
    expect(result['records'].results.map((row: object) => 'remote_records' in row && row.remote_records)).toEqual([
      null,
      null,
      null,
    ])
    expect(result.errors).toMatchObject([
      {
        message: `The site ${remote.url} answered with a redirect (status 302). Check the token, and give the final address.`,
        path: ['records', 'results', 0, 'remote_records'],
        locations: [{ line: 1 }],
      },
    ])
    expect(JSON.stringify(result)).not.toContain('not-the-token')
    expect(main.log()).not.toContain('not-the-token')
  })

  test('lack what the page does not send: a field that is never null makes the list null', async () => {
    const result = await main.run(
      children(
        `remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { created_at }`,
      ),
    )
    expect(result['records'].results[0]).toEqual({ remote_records: null })
    expect(result.errors).toMatchObject([
      {
        message: 'The field `created_at` is never null, but has no value.',
        path: ['records', 'results', 0, 'remote_records', 0, 'created_at'],
      },
    ])
  })

  test('are not available to clients whose token is not an administrator’s', async () => {
    const ask = async (token: string): Promise<string> => {
      const query = children(
        `remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { id }`,
      )
      const headers = { 'content-type': 'application/json', authorization: `Token ${token}` }
      const body = Buffer.from(JSON.stringify({ query }))
      return String((await main.app.handler(request('/api/graph', { method: 'POST', headers, body }))).body)
    }
    expect(JSON.parse(await ask(ADMIN)).data.records.results[0].remote_records).toHaveLength(2)
    remote.requests.length = 0
    for (const scope of ['read', 'write'] as const) {
      const { token } = await createToken(main.sql, scope, scope)
      expect(await ask(token)).toContain('`remote_records` needs a token with the scope admin')
    }
    expect(remote.requests).toEqual([])
  })

  test('are read within a transaction, whose changes the other site does not see', async () => {
    const { body, status } = await main.app.handler(
      request(`/within?url=${encodeURIComponent(`${remote.url}/linked-records.json`)}`, { method: 'POST' }),
    )
    expect([status, String(body).trim()]).toEqual([200, '1 Parent 2'])
    const { records } = await main.run(
      '{ records(per_page: 1, filter: { table: { value: "child_model" }, properties: [{ name: "child_title", value: "within" }] }) { total_entries } }',
    )
    expect(records.total_entries).toBe(0)
  })
})

describe('three hundred ids', () => {
  test('are one request, and each row gets its own object', async () => {
    await remote.sql`
      insert into ingot.records (table_id, properties)
      select t.id, jsonb_build_object('parent_id', 10000000 + n, 'parent_title', 'many ' || n) from ingot.tables t, generate_series(1, 300) n where t.name = 'parent_model'`
    await main.sql`
      insert into ingot.records (table_id, properties)
      select t.id, jsonb_build_object('child_title', 'many', 'child_id', n, 'parent_id_array', jsonb_build_array((10000000 + n)::text)) from ingot.tables t, generate_series(1, 300) n where t.name = 'child_model'`
    const result = await main.run(
      `{ records(per_page: 300, filter: { table: { value: "child_model" }, properties: [{ name: "child_title", value: "many" }] }) { results { n: property_int(name: "child_id") remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { title: property(name: "parent_title") } } } }`,
    )
    expect(result.errors).toBeUndefined()
    expect(result['records'].results).toHaveLength(300)
    for (const { n, remote_records: own } of result['records'].results) expect(own).toEqual([{ title: `many ${n}` }])
    expect(remote.requests).toHaveLength(1)
    expect(remote.requests[0]?.length).toBeLessThan(8_000)
  })

  test('of concurrent visitors do not mix', async () => {
    const ask = (n: number) =>
      main.run(
        `{ records(per_page: 5, filter: { table: { value: "child_model" }, properties: [{ name: "child_id", value_int: ${n} }, { name: "child_title", value: "many" }] }) { results { remote_records(${endpoint('linked-records.json')}, join_on_property: "parent_id_array") { title: property(name: "parent_title") } } } }`,
      )
    const numbers = Array.from({ length: 40 }, (_, at) => at + 1)
    const results = await Promise.all(numbers.map(ask))
    expect(results.map((each) => each['records'].results[0].remote_records[0].title)).toEqual(
      numbers.map((n) => `many ${n}`),
    )
    expect(remote.requests).toHaveLength(40)
  })
})

describe('users of another site', () => {
  test('belong to rows by the id that the page gives them', async () => {
    const result = await main.run(
      children(
        `remote_users(${endpoint('people.json')}, join_on_property: "remote_id") { __typename id email first_name nick: property(name: "nick") profiles { id } }`,
      ),
    )
    expect(result.errors).toBeUndefined()
    expect(result['records'].results.map((row: { remote_users: unknown }) => row.remote_users)).toEqual(
      [
        [],
        [{ __typename: 'User', id: 'ext-7', email: 'ada@example.com', first_name: 'Ada', nick: 'A', profiles: [] }],
        [],
      ].concat(Array.from({ length: 7 }, () => [])),
    )
  })

  test('are listed with the counters of a plain list', async () => {
    const result = await main.run(
      `{ remote_users(${endpoint('user-search.json')}, per_page: 5) { total_entries total_pages current_page has_next_page has_previous_page results { email } } }`,
    )
    expect(result).toEqual({
      remote_users: {
        ...{ total_entries: 1, total_pages: 1, current_page: 1, has_next_page: false, has_previous_page: false },
        results: [{ email: 'ada@example.com' }],
      },
    })
    expect(remote.requests).toEqual(['POST /user-search.json'])
  })

  test('have no credentials', async () => {
    const nested = `remote_users(${endpoint('people.json')}, join_on_property: "remote_id")`
    for (const document of [
      children(`${nested} { authenticate { password(password: "x") } }`),
      `{ remote_users(${endpoint('user-search.json')}, per_page: 5) { results { authenticate { password(password: "x") } } } }`,
    ]) {
      const { errors } = await main.run(document)
      expect(errors?.map(({ message }: Error) => message)).toEqual([
        'The field `authenticate` is not available for users of other sites.',
      ])
    }
    expect(remote.requests).toEqual([])
  })
})

describe('a page of records of another site', () => {
  const FILTER =
    'filter: { table: { value: "parent_model" }, properties: [{ name: "parent_title", starts_with: "Parent" }] }'

  test('is found with the filter, sort and page that the other site gets as JSON', async () => {
    const result = await main.run(
      `query($filter: RecordsFilterInput) { remote_records(${endpoint('search.json')}, filter: $filter, per_page: 1, page: 2, sort: [{ table_id: { order: ASC } }, { id: { order: DESC } }]) { total_entries total_pages current_page per_page has_next_page has_previous_page results { title: property(name: "parent_title") } } }`,
      {
        filter: { table: { value: 'parent_model' }, properties: [{ name: 'parent_title', starts_with: 'Parent' }] },
      },
    )
    expect(result).toEqual({
      remote_records: {
        ...{ total_entries: 2, total_pages: 2, current_page: 2, per_page: 1 },
        ...{ has_next_page: false, has_previous_page: true, results: [{ title: 'Parent <1>' }] },
      },
    })
  })

  test('stands beside fields of the own database', async () => {
    const result = await main.run(
      `{ own: records(per_page: 1, filter: { table: { value: "child_model" } }) { results { id } } far: remote_records(${endpoint('search.json')}, ${FILTER}, per_page: 5) { total_entries } }`,
    )
    expect(result['own'].results).toHaveLength(1)
    expect(result['far']).toEqual({ total_entries: 2 })
  })

  test('that the other site refuses leaves the errors', async () => {
    const result = await main.run(
      `{ remote_records(endpoint: { url: "${remote.url}/nothing.json?key=of-the-url" }, per_page: 5) { total_entries } }`,
    )
    expect(result.errors).toMatchObject([
      { message: `The site ${remote.url} answered with status 404.`, path: ['remote_records'] },
    ])
    expect(JSON.stringify(result)).not.toContain('of-the-url')
  })
})
