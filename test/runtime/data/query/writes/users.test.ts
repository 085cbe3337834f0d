import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ground, openGround } from './ground.ts'

let ground: Ground

beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground?.close())
beforeEach(() => ground.clear())

const FIELDS = 'id email name first_name middle_name last_name slug external_id deleted_at properties'
const CREATE = `mutation($user: UserInputType!, $id: ID) { u: user_create(user: $user, id: $id) { ${FIELDS} } }`
const UPDATE = `mutation($user: UserInputType!, $id: ID) { u: user_update(user: $user, id: $id) { ${FIELDS} } }`

type Row = Record<string, unknown>

async function create(user: Row): Promise<Row> {
  const { data, errors } = await ground.run(CREATE, { user })
  expect(errors).toBeUndefined()
  return data!['u'] as Row
}

describe('user_create', () => {
  it('makes name and slug, and folds the address', async () => {
    const made = await create({
      email: '  Ada.Lovelace@Example.ORG ',
      first_name: 'Ada',
      middle_name: '',
      last_name: 'Lovelace',
      properties: [{ name: 'logins', value: '2' }],
    })
    expect(made).toMatchObject({
      email: 'ada.lovelace@example.org',
      name: 'Ada Lovelace',
      slug: 'ada-lovelace',
      properties: { roles: [], logins: 2 },
      deleted_at: null,
    })
  })

  it('keeps the name and slug that are given', async () => {
    expect(await create({ email: 'a@b.c', name: 'Dr. A', first_name: 'Ada', slug: 'doc' })).toMatchObject({
      name: 'Dr. A',
      slug: 'doc',
    })
    const { errors } = await ground.run(CREATE, { user: { email: 'b@b.c', slug: 'doc' } })
    expect(errors![0]!.message).toMatch(/slug exists/)
  })

  it('makes a slug of its own where the name is taken, also for many at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        ground.run(CREATE, { user: { email: `u${index}@x.y`, name: 'Same Name' } }),
      ),
    )
    expect(results.filter((result) => result.errors !== undefined)).toEqual([])
    const slugs = results.map((result) => (result.data!['u'] as Row)['slug'] as string)
    expect(new Set(slugs).size).toBe(30)
    expect(slugs.filter((slug) => slug === 'same-name')).toHaveLength(1)
    expect(slugs.every((slug) => /^same-name(-\d+)?$/.test(slug))).toBe(true)
  })

  it.each([
    [{ email: '日本@x.y', name: '日本' }, /^[a-z0-9-]+$/],
    [{ email: 'x@y.z', name: '!!!' }, /^x$/],
    [{ email: 'x@y.z', name: `${'long '.repeat(1000)}` }, /^[a-z-]{1,80}$/],
  ])('finds a slug for %j', async (user, slug) => {
    expect((await create(user))['slug']).toMatch(slug)
  })

  it('refuses a second living user of one address, by one of many at once', async () => {
    const results = await Promise.all(
      ['A@x.y', 'a@X.y', ' a@x.y'].map((email) => ground.run(CREATE, { user: { email, name: email } })),
    )
    expect(results.filter((result) => result.errors === undefined)).toHaveLength(1)
    for (const { errors } of results) if (errors !== undefined) expect(errors[0]!.message).toMatch(/email exists/)
    const [row] = await ground.sql`select id::text from ingot.users`
    await ground.run('mutation($id: ID!) { user_delete(id: $id) { id } }', { id: row!['id'] })
    expect((await create({ email: 'a@x.y' }))['email']).toBe('a@x.y')
  })

  it.each([
    [{}, /needs an `email`/],
    [{ email: 'nobody' }, /no e-mail address/],
    [{ email: 'a b@c.d' }, /no e-mail address/],
    [{ email: 'a@b.c', name: 'x\0' }, /NUL/],
    [{ email: 'a@b.c', properties: [{ name: 'nul\0', value: 'x' }] }, /cannot be stored/],
    [{ email: 'a@b.c', properties: [{ name: 'logins', value: 'x' }] }, /`logins` is an integer/],
    [{ email: 'a@b.c', profiles: [{ name: 'sailor', values: {} }] }, /no profile type `sailor`/],
    [
      { email: 'a@b.c', profiles: [{ name: 'seller', values: { properties: [{ name: 'x', value: 'nul\0' }] } }] },
      /cannot hold/,
    ],
  ])('refuses %j', async (user, message) => {
    const { data, errors } = await ground.run(CREATE, { user })
    expect(data ?? { u: null }).toEqual({ u: null })
    expect(errors!.map((error) => error.message).join()).toMatch(message)
    expect(await ground.sql`select from ingot.users`).toHaveLength(0)
  })

  it('takes an id', async () => {
    const { data } = await ground.run(CREATE, { user: { email: 'a@b.c' }, id: '900000' })
    expect(data!['u']).toMatchObject({ id: '900000' })
  })
})

