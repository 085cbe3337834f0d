/** Forms whose fields are properties with the names of columns of the record. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { property } from '../graphql/served.ts'
import { field, form, forms, group, nested, rule, type ServedForms, serveForms } from '../rest/support.ts'
import { page, site } from '../../../support/server/site.ts'

let database: TestDatabase
let served: ServedForms

const column = { column: true } as const
const FIELDS = group({
  properties: [
    field('bio', 'string', rule('presence')),
    field('user_id'),
    field('external_id', 'string', rule('unique', { scope: ['properties.user_id'] })),
    field('created_at', 'datetime'),
    field('updated_at', 'datetime'),
  ],
})

beforeAll(async () => {
  database = await testDatabase()
  const properties = [
    property('bio', 'string'),
    property('user_id', 'string', column),
    property('external_id', 'string', column),
    property('created_at', 'datetime', column),
    property('updated_at', 'datetime', column),
  ]
  const data = {
    tables: [
      { name: 'profile', file: 'app/schema/profile.yml', properties },
      { name: 'team', file: 'app/schema/team.yml', properties: [property('name', 'string')] },
    ],
    user: [],
    profiles: [],
  }
  const all = forms(
    form('profile', { table: 'profile', fields: FIELDS }),
    form('team', {
      table: 'team',
      fields: group({ properties: [field('name')], nested: [nested('customizations', 'profile', FIELDS)] }),
    }),
  )
  served = await serveForms(site([page('/', { render: () => 'home' })], { data, forms: all }), database)
})
afterAll(async () => {
  await served.close()
  await database.close()
})

const row = async (id: unknown) => {
  const found =
    await database.sql`select user_id::text, external_id, properties, created_at from ingot.records where id = ${String(id)}`
  return found[0]!
}

const send = (method: string, id: string, properties: unknown, name = 'profile', table = 'profile') =>
  served.send(method, `/api/customizations${id}`, {
    form_name: name,
    parent_resource_id: table,
    form: { model_schema_name: table, properties },
  })

it('write the columns, and leave them where nothing is sent', async () => {
  const made = await send('POST', '', {
    bio: 'a',
    user_id: '7',
    external_id: 'e1',
    created_at: '2020-01-02T03:04:05Z',
    updated_at: '2020-01-02T03:04:05Z',
  })
  expect(made).toMatchObject({ status: 201 })
  const { id } = made.json
  const first = {
    user_id: '7',
    external_id: 'e1',
    properties: { bio: 'a' },
    created_at: new Date('2020-01-02T03:04:05Z'),
  }
  expect(await row(id)).toEqual(first)
  expect((await send('PUT', `/${String(id)}`, { bio: 'b', created_at: '' })).status).toBe(204)
  expect(await row(id)).toEqual({ ...first, properties: { bio: 'b' } })
  expect((await send('PUT', `/${String(id)}`, { user_id: '8' })).status).toBe(204)
  expect(await row(id)).toEqual({ ...first, user_id: '8', properties: { bio: 'b' } })
  const wrong = await send('PUT', `/${String(id)}`, { user_id: 'nobody' })
  expect(wrong.status).toBe(422)
  expect(JSON.stringify(wrong.json)).toContain('properties.user_id')
  expect(await row(id)).toEqual({ ...first, user_id: '8', properties: { bio: 'b' } })
})

it('are unique by the columns', async () => {
  expect((await send('POST', '', { bio: 'a', user_id: '20', external_id: 'same' })).status).toBe(201)
  expect((await send('POST', '', { bio: 'b', user_id: '21', external_id: 'same' })).status).toBe(201)
  const taken = await send('POST', '', { bio: 'c', user_id: '20', external_id: 'same' })
  expect(taken.status).toBe(422)
  expect(JSON.stringify(taken.json)).toContain('properties.external_id')
})

it('write those of a record below', async () => {
  const made = await served.send('POST', '/api/customizations', {
    form_name: 'team',
    parent_resource_id: 'team',
    form: {
      model_schema_name: 'team',
      properties: { name: 't' },
      customizations: { profile: { properties: { bio: 'below', user_id: '30' } } },
    },
  })
  expect(made.status).toBe(201)
  const below =
    await database.sql`select user_id::text, properties from ingot.records where customizable_id = ${String(made.json['id'])}`
  expect(below).toEqual([{ user_id: '30', properties: { bio: 'below' } }])
})
