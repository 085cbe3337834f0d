/** Floats in results: templates print a whole float with its decimal point, and programs receive JSON numbers. Integers are unchanged. */
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { bodyText } from '../../../support/built-site.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'
import { ADMIN, SECRET } from './served.ts'

const VALUES =
  'f: property_float(name: "f") d: property_float(name: "d") i: property_int(name: "i") if: property_float(name: "i")'
const ROWS = `{ records(per_page: 20, filter: { table: { value: "item" } }, sort: [{ id: { order: ASC } }]) { results { ${VALUES} } } }`
const FILTER = 'filter: { table: { value: "item" } }, sort: [{ id: { order: ASC } }]'

const FILES: Readonly<Record<string, string>> = {
  'app/schema/item.yml':
    'name: item\nproperties:\n  - name: f\n    type: float\n  - name: i\n    type: integer\n  - name: d\n    type: decimal\n  - name: t\n',
  'app/graphql/rows.graphql': ROWS,
  'app/graphql/counted.graphql': `{ records(per_page: 20, ${FILTER}) { total_entries results { ${VALUES} } } }`,
  'app/graphql/selected.graphql': `{ records(per_page: 20, ${FILTER}) { results { properties(select: [{ name: "f", attribute_type: float }, { name: "i", attribute_type: int }]) } } }`,
  'app/graphql/stored.graphql': `{ records(per_page: 20, ${FILTER}) { results { properties } } }`,
  'app/graphql/create.graphql':
    'mutation($f: Float) { record_create(record: { table: "item", properties: [{ name: "f", value_float: $f }] }) { id f: property_float(name: "f") properties } }',
  'app/graphql/remove.graphql': 'mutation($id: ID!) { record_delete(id: $id, table: "item") { id } }',
  'app/schema/other.yml': 'name: other\nproperties:\n  - name: f\n    type: integer\n  - name: i\n    type: float\n',
  'app/graphql/both.graphql':
    '{ records(per_page: 20, filter: { table: { value_in: ["other", "item"] } }, sort: [{ id: { order: ASC } }]) { results { properties } } }',
  'app/graphql/all.graphql': '{ records(per_page: 20, sort: [{ id: { order: ASC } }]) { results { properties } } }',
  'app/graphql/related.graphql':
    '{ records(per_page: 1, filter: { table: { value: "item" } }, sort: [{ id: { order: ASC } }]) { results { all: related_records(table: ["other", "item"], join_on_property: "i", foreign_property: "i", sort: [{ id: { order: ASC } }]) { properties } } } }',
  'app/views/pages/both.liquid':
    '{% graphql g = "both" %}{% for x in g.records.results %}[{{ x.properties.f }} {{ x.properties.i }}]{% endfor %}',
  'app/views/pages/all.liquid':
    '{% graphql g = "all" %}{% for x in g.records.results %}[{{ x.properties.f }} {{ x.properties.i }}]{% endfor %}',
  'app/views/pages/related.liquid':
    '{% graphql g = "related" %}{% for x in g.records.results.first.all %}[{{ x.properties.f }} {{ x.properties.i }}]{% endfor %}',
  'app/views/pages/rows.liquid':
    '{% graphql g = "rows" %}{% for x in g.records.results %}[{{ x.f }} {{ x.d }} {{ x.i }} {{ x.if }}]{% endfor %}{{ g.records.results.first | json }}',
  'app/views/pages/counted.liquid':
    '{% graphql g = "counted" %}{{ g.records.total_entries }}{% for x in g.records.results %}[{{ x.f }} {{ x.d }} {{ x.i }} {{ x.if }}]{% endfor %}',
  'app/views/pages/selected.liquid':
    '{% graphql g = "selected" %}{% for x in g.records.results %}[{{ x.properties.f }} {{ x.properties.i }}]{% endfor %}',
  'app/views/pages/stored.liquid':
    '{% graphql g = "stored" %}{% for x in g.records.results %}[{{ x.properties.f }} {{ x.properties.d }} {{ x.properties.i }} {{ x.properties.t }}]{% endfor %}',
  'app/views/pages/math.liquid':
    '{% graphql g = "rows" %}{% assign x = g.records.results.first %}{{ x.f | divided_by: 3 }} {{ x.i | divided_by: 3 }} {{ x.f | plus: x.i }} {% if x.f == 4 %}same{% endif %}',
  'app/views/pages/write.liquid':
    '{% graphql g = "create", f: 7.0 %}{% assign x = g.record_create %}{{ x.f }} {{ x.properties.f }}{% graphql again = "create", f: x.f %} {{ again.record_create.f }}{% graphql _ = "remove", id: x.id %}{% graphql _ = "remove", id: again.record_create.id %}',
}

let database: TestDatabase
let built: LiquidSite
let graphql: GraphqlProcess
let app: App

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const { sql } = database
  const logger = pino({ level: 'silent' })
  const ids = await applyData(sql, built.loaded.site.data)
  graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: ADMIN, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const facts = { environment: 'production', version: '0.1.0', constants: graphql.constants.all, logger } as const
  app = createApp(built.loaded, { ...facts, graphql, accounts }, ids)
  const rows = ['{"f": 4, "i": 4, "d": 10, "t": "4"}', '{"f": -0.5, "i": -3, "d": 1.50}', '{"f": 1e20, "d": 0}', '{}']
  for (const properties of rows)
    await sql`insert into ingot.records (table_id, properties) values (${ids.get('item') ?? 0}, ${properties}::text::jsonb)`
  await sql`insert into ingot.records (table_id, properties) values (${ids.get('other') ?? 0}, '{"f": 4, "i": 4}')`
})
afterAll(async () => {
  await graphql.close()
  await database.close()
  built.close()
})

async function get(url: string): Promise<string> {
  return bodyText(await app.handler(request(url)))
}

describe('in templates', () => {
  // The database returns some values as columns, and others as JSON.
  it.each([
    ['rows', '', '{"f":4.0,"d":10.0,"i":4,"if":4.0}'],
    ['counted', '4', ''],
  ])('they have a point wherever they are selected: %s', async (path, before, after) => {
    expect(await get(`/${path}`)).toBe(`${before}[4.0 10.0 4 4.0][-0.5 1.5 -3 -3.0][1.0e+20 0.0  ][   ]${after}`)
  })

  it('so have those of properties, by the selected type and by the declared one', async () => {
    expect(await get('/selected')).toBe('[4.0 4][-0.5 -3][1.0e+20 ][ ]')
    expect(await get('/stored')).toBe('[4.0 10.0 4 4][-0.5 1.5 -3 ][1.0e+20 0.0  ][   ]')
  })

  it('of several tables each row has those of its own', async () => {
    const both = '[4.0 4][-0.5 -3][1.0e+20 ][ ][4 4.0]'
    expect(await get('/both')).toBe(both)
    expect(await get('/all')).toBe(both)
    expect(await get('/related')).toBe('[4.0 4][4 4.0]')
  })

  it('they reckon as Floats, and go back as they came', async () => {
    expect(await get('/math')).toBe('1.3333333333333333 1 8.0 same')
    expect(await get('/write')).toBe('7.0 7.0 7.0')
  })
})

it('programs get the numbers of JSON, also of a document that a page has sent before', async () => {
  await get('/rows')
  const body = Buffer.from(JSON.stringify({ query: ROWS }))
  const headers = { authorization: `Token ${ADMIN}`, 'content-type': 'application/json' }
  const text = bodyText(await app.handler(request('/api/graph', { method: 'POST', body, headers })))
  expect(text).toContain('{"f":4,"d":10,"i":4,"if":4}')
  expect(text).not.toContain('$')
})
