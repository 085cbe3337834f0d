/** Tests every cell about users and sessions in the table of the REST API, against the running server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Sent, type ServedForms, serveForms } from './support.ts'
import { isEmpty, isRefused, tableSite, UNKNOWN } from './table-site.ts'

let database: TestDatabase
let served: ServedForms

beforeAll(async () => {
  database = await testDatabase()
  served = await serveForms(tableSite, database, { bodyLimit: 100_000 })
})
afterAll(async () => {
  await served.close()
  await database.close()
})

const user = (form: object) => ({ form_name: 'sign_up', form })
let count = 0
const address = () => `u${++count}@site.test`

async function newUser(email = address(), password = 'secret-1'): Promise<number> {
  const { status, json } = await served.send('POST', '/api/users', user({ email, password }))
  expect(status).toBe(201)
  return json['id'] as number
}

async function userOf(id: number): Promise<Record<string, unknown>> {
  const [row] = await database.sql`select * from ingot.users where id = ${id}`
  return row ?? {}
}

describe('create user', () => {
  test('201: stored with all its fields, the password as a hash', async () => {
    const email = address()
    const sent = await served.send(
      'POST',
      '/api/users',
      user({
        email: email.toUpperCase(),
        password: 'secret-1',
        first_name: 'Ann',
        last_name: 'Lee',
        external_id: 'x',
        featured: true,
        public_profile: '1',
        slug: 'stolen',
        encrypted_password: 'x',
        profiles: { default: {} },
      }),
    )
    expect([sent.status, sent.json]).toEqual([201, { id: expect.any(Number), errors: {} }])
    const row = await userOf(sent.json['id'] as number)
    expect(row).toMatchObject({
      email,
      first_name: 'Ann',
      name: 'Ann Lee',
      external_id: 'x',
      featured: true,
      public_profile: true,
    })
    expect(row['slug']).toMatch(/^ann-lee/)
    expect(row['encrypted_password']).toMatch(/^\$argon2id\$/)
    expect(
      await database.sql`select profile_type from ingot.profiles where user_id = ${sent.json['id'] as number}`,
    ).toMatchObject([{ profile_type: 'default' }])
  })

  test('two of one name get slugs of their own', async () => {
    const ids = await Promise.all(
      [1, 2, 3, 4].map(
        async () =>
          (await served.send('POST', '/api/users', user({ email: address(), password: 'secret-1', name: 'Same Name' })))
            .json['id'] as number,
      ),
    )
    const rows = await Promise.all(ids.map(userOf))
    expect(new Set(rows.map((row) => row['slug'])).size).toBe(4)
  })

  test('401, 404, 406', async () => {
    isRefused(await served.send('POST', '/api/users', user({}), { token: null }), 401, 'Unathorized')
    isRefused(await served.send('POST', '/api/users', { form_name: 'create_car', form: {} }), 404, 'Not Found')
    isRefused(await served.send('POST', '/api/users', { form_name: 'sign_up' }), 406, 'Not Acceptable')
    isRefused(await served.send('POST', '/api/users', user([])), 406, 'Not Acceptable')
    isRefused(await served.send('POST', '/api/users', user({ email: ['a'] })), 406, 'Not Acceptable')
  })

  test('422: address and password', async () => {
    const email = address()
    await newUser(email)
    const wrong: readonly [object, string][] = [
      [{ password: 'secret-1' }, 'email'],
      [{ email: 'nobody', password: 'secret-1' }, 'email'],
      [{ email: email.toUpperCase(), password: 'secret-1' }, 'email'],
      [{ email: address(), password: 'short' }, 'password'],
    ]
    for (const [given, path] of wrong) {
      const { status, json } = await served.send('POST', '/api/users', user(given))
      expect(status, JSON.stringify(given)).toBe(422)
      expect(Object.keys(json['errors'] as object), JSON.stringify(given)).toContain(path)
    }
  })

  test('422: of many with one address at once, one is made', async () => {
    const email = address()
    const sent = await Promise.all(
      [1, 2, 3, 4, 5].map(() => served.send('POST', '/api/users', user({ email, password: 'secret-1' }))),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    const refused = sent.find(({ status }) => status === 422)
    expect(refused?.json['errors']).toEqual({ email: ['has already been taken'] })
  })
})

describe('update user', () => {
  test('204; the old password stays where none is sent, and goes where one is', async () => {
    const id = await newUser()
    const before = await userOf(id)
    isEmpty(await served.send('PUT', `/api/users/${id}`, user({ first_name: 'Bo', password: '' })))
    expect(await userOf(id)).toMatchObject({
      first_name: 'Bo',
      name: 'Bo',
      encrypted_password: before['encrypted_password'],
    })
    isEmpty(await served.send('PUT', `/api/users/${id}`, user({ password: 'another-1' })))
    expect((await userOf(id))['encrypted_password']).not.toBe(before['encrypted_password'])
  })

  test('401, 404, 406, 422', async () => {
    const id = await newUser()
    isRefused(await served.send('PUT', `/api/users/${id}`, user({}), { token: null }), 401, 'Unathorized')
    isRefused(await served.send('PUT', `/api/users/${UNKNOWN}`, user({})), 404, 'Not Found')
    isRefused(await served.send('PUT', `/api/users/${id}`, { form_name: 'sign_up', form: 5 }), 406, 'Not Acceptable')
    expect(await served.send('PUT', `/api/users/${id}`, user({ email: 'x' }))).toMatchObject({
      status: 422,
      json: { id, errors: { email: [expect.any(String)] } },
    })
  })
})

describe('login and logout', () => {
  const login = (form: unknown, more = {}) => served.send('POST', '/api/sessions', { form_name: 'log_in', form }, more)

  test('201 {} with the session’s cookie, which logout ends', async () => {
    const email = address()
    const id = await newUser(email)
    const sent = await login({ email: email.toUpperCase(), password: 'secret-1' })
    expect([sent.status, sent.json, sent.headers.get('content-type')]).toEqual([201, {}, 'application/vnd.api+json'])
    const cookie = sent.headers.getSetCookie().find((line) => line.startsWith('_pos_session='))
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    const rows = () => database.sql`select 1 from ingot.sessions where user_id = ${id}`
    expect(await rows()).toHaveLength(1)
    isEmpty(
      await served.send(
        'DELETE',
        '/api/sessions',
        { form_name: 'log_in' },
        { headers: { cookie: `${cookie}`.split(';')[0] ?? '' } },
      ),
    )
    expect(await rows()).toHaveLength(0)
  })

  test('of a visitor who is not to be remembered for a day, else for a year', async () => {
    const email = address()
    const id = await newUser(email)
    const lives = async (name: string, more: Record<string, unknown>): Promise<unknown> => {
      await database.sql`delete from ingot.sessions where user_id = ${id}`
      const form = { email, password: 'secret-1', ...more }
      const sent = await served.send('POST', '/api/sessions', { form_name: name, form })
      const [row] = await database.sql`select minutes from ingot.sessions where user_id = ${id}`
      const cookie = sent.headers.getSetCookie().find((line) => line.startsWith('_pos_session='))
      const seconds = Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1])
      expect([sent.status, seconds]).toEqual([201, Math.min(Number(row?.['minutes']) * 60, 400 * 86_400)])
      return row?.['minutes']
    }
    const [day, year] = [1_440, 525_960]
    for (const sent of ['1', 'on', true, 1]) {
      expect(await lives('log_in', { remember_me: sent })).toBe(year)
      expect(await lives('log_in_asking', { remember_me: sent })).toBe(year)
    }
    for (const sent of ['0', 'false', false, '', null]) {
      expect(await lives('log_in', { remember_me: sent })).toBe(day)
      expect(await lives('log_in_asking', { remember_me: sent })).toBe(day)
    }
    expect(await lives('log_in', {})).toBe(year)
    // An unchecked checkbox sends no value.
    expect(await lives('log_in_asking', {})).toBe(day)
  })

  test('401, 404, 406', async () => {
    isRefused(await login({ email: 'a@b.test', password: 'x' }, { token: null }), 401, 'Unathorized')
    isRefused(await served.send('POST', '/api/sessions', { form_name: 'sign_up', form: {} }), 404, 'Not Found')
    isRefused(await login(undefined), 406, 'Not Acceptable')
    isRefused(await login({ email: { a: 1 }, password: 'x' }), 406, 'Not Acceptable')
    isRefused(
      await served.send('DELETE', '/api/sessions', { form_name: 'log_in' }, { token: 'no' }),
      401,
      'Unathorized',
    )
    isRefused(await served.send('DELETE', '/api/sessions'), 406, 'Not Acceptable')
  })

  test('422: a wrong password and an unknown address look the same', async () => {
    const email = address()
    await newUser(email)
    const wrong = await login({ email, password: 'secret-2' })
    const unknown = await login({ email: address(), password: 'secret-1' })
    expect([wrong.status, wrong.text]).toEqual([422, unknown.text])
    expect(wrong.json).toMatchObject({ errors: { password: [expect.any(String)] } })
    for (const form of [
      {},
      { email },
      { password: 'secret-1' },
      { email: null, password: null },
      { email: 5, password: true },
    ])
      expect((await login(form)).status, JSON.stringify(form)).toBe(422)
  })

  test('logout without a session is 204', async () => {
    isEmpty(await served.send('DELETE', '/api/sessions', { form_name: 'log_in' }))
  })

  test('429: after too many attempts, with the seconds to wait', async () => {
    const email = address()
    await newUser(email)
    let last: Sent | null = null
    for (let attempt = 0; attempt < 60 && last?.status !== 429; attempt++)
      last = await login({ email, password: `wrong-${attempt}` })
    if (last === null) throw new Error('nothing was sent')
    isRefused(last, 429, 'Too Many Requests')
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    // After too many attempts, even the correct password is refused.
    expect((await login({ email, password: 'secret-1' })).status).toBe(429)
  })
})

test('nothing went wrong on our side', () => {
  expect(served.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
})
