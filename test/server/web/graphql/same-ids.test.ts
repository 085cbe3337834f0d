/** Users and records have ids from separate sequences. A user and a record may have the same id, and are never confused. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { exportJson, home, importJson, parsed } from '../transfer/support.ts'
import { property } from './served.ts'
import { ADMIN, field, form, forms, group, nested, type ServedForms, serveForms } from '../rest/support.ts'
import { page, site } from '../../../support/server/site.ts'

const ID = '7000'
const DATA = {
  tables: [
    { name: 'note', file: 'app/schema/note.yml', properties: [property('title', 'string')] },
    { name: 'part', file: 'app/schema/part.yml', properties: [property('name', 'string')] },
  ],
  user: [property('title', 'string')],
  profiles: [],
}
const PARTS = [
  nested('customizations', 'part', group({ properties: [field('name')] })),
  nested('custom_addresses', 'home', group({ attributes: [field('city')] })),
]

let database: TestDatabase
let served: ServedForms

beforeAll(async () => {
  database = await testDatabase()
  const whose = page('whose', {
    format: 'json',
    async render(r) {
      const document = '{ current_user { id email } }'
      const answer = (await r.port('graphql', 'graphql').run({ document }, {})) as object
      return JSON.stringify({ ...answer, token: String(r.context['authenticity_token']) })
    },
  })
  const fields = group({ properties: [field('title')], nested: PARTS })
  const all = forms(
    form('note', { table: 'note', fields }),
    form('user', { resource: 'user', fields }),
    form('log_in', {
      resource: 'session',
      fields: group({ attributes: [field('email'), field('password')] }),
    }),
  )
  served = await serveForms(site([whose], { data: DATA, forms: all }), database)
  await ask(`mutation { user_create(user: { email: "ada@example.com", password: "secret1" }) { id } }`)
  await database.sql`update ingot.users set id = ${ID}`
  await ask(
    `mutation { record_create(record: { table: "note", id: "${ID}", user_id: "${ID}", properties: [{ name: "title", value: "the note" }] }) { id } }`,
  )
})
afterAll(async () => {
  await served.close()
  await database.close()
})

async function ask(query: string): Promise<Record<string, unknown>> {
  const { status, json } = await served.send('POST', '/api/graph', { query }, { token: ADMIN })
  expect([status, json['errors']]).toEqual([200, undefined])
  return json['data'] as Record<string, unknown>
}

const titles = async (): Promise<readonly unknown[]> => {
  const [[note], [user]] = await Promise.all([
    database.sql`select properties ->> 'title' as title from ingot.records where id = ${ID} and deleted_at is null`,
    database.sql`select properties ->> 'title' as title from ingot.users where id = ${ID} and deleted_at is null`,
  ])
  return [note?.['title'], user?.['title']]
}

it('each is read and related as what it is', async () => {
  const relation = 'related_user(join_on_property: "user_id", foreign_property: "id") { id email }'
  const notes =
    'related_records(table: "note", join_on_property: "id", foreign_property: "user_id") { id title: property(name: "title") }'
  const data = await ask(`{
    records(per_page: 5, filter: { id: { value: "${ID}" } }) { results { id table owner: ${relation} self: related_user(join_on_property: "id", foreign_property: "id") { email } } }
    users(per_page: 5, filter: { id: { value: "${ID}" } }) { results { id email ${notes} } }
    user(id: "${ID}") { email }
  }`)
  expect(data).toMatchObject({
    records: { results: [{ id: ID, table: 'note', owner: { id: ID, email: 'ada@example.com' } }] },
    users: { results: [{ id: ID, email: 'ada@example.com', related_records: [{ id: ID, title: 'the note' }] }] },
    user: { email: 'ada@example.com' },
  })
})

it('the REST API, and what hangs on them, tells them apart', async () => {
  const below = (name: string) => ({
    properties: { title: name },
    customizations: { part: { properties: { name } } },
    custom_addresses: { home: { city: name } },
  })
  const put = (path: string, form_name: string, values: object) =>
    served.send('PUT', `${path}/${ID}`, { form_name, form: values })
  expect((await put('/api/customizations', 'note', below('note'))).status).toBe(204)
  expect((await put('/api/users', 'user', below('user'))).status).toBe(204)
  expect(await titles()).toEqual(['note', 'user'])
  expect(
    await database.sql`select customizable_type as of, properties ->> 'name' as name from ingot.records
      where customizable_id = ${ID} order by id`,
  ).toEqual([
    { of: 'Customization', name: 'note' },
    { of: 'User', name: 'user' },
  ])
  expect(
    await database.sql`select owner_type as of, fields ->> 'city' as city from ingot.addresses order by owner_type`,
  ).toEqual([
    { of: 'Record', city: 'note' },
    { of: 'User', city: 'user' },
  ])
})

it('what is exported comes back as both', async () => {
  const text = await exportJson({ ...database, ids: served.ids }, DATA)
  const to = await home(DATA)
  try {
    expect(await importJson(to, text, { data: DATA })).toMatchObject({ refused: 0, faults: [] })
    expect(parsed(await exportJson(to, DATA))).toEqual(parsed(text))
    const [row] = await to.sql`select (select email from ingot.users where id = ${ID}) as email,
      (select user_id::text from ingot.records where id = ${ID}) as owner`
    expect(row).toEqual({ email: 'ada@example.com', owner: ID })
  } finally {
    await to.close()
  }
})

it('a session, its user and feeds outlive the record of the same id', async () => {
  const browser = served.browser()
  const credentials = { email: 'ada@example.com', password: 'secret1' }
  const signed = await browser.post('/api/sessions', {
    form_name: 'log_in',
    authenticity_token: String((await browser.get('/whose.json')).json['token']),
    ...Object.fromEntries(Object.entries(credentials).map(([name, value]) => [`form[${name}]`, value])),
  })
  expect(signed.status).toBeLessThan(400)
  const mine = { current_user: { id: ID, email: 'ada@example.com' } }
  expect((await browser.get('/whose.json')).json).toMatchObject(mine)
  const data = await ask(
    `mutation { activity_create(payload: { actor: { id: "User.${ID}" }, object: { id: "Note.${ID}" } }) { uuid payload } }`,
  )
  expect(data['activity_create']).toMatchObject({
    payload: { actor: { id: `User.${ID}` }, object: { id: `Note.${ID}` } },
  })
  await ask(`mutation { record_delete(table: "note", id: "${ID}") { id } }`)
  expect(await titles()).toEqual([undefined, 'user'])
  expect((await browser.get('/whose.json')).json).toMatchObject(mine)
  await ask(`mutation { record_update(id: "${ID}", record: { table: "note", deleted_at: null }) { id } }`)
  await ask(`mutation { user_delete(id: "${ID}") { id } }`)
  expect(await titles()).toEqual(['note', undefined])
})
