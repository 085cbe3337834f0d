/** Credentials of users and the visitor's session through GraphQL, with real hashes, a real database and real sessions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeAt, findCodeStep } from '../../../../../server/web/graphql/accounts/totp.ts'
import { type WriteFixture, openWriteFixture } from './write-fixture.ts'

let fixture: WriteFixture

beforeAll(async () => {
  fixture = await openWriteFixture()
})
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

type How = NonNullable<Parameters<WriteFixture['run']>[2]>
type Fields = Record<string, unknown>

const CREATE = 'mutation ($user: UserInputType!) { user: user_create(user: $user) { id } }'
const UPDATE = 'mutation ($id: ID, $user: UserInputType!) { user: user_update(id: $id, user: $user) { id } }'

async function data(document: string, variables: Fields = {}, how: How = {}): Promise<Fields> {
  const { data: found, errors } = await fixture.run(document, variables, how)
  expect(errors ?? []).toEqual([])
  return found as Fields
}

async function complaint(document: string, variables: Fields = {}, how: How = {}): Promise<string> {
  const { data: found, errors = [] } = await fixture.run(document, variables, how)
  expect(found).toBeNull()
  return errors.map(({ message }) => message).join('; ')
}

async function create(email: string, password?: string): Promise<string> {
  const { user } = await data(CREATE, { user: { email, ...(password !== undefined && { password }) } })
  return (user as { id: string }).id
}

/** Returns fields of a user's row. */
async function readUser(id: string, fields: string, variables: Fields = {}): Promise<Fields> {
  const types = Object.keys(variables).map((name) => `, $${name}: String!`)
  const document = `query ($id: ID!${types.join('')}) { users(per_page: 1, filter: { id: { value: $id } }) { results { ${fields} } } }`
  const { users } = await data(document, { id, ...variables })
  return ((users as Fields)['results'] as Fields[])[0] ?? {}
}

async function hashOf(id: string): Promise<string | null> {
  const [row] = await fixture.sql`select encrypted_password from ingot.users where id = ${id}`
  return (row?.['encrypted_password'] ?? null) as string | null
}

