/** Exports and imports of tables whose properties are columns of their records. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import { exportJson, type Home, home, importJson, parsed, property } from './support.ts'

const column = { column: true } as const
const DATA: DataSchema = {
  tables: [
    {
      name: 'profile',
      file: 'app/schema/profile.yml',
      properties: [
        property('bio'),
        { ...property('user_id'), ...column },
        { ...property('external_id'), ...column },
        { ...property('created_at', 'datetime'), ...column },
      ],
    },
  ],
  user: [],
  profiles: [],
}

let to: Home
beforeAll(async () => {
  to = await home(DATA)
})
afterAll(() => to.close())
beforeEach(() => to.sql.unsafe('truncate ingot.records, ingot.users cascade'))

const profiles = async (): Promise<readonly unknown[]> => parsed(await exportJson(to, DATA)).tables['profile'] ?? []

test('rows of a site that kept them among the properties are taken, and come out as columns', async () => {
  const rows = [
    { properties: { bio: 'a', user_id: '7', external_id: 'e1', created_at: '2020-01-02T03:04:05.000Z' } },
    { user_id: '8', properties: { bio: 'b', user_id: '9' } },
    {
      external_id: 'e3',
      properties: { user_id: { $user: 'ada@example.com' } },
      undeclared: { external_id: 'e4', x: 1 },
    },
    { properties: { bio: 'd', user_id: '' } },
  ]
  const users = [{ email: 'ada@example.com' }]
  expect(await importJson(to, { users, tables: { profile: rows } }, { data: DATA })).toMatchObject({
    added: 5,
    faults: [],
  })
  const [ada] = await to.sql`select id::text from ingot.users`
  expect(await profiles()).toMatchObject([
    { user_id: '7', external_id: 'e1', created_at: '2020-01-02T03:04:05.000Z', properties: { bio: 'a' } },
    { user_id: '8', properties: { bio: 'b' } },
    { user_id: ada!['id'], external_id: 'e3', properties: {}, undeclared: { x: 1 } },
    { properties: { bio: 'd' } },
  ])
  const stored = await to.sql`select properties from ingot.records order by id`
  expect(stored.map((row) => row['properties'] as unknown)).toEqual([{ bio: 'a' }, { bio: 'b' }, {}, { bio: 'd' }])
})

test('what the column cannot hold is refused', async () => {
  const { faults } = await importJson(
    to,
    { tables: { profile: [{ properties: { user_id: 'nobody' } }] } },
    { data: DATA },
  )
  expect(faults).toEqual([expect.stringContaining('`user_id` must be a whole number from 1 to')])
})