describe('user_update', () => {
  it('changes what is named, and the name with its parts', async () => {
    const { id } = await create({ email: 'a@b.c', first_name: 'Ada', last_name: 'Byron' })
    const one = await ground.run(UPDATE, {
      id,
      user: { last_name: 'Lovelace', properties: [{ name: 'logins', increment: 1 }] },
    })
    expect(one.data!['u']).toMatchObject({
      name: 'Ada Lovelace',
      slug: 'ada-byron',
      properties: { logins: 1, roles: [] },
    })
    await ground.run(UPDATE, { id, user: { name: 'The Countess' } })
    const two = await ground.run(UPDATE, { id, user: { first_name: 'Augusta' } })
    expect(two.data!['u']).toMatchObject({ name: 'The Countess', first_name: 'Augusta' })
  })

  it('without id changes the one who is signed in', async () => {
    const { id } = await create({ email: 'a@b.c' })
    const own = await ground.run(UPDATE, { user: { external_id: 'x' } }, { viewer: id as string })
    expect(own.data!['u']).toMatchObject({ id, external_id: 'x' })
    const nobody = await ground.run(UPDATE, { user: { external_id: 'y' } })
    expect(nobody.errors![0]!.message).toMatch(/Nobody is signed in/)
    const missing = await ground.run(UPDATE, { id: '123456789', user: {} })
    expect(missing.errors![0]!.message).toBe("Can't find User with id=123456789")
  })

  it('restores by null, and keeps address and slug where they are null', async () => {
    const { id } = await create({ email: 'a@b.c' })
    await ground.run('mutation($id: ID!) { user_delete(id: $id) { id } }', { id })
    const { data } = await ground.run(
      `mutation($id: ID) { u: user_update(id: $id, user: { deleted_at: null, email: null, slug: null }) { ${FIELDS} } }`,
      { id },
    )
    expect(data!['u']).toMatchObject({ email: 'a@b.c', slug: 'a', deleted_at: null })
  })

  it('loses no increment when fifty write at once', async () => {
    const { id } = await create({ email: 'a@b.c' })
    await Promise.all(
      Array.from({ length: 50 }, () =>
        ground.run(UPDATE, { id, user: { properties: [{ name: 'logins', increment: 1 }] } }),
      ),
    )
    const [row] = await ground.sql`select properties -> 'logins' as n from ingot.users where id = ${id as string}`
    expect(row!['n']).toBe(50)
  })
})

describe('profiles', () => {
  const PROFILE =
    'profile(profile_type: "seller") { profile_type property_float(name: "rating") property_array(name: "shops") }'

  it('are written and shown with their user', async () => {
    const user = {
      email: 'a@b.c',
      profiles: [{ name: 'seller', values: { properties: [{ name: 'rating', value: '4.5' }] } }],
    }
    const made = await ground.run(`mutation($user: UserInputType!) { u: user_create(user: $user) { id ${PROFILE} } }`, {
      user,
    })
    expect(made.errors).toBeUndefined()
    const row = made.data!['u'] as Row
    expect(row['profile']).toEqual({ profile_type: 'seller', property_float: 4.5, property_array: [] })
    const change = { profiles: [{ name: 'seller', values: { properties: [{ name: 'shops', array_append: 's' }] } }] }
    const changed = await ground.run(
      `mutation($user: UserInputType!, $id: ID) { u: user_update(id: $id, user: $user) { id ${PROFILE} } }`,
      { id: row['id'], user: change },
    )
    expect((changed.data!['u'] as Row)['profile']).toEqual({
      profile_type: 'seller',
      property_float: 4.5,
      property_array: ['s'],
    })
  })

  it('are one row where a type stands twice', async () => {
    const values = (name: string, value: string) => ({ name: 'seller', values: { properties: [{ name, value }] } })
    const { id } = await create({ email: 'a@b.c', profiles: [values('rating', '1'), values('shops', 'x')] })
    const rows = await ground.sql`select properties from ingot.profiles where user_id = ${id as string}`
    expect(rows.map((row) => row['properties'] as unknown)).toEqual([{ rating: 1, shops: ['x'] }])
  })

  it('are deleted by type', async () => {
    const { id } = await create({ email: 'a@b.c', profiles: [{ name: 'seller', values: {} }] })
    const text =
      'mutation($id: ID!) { p: user_profile_delete(user_id: $id, profile_type: "seller") { id profile_type deleted_at } }'
    const { data } = await ground.run(text, { id })
    expect(data!['p']).toMatchObject({ profile_type: 'seller', deleted_at: expect.stringMatching(/Z$/) as string })
    const again = await ground.run(text, { id })
    expect(again.errors![0]!.message).toMatch(/Can't find Profile seller/)
  })
})

describe('users_update_all and users_delete_all', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await create({ email: `${name}@x.y`, name })
  })

  it('write what the filter leaves', async () => {
    const one = await ground.run(
      `mutation { u: users_update_all(filter: { name: { value_in: ["A", "b"] } }, user: { properties: [{ name: "motto", value: "m" }],
        profiles: [{ name: "seller", values: { properties: [{ name: "rating", value_float: 1 }] } }] }) { count } }`,
    )
    expect(one.errors).toBeUndefined()
    expect(one.data!['u']).toEqual({ count: 2 })
    expect(await ground.sql`select from ingot.profiles`).toHaveLength(2)
    const two = await ground.run('mutation { u: users_delete_all(filter: { email: { value: "A@X.Y" } }) { count } }')
    expect(two.data!['u']).toEqual({ count: 1 })
  })

  it('write all only when told', async () => {
    const none = await ground.run('mutation { u: users_delete_all { count } }')
    expect(none.errors![0]!.message).toMatch(/all_users: true/)
    const empty = await ground.run(
      'mutation($e: String) { u: users_delete_all(filter: { email: { value: $e } }) { count } }',
      {},
    )
    expect(empty.errors![0]!.message).toMatch(/would delete every row/)
    const all = await ground.run('mutation { u: users_delete_all(all_users: true) { count } }')
    expect(all.data!['u']).toEqual({ count: 3 })
  })
})