describe('a password', () => {
  it('is kept as a hash of argon2id, and checked against it', async () => {
    const id = await create('ann@example.com', 'correct horse')
    const hash = await hashOf(id)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const fields =
      'encrypted_password authenticate { __typename right: password(password: $right) wrong: password(password: $wrong) }'
    const values = { right: 'correct horse', wrong: 'Correct horse' }
    const checks = { __typename: 'Authenticate', right: true, wrong: false }
    expect(await readUser(id, fields, values)).toEqual({ encrypted_password: hash, authenticate: checks })
    // The same read, as an object among other fields.
    const nested = `query ($id: ID!, $right: String!) { n: __typename users(per_page: 1, filter: { id: { value: $id } }) { total_entries results { id authenticate { password(password: $right) } } } }`
    expect(await data(nested, { id, right: 'correct horse' })).toEqual({
      n: 'RootQuery',
      users: { total_entries: 1, results: [{ id, authenticate: { password: true } }] },
    })
  })

  it('of two users with the same one are two hashes', async () => {
    const ids = [await create('a@example.com', 'the same'), await create('b@example.com', 'the same')]
    expect(await hashOf(ids[0]!)).not.toBe(await hashOf(ids[1]!))
  })

  it('that nobody set is nobody’s', async () => {
    const id = await create('ann@example.com')
    expect(await hashOf(id)).toBeNull()
    expect(await readUser(id, 'encrypted_password authenticate { password(password: "") }')).toEqual({
      encrypted_password: null,
      authenticate: { password: false },
    })
  })

  it('may hold anything, and needs six characters', async () => {
    for (const password of ['\0\0\0\0\0\0', 'żółćęą', '\u{1f600}'.repeat(6), '      ', 'x'.repeat(1_024)]) {
      const id = await create(`${password.length}.${password.codePointAt(0)}@example.com`, password)
      const { authenticate } = await readUser(id, 'authenticate { password(password: $password) }', { password })
      expect(authenticate, password.slice(0, 20)).toEqual({ password: true })
    }
    for (const password of ['', '12345', '\u{1f600}'.repeat(5)])
      expect(await complaint(CREATE, { user: { email: 'x@example.com', password } })).toBe(
        'A `password` has at least 6 characters.',
      )
    expect(await complaint(CREATE, { user: { email: 'x@example.com', password: 'x'.repeat(1_025) } })).toContain(
      'at most 1024',
    )
    expect(
      await complaint('mutation { user_create(user: { email: "x@example.com", password: "12345" }) { id } }'),
    ).toContain('at least 6')
  })

  it('stays where an update gives none', async () => {
    const id = await create('ann@example.com', 'correct horse')
    const before = await hashOf(id)
    await data(UPDATE, { id, user: { first_name: 'Ann', password: null } })
    expect(await hashOf(id)).toBe(before)
    await data(UPDATE, { id, user: { password: 'another one' } })
    expect(await hashOf(id)).not.toBe(before)
    expect(await readUser(id, 'authenticate { password(password: "another one") }')).toEqual({
      authenticate: { password: true },
    })
  })

  it('is refused together with all the rest of its mutation', async () => {
    await create('ann@example.com', 'correct horse')
    // The address is taken. Only the database detects this, after the password was hashed.
    expect(await complaint(CREATE, { user: { email: 'ANN@example.com', password: 'correct horse' } })).toContain(
      'email',
    )
    const document = `mutation { a: user_create(user: { email: "b@example.com", password: "secret" }) { id }
      b: user_create(user: { email: "c@example.com", password: "short" }) { id } }`
    expect(await complaint(document)).toContain('at least 6')
    const [row] = await fixture.sql`select count(*)::int as n from ingot.users`
    expect(row?.['n']).toBe(1)
  })

  it('never leaves the server in the parameters of a statement', async () => {
    const id = await create('ann@example.com', 'correct horse')
    await readUser(id, 'authenticate { password(password: $password) }', { password: 'correct horse' })
    const seen = JSON.stringify(fixture.sent())
    expect(seen).toContain('ann@example.com')
    expect(seen).not.toContain('correct horse')
  })
})

describe('tokens', () => {
  const FIELDS = 'temporary_token jwt_token'
  const CHECKS = 'authenticate { temporary_token(token: $temporary) jwt(token: $jwt) }'

  async function tokensOf(id: string): Promise<{ temporary: string; jwt: string }> {
    const { temporary_token: temporary, jwt_token: jwt } = await readUser(id, FIELDS)
    return { temporary: String(temporary), jwt: String(jwt) }
  }

  it('hold for their account until its password changes', async () => {
    const [ann, bob] = [
      await create('ann@example.com', 'correct horse'),
      await create('bob@example.com', 'correct horse'),
    ]
    const tokens = await tokensOf(ann)
    expect(await readUser(ann, CHECKS, tokens)).toEqual({ authenticate: { temporary_token: true, jwt: true } })
    expect(await readUser(bob, CHECKS, tokens)).toEqual({ authenticate: { temporary_token: false, jwt: false } })
    await data(UPDATE, { id: ann, user: { first_name: 'Ann' } })
    expect(await readUser(ann, CHECKS, tokens)).toEqual({ authenticate: { temporary_token: true, jwt: true } })
    await data(UPDATE, { id: ann, user: { password: 'another one' } })
    expect(await readUser(ann, CHECKS, tokens)).toEqual({ authenticate: { temporary_token: false, jwt: false } })
  })

  it('are there for users without a password, in mutations, and beside related rows', async () => {
    const { user } = await data(
      'mutation { user: user_create(user: { email: "a@example.com" }) { id temporary_token(expires_in: 0.5) jwt_token(expires_in: 5, algorithm: HS512) related_user(join_on_property: "id") { temporary_token(valid_for: 2) } } }',
    )
    const { id, ...made } = user as { id: string } & Fields
    expect(made).toEqual({
      temporary_token: expect.stringMatching(/^\w+\.[\w-]{43}$/),
      jwt_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
      related_user: null,
    })
    const fields =
      'related_user(join_on_property: "id") { id temporary_token authenticate { jwt(token: $jwt, algorithm: HS512) } }'
    const { related_user: related } = await readUser(id, fields, { jwt: String(made['jwt_token']) })
    expect(related).toMatchObject({ id, temporary_token: expect.any(String), authenticate: { jwt: true } })
  })

  it('of an algorithm that is not offered are an error', async () => {
    await create('ann@example.com')
    expect(await complaint('{ users(per_page: 1) { results { jwt_token(algorithm: RS256) } } }')).toContain(
      'RS256 are not supported',
    )
  })

  it('come one by one for a page of users, and stop when the time is up', async () => {
    for (let at = 0; at < 3; at++) await create(`${at}@example.com`, 'correct horse')
    const document =
      '{ users(per_page: 10) { results { jwt_token authenticate { password(password: "correct horse") } } } }'
    const { users } = await data(document)
    expect((users as { results: Fields[] }).results.map((row) => row['authenticate'])).toEqual(
      Array(3).fill({ password: true }),
    )
    const quick =
      '{ users(per_page: 10, options: { timeout: 1 }) { results { a: authenticate { password(password: "x") } ' +
      `${Array.from({ length: 60 }, (_, at) => `a${at}: authenticate { password(password: "x") }`).join(' ')} } } }`
    expect(await complaint(quick)).toContain('exceeded its timeout')
  })
})

