/**
 * Queries that fail in templates: the result has `errors` and the page continues, unless the configuration of the site makes failed queries
 * raise an error.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../../../server/web/app.ts'
import { type LoggedSite, loggedSite } from '../../../support/server/logged-site.ts'
import { request } from '../../../support/server/site.ts'

const OPERATIONS: Readonly<Record<string, string>> = {
  count: 'query($limit: Int = 3, $from: Int!) { records(per_page: $limit, page: $from) { per_page } }',
  remove: 'mutation($id: ID!) { record_delete(id: $id, table: "item") { id } }',
  change:
    'mutation($id: ID!) { record_update(id: $id, record: { properties: [{ name: "title", value: "b" }] }) { id } }',
  create:
    'mutation($price: String) { record_create(record: { table: "item", properties: [{ name: "price", value: $price }] }) { id } }',
  form: 'mutation { record_create(form_name: "item", record: { properties: [{ name: "title", value: "" }] }) { id } }',
  missing: '{ listings(per_page: 1) { total_entries } }',
  join: 'mutation { user_create(user: { email: "twin@example.com", password: "long enough" }) { id } }',
  listed:
    'query($titles: String) { records(per_page: 5, filter: { table: { value: "item" }, properties: [{ name: "title", value_in: $titles }] }) { total_entries } }',
  slow: '{ users(per_page: 1, options: { timeout: 1 }) { total_entries } }',
  half: 'mutation($id: ID!) { constant_set(name: "A", value: "b") { name } record_delete(id: $id, table: "item") { id } }',
}

const SAY = '{{ g.errors[0].message }}|on'
const page = (query: string, given = ''): string => `{% graphql g = '${query}'${given} %}${SAY}`
const sent = (document: string): string =>
  `{% assign document = '${document}' %}{% graphql g %}{{ document }}{% endgraphql %}${SAY}`

const PAGES: Readonly<Record<string, string>> = {
  syntax: sent('{ records(per_page: 1'),
  refused: sent('{ records(per_page: 1) { nothing } }'),
  mistyped: page('count', ', limit: context.params.limit, from: 1'),
  absent: page('count', ', args: context.params'),
  gone: page('remove', ", id: '987'"),
  unchanged: page('change', ", id: '987'"),
  value: page('create', ', price: context.params.price'),
  form: page('form'),
  unserved: page('missing'),
  twin: page('join'),
  slow: page('slow'),
  half: page('half', ", id: '987'"),
  deep: "\n{% render 'inner' %}after",
  caught:
    "{% try %}{% graphql g = 'remove', id: '987' %}{{ g.errors[0].message }}|on{% catch e %}caught: {{ e.message }}{% endtry %}",
  often: "{% for i in (1..3) %}{% graphql g = 'remove', id: '987' %}{% endfor %}done",
  cached: `{% cache 'fragment' %}{% graphql g = 'remove', id: '987' %}{{ g.errors.size }}{{ context.params.n }}{% endcache %}`,
  listed:
    "{% graphql g = 'listed', titles: context.params.title %}{{ g.records.total_entries }}{{ g.errors[0].message }}",
  limit:
    "{% graphql g = 'count', limit: context.params.limit, from: context.params.from %}{{ g.records.per_page }}{{ g.errors[0].message }}",
}

const FILES: Readonly<Record<string, string>> = {
  'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n  - name: price\n    type: integer\n',
  'app/forms/item.liquid':
    '---\nname: item\nresource: item\nfields:\n  properties:\n    title:\n      validation:\n        presence: true\n---\n',
  'app/views/partials/inner.liquid': "\n\n{% graphql g = 'remove', id: '987' %}{{ g.errors.size }} ",
  ...Object.fromEntries(Object.entries(PAGES).map(([name, text]) => [`app/views/pages/${name}.liquid`, text])),
  ...Object.fromEntries(Object.entries(OPERATIONS).map(([name, text]) => [`app/graphql/${name}.graphql`, text])),
}

/** Each page with the error that it prints, and with the failed part in the log's entry. */
const FAILURES: readonly (readonly [url: string, said: string, query: string])[] = [
  ['/syntax', 'Expected a name, found the end.', 'query'],
  ['/refused', 'Cannot query field `nothing` on type `RecordCollection`.', 'query'],
  ['/mistyped?limit=many', 'Variable `$limit`: it must be a whole number, not `many`.', "query 'count'"],
  ['/absent', 'Variable `$from`: a value is required.', "query 'count'"],
  ['/gone', "Can't find item with id=987", "query 'remove'"],
  ['/unchanged', 'with id=987', "query 'change'"],
  ['/value?price=dear', 'Property `price` is an integer', "query 'create'"],
  ['/form', '', "query 'form'"],
  ['/unserved', 'is not supported (missing feature: the old search).', "query 'missing'"],
  ['/twin', 'A user with this email exists already', "query 'join'"],
  ['/slow', 'The query took too long and was stopped', "query 'slow'"],
]

