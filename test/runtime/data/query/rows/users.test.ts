/** Users: filters, sorts, profiles, and the signed-in user. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type QueryDatabase, openQueryDatabase, type Data, property } from './run-query.ts'

describe('users', () => {
  let database: QueryDatabase

  beforeAll(async () => {
    database = await openQueryDatabase({
      tables: [],
      user: [property('roles', 'array'), property('age', 'integer')],
      profiles: [
        {
          name: 'developer',
          file: 'app/user_profile_schemas/developer.yml',
          properties: [property('level', 'integer'), property('city', 'string')],
        },
      ],
    })
    await database.run(`insert into ingot.users (id, email, slug, name, first_name, last_name, external_id, properties, deleted_at) values
      (1, 'Ann@Example.com', 'ann', 'Ann Lee', 'Ann', 'Lee', 'x1', '{"roles": ["admin", "editor"], "age": 41}', null),
      (2, 'bob@example.com', 'bob', 'Bob', 'Bob', null, null, '{"roles": ["editor"]}', null),
      (3, 'cid@example.com', 'cid', null, null, null, null, '{"age": 7}', null),
      (4, 'dee@example.com', 'dee', 'Dee', 'Dee', 'Doe', 'x4', '{}', '2021-01-01T00:00:00Z')`)
    await database.run(`insert into ingot.profiles (user_id, profile_type, properties) values
      (1, 'developer', '{"level": 9, "city": "Rome"}'), (2, 'developer', '{"level": 10}'), (1, 'default', '{}')`)
  })
  afterAll(() => database.close())

  async function ids(args: string): Promise<string> {
    const { users } = await database.ask(`{ users(per_page: 9, ${args}) { results { id } } }`)
    return users.results.map((row: Data) => row['id']).join('')
  }

  it.each([
    ['filter: {}', '123'],
    ['filter: { id: { value: 2 } }', '2'],
    ['filter: { id: { value: "2 or 1" } }', ''],
    ['filter: { external_id: { value: "x1" } }', '1'],
    ['filter: { external_id: { value: "" } }', '23'],
    ['filter: { external_id: { not_value_in: ["x1"] } }', '23'],
    ['filter: { email: { value: "ANN@example.COM" } }', '1'],
    ['filter: { email: { value_in: ["ann@EXAMPLE.com", "bob@example.com"] } }', '12'],
    ['filter: { email: { ends_with: "@EXAMPLE.com" } }', '123'],
    ['filter: { email: { value: "\' or true --" } }', ''],
    ['filter: { first_name: { value: "ANN" } }', '1'],
    ['filter: { first_name: { value: "" } }', '3'],
    ['filter: { last_name: { not_value: "lee" } }', '23'],
    ['filter: { name: { contains: "lee" } }', '1'],
    ['filter: { slug: { value: "bob" } }', '2'],
    ['filter: { slug: { value: "BOB" } }', ''],
    ['filter: { deleted_at: { exists: true } }', '4'],
    ['filter: { properties: [{ name: "roles", array_contains: ["admin"] }] }', '1'],
    ['filter: { properties: [{ name: "age", range: { gt: "7" } }] }', '1'],
    ['filter: { or: [{ email: { value: "bob@example.com" } }, { properties: [{ name: "age", value: "7" }] }] }', '23'],
    ['filter: { profiles: [{ name: "developer" }] }', '12'],
    ['filter: { profiles: [{ name: "developer", properties: [{ name: "level", range: { gt: "9" } }] }] }', '2'],
    [
      'filter: { profiles: [{ name_filter: { starts_with: "dev" }, properties: [{ name: "city", value: "Rome" }] }] }',
      '1',
    ],
    ['filter: {}, sort: [{ email: { order: DESC } }]', '321'],
    ['filter: {}, sort: [{ name: { order: ASC } }]', '123'],
    ['filter: {}, sort: [{ properties: [{ name: "age", order: ASC }] }]', '312'],
    ['filter: {}, sort: [{ profile_properties: [{ name: "level", order: DESC }] }]', '321'],
    ['filter: {}, sort: [{ slug: { order: ASC, order_by_values: ["cid", "bob"] } }]', '321'],
  ])('%s', async (args, expected) => {
    expect(await ids(args)).toBe(expected)
  })

  it('show their columns, properties and profiles', async () => {
    const { user } =
      await database.ask(`{ user(id: 1) { id email slug name first_name middle_name last_name language external_id deleted_at
      roles: property_array(name: "roles") properties
      profile(profile_type: "developer") { profile_type level: property_int(name: "level") properties }
      none: profile(profile_type: "default") { id }
      profiles { profile_type }
      dev: profiles(profile_type: "developer") { city: property(name: "city") } } }`)
    expect(user).toMatchObject({
      id: '1',
      email: 'Ann@Example.com',
      name: 'Ann Lee',
      middle_name: null,
      external_id: 'x1',
      deleted_at: null,
      roles: ['admin', 'editor'],
      properties: { roles: ['admin', 'editor'], age: 41 },
      profile: { profile_type: 'developer', level: 9, properties: { level: 9, city: 'Rome' } },
      profiles: [{ profile_type: 'developer' }, { profile_type: 'default' }],
      dev: [{ city: 'Rome' }],
    })
  })

  it('are found one by one', async () => {
    const one = async (args: string) => (await database.ask(`{ user${args} { id } }`))['user']?.id ?? null
    expect(await one('(email: "BOB@EXAMPLE.COM")')).toBe('2')
    expect(await one('(slug: "ann", id: 1)')).toBe('1')
    expect(await one('(slug: "ann", id: 2)')).toBe(null)
    expect(await one('(external_id: "x1")')).toBe('1')
    expect(await one('(external_id: "")')).toBe(null)
    expect(await one('(id: 4)')).toBe(null)
    expect(await one('(id: 4, is_deleted: true)')).toBe('4')
    expect(await one('(id: 1, is_deleted: true)')).toBe(null)
    expect(await one('')).toBe(null)
  })

  it('are the signed-in one, or nobody', async () => {
    expect(await database.ask('{ current_user { id email } }')).toEqual({ current_user: null })
    expect(await database.ask('{ current_user { id email } }', {}, '2')).toEqual({
      current_user: { id: '2', email: 'bob@example.com' },
    })
    expect(await database.ask('{ current_user { id } }', {}, '4')).toEqual({ current_user: null })
  })

  it('have nothing in properties that are not declared, and only declared profiles', async () => {
    const { users } = await database.ask('{ users(per_page: 1) { results { property(name: "rolls") } } }')
    expect(users.results).toEqual([{ property: null }])
    expect(
      await database.complaints('{ users(per_page: 1) { results { profile(profile_type: "develop") { id } } } }'),
    ).toEqual(['There is no profile type `develop`. Did you mean `developer`?'])
  })
})