describe('one-time passwords', () => {
  const OTP = 'otp { __typename secret current_code qr: secret_as_svg_qr_code(issuer: "Shop", label: "me") }'

  it('have a secret that is made once, sealed in the database', async () => {
    const id = await create('ann@example.com')
    const first = (await readUser(id, `otp_tokens ${OTP}`)) as { otp: Fields; otp_tokens: unknown }
    expect(first.otp_tokens).toEqual([])
    expect(first.otp).toMatchObject({ __typename: 'Otp', qr: expect.stringMatching(/^<svg /) })
    const secret = String(first.otp['secret'])
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(findCodeStep(secret, String(first.otp['current_code']), { now: Date.now(), drift: null })).not.toBe(null)
    const [row] = await fixture.sql`select name, secret from ingot.otp_secrets where user_id = ${id}`
    expect(row).toMatchObject({ name: 'default', secret: expect.not.stringContaining(secret) })
    expect(await readUser(id, 'otp_tokens otp { secret } same: otp(otp_name: "default") { secret }')).toEqual({
      otp_tokens: ['default'],
      otp: { secret },
      same: { secret },
    })
  })

  it('are one secret for two who read it first at once', async () => {
    const id = await create('ann@example.com')
    const found = await Promise.all(Array.from({ length: 8 }, () => readUser(id, 'otp { secret }')))
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  it('are checked against every secret of the account, and no other account’s', async () => {
    const [ann, bob] = [await create('ann@example.com'), await create('bob@example.com')]
    const { otp, phone } = (await readUser(
      ann,
      'otp { current_code } phone: otp(otp_name: "phone") { current_code }',
    )) as Record<string, Fields>
    const check = 'authenticate { otp_code(code: $code) }'
    for (const one of [otp, phone])
      expect(await readUser(ann, check, { code: String(one?.['current_code']) })).toEqual({
        authenticate: { otp_code: true },
      })
    expect(await readUser(bob, check, { code: String(otp?.['current_code']) })).toEqual({
      authenticate: { otp_code: false },
    })
    expect(await readUser(ann, check, { code: '' })).toEqual({ authenticate: { otp_code: false } })
    expect(await readUser(ann, 'otp_tokens')).toEqual({ otp_tokens: ['default', 'phone'] })
  })

  it('are used once, as their standard asks', async () => {
    const id = await create('ann@example.com')
    const { otp } = (await readUser(id, 'otp { secret }')) as Record<string, Fields>
    const secret = String(otp?.['secret'])
    const now = Date.now()
    const [before, code, next] = [-30_000, 0, 30_000].map((far) => codeAt(secret, now + far))
    const check = 'authenticate { otp_code(code: $code, drift: 120) }'
    const checked = async (one: string | undefined): Promise<unknown> => readUser(id, check, { code: one })
    const [right, wrong] = [{ authenticate: { otp_code: true } }, { authenticate: { otp_code: false } }]
    // One request may check the same code in two places.
    expect(await readUser(id, 'authenticate { a: otp_code(code: $code) b: otp_code(code: $code) }', { code })).toEqual({
      authenticate: { a: true, b: true },
    })
    expect(await checked(code)).toEqual(wrong)
    expect(await checked(before)).toEqual(wrong)
    const all = await Promise.all(Array.from({ length: 6 }, () => checked(next)))
    expect(all.filter((one) => JSON.stringify(one) === JSON.stringify(right))).toHaveLength(1)
    expect(all.filter((one) => JSON.stringify(one) === JSON.stringify(wrong))).toHaveLength(5)
    // After a new secret, codes are accepted again.
    await data('mutation ($id: ID!) { user_otp_secret_refresh(user_id: $id) { status } }', { id })
    const { otp: second } = (await readUser(id, 'otp { current_code }')) as Record<string, Fields>
    expect(await checked(String(second?.['current_code']))).toEqual(right)
  })

  it('get another secret, and lose it', async () => {
    const id = await create('ann@example.com')
    const before = await readUser(id, 'otp { secret }')
    const refresh =
      'mutation ($id: ID!, $name: String) { made: user_otp_secret_refresh(user_id: $id, otp_name: $name) { __typename user_id otp_name status } }'
    expect(await data(refresh, { id })).toEqual({
      made: { __typename: 'UserOtpSecretRefreshInformation', user_id: id, otp_name: 'default', status: 'refreshed' },
    })
    expect(await readUser(id, 'otp { secret }')).not.toEqual(before)
    await data(refresh, { id, name: 'new' })
    const remove =
      'mutation ($id: ID!, $name: String) { gone: user_otp_delete_token(user_id: $id, otp_name: $name) { user_id otp_name status } }'
    expect(await data(remove, { id, name: 'new' })).toEqual({
      gone: { user_id: id, otp_name: 'new', status: 'deleted' },
    })
    expect(await readUser(id, 'otp_tokens')).toEqual({ otp_tokens: ['default'] })
    expect(await complaint(remove, { id, name: 'new' })).toBe(
      `Can't find one-time passwords \`new\` of User with id=${id}`,
    )
    expect(await complaint(refresh, { id: '1' })).toBe("Can't find User with id=1")
    expect(await complaint(refresh, { id, name: 'x'.repeat(101) })).toContain('at most 100')
    expect(await complaint(refresh, { id, name: 'a\0' })).not.toBe('')
  })

  it('of hostile names stay names', async () => {
    const id = await create('ann@example.com')
    for (const name of ["'; drop table ingot.users; --", '__proto__', '\u{1f600}', ''])
      expect(await readUser(id, 'otp(otp_name: $name) { secret }', { name })).toMatchObject({
        otp: { secret: expect.any(String) },
      })
    const key = '__proto__: otp { __proto__: secret }'
    const { users } = await data(`{ users(per_page: 1) { results { id ${key} } } }`)
    const [row] = (users as { results: Fields[] }).results
    expect(Object.hasOwn(row!, '__proto__')).toBe(true)
    expect(({} as Fields)['secret']).toBeUndefined()
  })
})

describe('the session', () => {
  const SIGN_IN =
    'mutation ($email: String, $password: String!, $remember: String) { user: user_session_create(email: $email, password: $password, remember_me: $remember) { id email } }'

  it('has fields, seen at once', async () => {
    const session = await fixture.session()
    const document = `mutation ($value: Any!) { a: session_create_field(name: "cart", value: $value) b: session_create_field(name: "__proto__", value: "x")
      c: session_delete_field(name: "none") d: session_create_field(name: "blank", value: "") }`
    const value = [{ id: 1, note: 'two' }]
    expect(await data(document, { value }, { session })).toEqual({
      a: { cart: value },
      b: JSON.parse('{"__proto__":"x"}') as unknown,
      c: { none: null },
      d: { blank: null },
    })
    expect(session.values).toEqual(JSON.parse(`{"cart":${JSON.stringify(value)},"__proto__":"x"}`))
    await data('mutation { session_delete_field(name: "cart") }', {}, { session })
    expect(Object.keys(session.values)).toEqual(['__proto__'])
    const cookies = await session.commit()
    expect((await fixture.session(cookies)).values['cart']).toBeUndefined()
  })

  it('is signed in by a password, which later mutations and queries see', async () => {
    const id = await create('ann@example.com', 'correct horse')
    const session = await fixture.session()
    const document = `mutation ($password: String!) { in: user_session_create(email: " ANN@example.com", password: $password) { id }
      me: user_update(user: { first_name: "Ann" }) { id first_name } }`
    expect(await data(document, { password: 'correct horse' }, { session })).toEqual({
      in: { id },
      me: { id, first_name: 'Ann' },
    })
    expect(session.user?.id).toBe(id)
    expect(await data('{ current_user { id } }', {}, { session })).toEqual({ current_user: { id } })
    const cookies = await session.commit()
    const next = await fixture.session(cookies)
    expect(next.user?.id).toBe(id)
    expect(await data('mutation { user_session_destroy }', {}, { session: next })).toEqual({ user_session_destroy: {} })
    expect(await data('{ current_user { id } }', {}, { session: next })).toEqual({ current_user: null })
    expect((await fixture.session(cookies)).user).toBeNull()
  })

  it('is signed in as a user whom the same operation has made', async () => {
    const session = await fixture.session()
    const document = `mutation { user: user_create(user: { email: "new@example.com", password: "correct horse" }) { id }
      in: user_session_create(email: "new@example.com", password: "correct horse") { email } }`
    expect(await data(document, {}, { session })).toMatchObject({ in: { email: 'new@example.com' } })
    expect(session.user?.email).toBe('new@example.com')
  })

  it('is of nobody after a wrong password, an unknown address, and too many attempts', async () => {
    await create('ann@example.com', 'correct horse')
    const session = await fixture.session()
    const wrong = 'The e-mail address or the password is wrong.'
    expect(await complaint(SIGN_IN, { email: 'ann@example.com', password: 'Correct horse' }, { session })).toBe(wrong)
    for (const email of ['nobody@example.com', '', null, "' or 1=1", '\0'])
      expect(await complaint(SIGN_IN, { email, password: 'x' }, { session })).toBe(wrong)
    expect(session.user).toBeNull()
    const limited = /^There were too many attempts to sign in: try again in \d+ seconds\.$/
    const said: string[] = []
    while (said.length < 12 && said.every((one) => !limited.test(one)))
      said.push(await complaint(SIGN_IN, { email: 'ann@example.com', password: 'wrong' }, { session }))
    expect(said.length).toBeGreaterThan(5)
    expect(said.at(-1)).toMatch(limited)
    // The correct password is also delayed.
    expect(await complaint(SIGN_IN, { email: 'ann@example.com', password: 'correct horse' }, { session })).toMatch(
      limited,
    )
  })

  it('lives for a day where it is not to be remembered', async () => {
    await create('ann@example.com', 'correct horse')
    const ages: number[] = []
    for (const remember of ['0', '1', null]) {
      const session = await fixture.session()
      await data(SIGN_IN, { email: 'ann@example.com', password: 'correct horse', remember }, { session })
      const [cookie = ''] = await session.commit()
      ages.push(Number(/Max-Age=(\d+)/.exec(cookie)?.[1]))
    }
    expect(ages[0]).toBe(86_400)
    expect(ages[1]).toBeGreaterThan(86_400 * 300)
    expect(ages[2]).toBe(ages[1])
  })

  it('ends for all others when the password changes', async () => {
    const id = await create('ann@example.com', 'correct horse')
    await create('bob@example.com', 'correct horse')
    const signIn = async (email: string): Promise<readonly string[]> => {
      const session = await fixture.session()
      await data(SIGN_IN, { email, password: 'correct horse' }, { session })
      return session.commit()
    }
    const [mine, other, bobs] = [
      await signIn('ann@example.com'),
      await signIn('ann@example.com'),
      await signIn('bob@example.com'),
    ]
    const user = async (cookies: readonly string[]): Promise<string | null> =>
      (await fixture.session(cookies)).user?.email ?? null
    await data(UPDATE, { user: { first_name: 'Ann' } }, { session: await fixture.session(mine) })
    expect(await Promise.all([mine, other, bobs].map(user))).toEqual([
      'ann@example.com',
      'ann@example.com',
      'bob@example.com',
    ])
    await data(UPDATE, { user: { password: 'another one' } }, { session: await fixture.session(mine) })
    expect(await Promise.all([mine, other, bobs].map(user))).toEqual(['ann@example.com', null, 'bob@example.com'])
    await data(UPDATE, { id, user: { password: 'a third one' } })
    expect(await Promise.all([mine, other, bobs].map(user))).toEqual([null, null, 'bob@example.com'])
    await data('mutation { users_update_all(all_users: true, user: { password: "the same for all" }) { count } }')
    expect(await user(bobs)).toBeNull()
  })

  it('is lent to the user of a token, for this request only', async () => {
    const id = await create('ann@example.com', 'correct horse')
    const { jwt_token: jwt } = await readUser(id, 'jwt_token')
    const document = 'mutation ($jwt: String!) { user: jwt_decode_and_set_session(jwt_token: $jwt) { id } }'
    const session = await fixture.session()
    expect(await data(document, { jwt }, { session })).toEqual({ user: { id } })
    expect(session.user?.id).toBe(id)
    expect(await data('{ current_user { id } }', {}, { session })).toEqual({ current_user: { id } })
    expect((await fixture.session(await session.commit())).user).toBeNull()
    for (const token of [
      '',
      'a.b.c',
      `${String(jwt)}x`,
      String(jwt).replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString('base64url')),
    ])
      expect(await complaint(document, { jwt: token }, { session: await fixture.session() })).toContain(
        'The token is invalid or has expired',
      )
    await data('mutation ($id: ID!) { user_delete(id: $id) { id } }', { id })
    expect(await complaint(document, { jwt }, { session: await fixture.session() })).toContain(
      'The token is invalid or has expired',
    )
  })

  it('that is not there is an error, but for a token', async () => {
    const id = await create('ann@example.com', 'correct horse')
    const { jwt_token: jwt } = await readUser(id, 'jwt_token')
    for (const document of [
      'mutation { session_create_field(name: "a", value: 1) }',
      'mutation { session_delete_field(name: "a") }',
      'mutation { user_session_create(email: "ann@example.com", password: "correct horse") { id } }',
      'mutation { user_session_destroy }',
    ])
      expect(await complaint(document)).toContain('There is no session')
    const document =
      'mutation ($jwt: String!) { in: jwt_decode_and_set_session(jwt_token: $jwt) { id } me: user_update(user: { first_name: "Ann" }) { id } }'
    expect(await data(document, { jwt })).toEqual({ in: { id }, me: { id } })
  })

  it('keeps what was done before an error of a later mutation, which undoes only what is with it', async () => {
    await create('ann@example.com', 'correct horse')
    const session = await fixture.session()
    const document = `mutation { a: user_update(user: { first_name: "x" }) { id } b: session_create_field(name: "a", value: 1) }`
    expect(await complaint(document, {}, { session })).toContain('No user is signed in')
    expect(Object.keys(session.values)).toEqual([])
    const other = `mutation { b: session_create_field(name: "a", value: 1) c: user_create(user: { email: "c@example.com" }) { id } d: user_delete(id: 1) { id } }`
    expect(await complaint(other, {}, { session })).toContain("Can't find User with id=1")
    expect(session.values).toEqual({ a: 1 })
    const [row] = await fixture.sql`select count(*)::int as n from ingot.users`
    expect(row?.['n']).toBe(1)
  })
})