let site: LoggedSite
let untold: App

beforeAll(async () => {
  site = await loggedSite(FILES)
  untold = await site.app(null)
  await site.sql`insert into ingot.users (email, slug) values ('twin@example.com', 'twin')`
})
afterAll(() => site?.close())
beforeEach(() => site.clearLog())

async function get(from: App, url: string): Promise<{ readonly status: number; readonly text: string }> {
  // The query of users waits while another connection has locked their table.
  const ask = async () => from.handler(request(url, { host: 'shop.example' }))
  const { status, body } = await (url !== '/slow'
    ? ask()
    : site.sql.begin(async (other) => {
        await other`lock table ingot.users`
        return ask()
      }))
  return { status, text: String(body).trim() }
}

describe.each([
  ['without a configuration', () => untold],
  ['where the mode is false', () => site.printing],
] as const)('%s', (_title, app) => {
  test.each(FAILURES)('%s goes on with errors, and is logged', async (url, said, query) => {
    const { status, text } = await get(app(), url)
    expect(status).toBe(200)
    const [message = '', rest] = text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').split('|')
    expect(message).not.toBe('')
    expect(message).toContain(said)
    expect(rest).toBe('on')
    const [entry] = await site.waitForEntries(1)
    expect(entry?.type).toBe('error')
    expect(entry?.message).toContain(`${query}: ${message}`)
    expect(entry?.data).toMatchObject({ type: 'GraphQLError', page: url.slice(1).replace(/\?.*/, '') })
  })
})

test('of several mutations nothing is kept where one fails', async () => {
  expect((await get(untold, '/half')).text).toMatch(/^Can.*987\|on$/)
  expect(await site.sql`select 1 from ingot.constants`).toHaveLength(0)
  await site.waitForEntries(1)
})

test('the entry has the way through the templates', async () => {
  expect((await get(untold, '/deep')).text).toMatch(/^1\s+after$/)
  const [entry] = await site.waitForEntries(1)
  expect(entry?.data).toMatchObject({
    partial: 'app/views/partials/inner.liquid',
    line: 3,
    stack: [
      { path: 'app/views/partials/inner.liquid', line: 3 },
      { path: 'app/views/pages/deep.liquid', line: 2 },
    ],
  })
})

test('the same failure is logged once for each render', async () => {
  await get(untold, '/often')
  await get(untold, '/often')
  expect(await site.waitForEntries(2)).toHaveLength(2)
})

test('no fragment is kept that a failed query is part of', async () => {
  expect((await get(untold, '/cached?n=a')).text).toBe('1a')
  expect((await get(untold, '/cached?n=b')).text).toBe('1b')
  await site.waitForEntries(2)
})

describe('where the configuration says that errors raise', () => {
  test.each(FAILURES)('%s ends the answer', async (url, _said, query) => {
    expect((await get(site.raising, url)).status).toBe(500)
    const [entry] = await site.waitForEntries(1)
    expect(entry?.type).toBe('error')
    expect(entry?.message).toContain(query)
  })

  test('`try` catches it', async () => {
    const { status, text } = await get(site.raising, '/caught')
    expect(status).toBe(200)
    expect(text.replaceAll('&#39;', "'")).toMatch(/^caught: .*query 'remove': Can't find item with id=987$/)
    expect((await get(untold, '/caught')).text.replaceAll('&#39;', "'")).toBe("Can't find item with id=987|on")
    await site.waitForEntries(1)
  })
})

describe('a value that its variable does not take', () => {
  test('is a list of one where a query takes a list', async () => {
    await site.sql`insert into ingot.records (table_id, properties)
      select id, jsonb_build_object('title', t) from ingot.tables, unnest(array['a', 'b']) t where name = 'item'`
    const warning = await site.app('graphql_argument_type_mismatch_mode: warning\n')
    for (const app of [untold, warning]) expect((await get(app, '/listed?title=a')).text).toBe('1')
  })

  test('is left out where the configuration warns of it', async () => {
    const warning = await site.app('graphql_argument_type_mismatch_mode: warning\n')
    expect((await get(warning, '/limit?limit=many&from=1')).text).toBe('3')
    expect(await site.waitForEntries(1)).toMatchObject([
      { type: 'warning', message: "query 'count': Variable `$limit`: it must be a whole number, not `many`." },
    ])
    expect((await get(warning, '/limit?limit=4&from=first')).text).toBe('Variable `$from`: a value is required.')
    await site.waitForEntries(3)
  })

  test('is left out in silence where the configuration ignores it', async () => {
    const ignoring = await site.app('graphql_argument_type_mismatch_mode: ignore\n')
    expect((await get(ignoring, '/limit?limit=many&from=1')).text).toBe('3')
    await get(ignoring, '/gone')
    expect((await site.waitForEntries(1))[0]?.message).toContain("query 'remove'")
  })
})
