/** The filters that use accounts, in templates of a site that is served with a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { is_token_valid } from '../../../../runtime/page/filters/account/is_token_valid.ts'
import { verify_access_key } from '../../../../runtime/page/filters/account/verify_access_key.ts'
import { createToken, revokeToken } from '../../../../server/data/store/tokens.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { page, site } from '../../../support/server/site.ts'
import { ADMIN, serve, type Served } from './served.ts'

let database: TestDatabase
let served: Served

beforeAll(async () => {
  database = await testDatabase()
  const param = (r: { readonly context: Readonly<Record<string, unknown>> }, name: string): unknown =>
    (r.context['params'] as Readonly<Record<string, unknown>>)[name]
  const pages = [
    page('token', { render: async (r) => String(await is_token_valid(r, param(r, 'token'), param(r, 'user'))) }),
    page('key', { render: async (r) => String(await verify_access_key(r, param(r, 'key'))) }),
  ]
  served = await serve(site(pages), database.sql)
})
afterAll(async () => {
  await served.close()
  await database.close()
})

async function ask(path: string, params: Readonly<Record<string, string>>): Promise<string> {
  const { status, text } = await served.page(`${path}?${new URLSearchParams(params).toString()}`)
  expect(status).toBe(200)
  return text
}

async function create(email: string): Promise<{ id: string; token: string }> {
  const query = `mutation { user: user_create(user: { email: "${email}", password: "correct horse" }) { id temporary_token } }`
  const { json } = await served.ask(query)
  const { id, temporary_token: token } = (json.data?.['user'] ?? {}) as Record<string, string>
  return { id: id!, token: token! }
}

describe('is_token_valid', () => {
  it('says whether a token is of the user, and the user as when it was made', async () => {
    const [ann, bob] = [await create('ann@example.com'), await create('bob@example.com')]
    const valid = (token: string, user: string): Promise<string> => ask('/token', { token, user })
    expect(await valid(ann.token, ann.id)).toBe('true')
    expect(await valid(ann.token, ` ${ann.id} `)).toBe('true')
    expect(await valid(ann.token, bob.id)).toBe('false')
    for (const user of ['', '0', 'x', '-1', '1e3', '9'.repeat(30), `${ann.id}; drop`, '\0', '{}'])
      expect(await valid(ann.token, user), user).toBe('false')
    for (const token of ['', '1234', `${ann.token}x`, '\0', 'x'.repeat(5_000)])
      expect(await valid(token, ann.id), token.slice(0, 9)).toBe('false')
    await served.ask(`mutation { user_update(id: ${ann.id}, user: { password: "another one" }) { id } }`)
    expect(await valid(ann.token, ann.id)).toBe('false')
    await served.ask(`mutation { user_delete(id: ${bob.id}) { id } }`)
    expect(await valid(bob.token, bob.id)).toBe('false')
  })

  it('counts the hours', async () => {
    const { json } = await served.ask(
      'mutation { user: user_create(user: { email: "c@example.com" }) { id gone: temporary_token(expires_in: 0) short: temporary_token(expires_in: 0.01) } }',
    )
    const { id, gone, short } = (json.data?.['user'] ?? {}) as Record<string, string>
    expect(await ask('/token', { token: gone!, user: id! })).toBe('false')
    expect(await ask('/token', { token: short!, user: id! })).toBe('true')
  })
})

describe('verify_access_key', () => {
  it('knows the tokens of the API until they are revoked', async () => {
    const made = await createToken(database.sql, 'a program', 'read')
    expect(await ask('/key', { key: made.token })).toBe('true')
    expect(await ask('/key', { key: ADMIN })).toBe('true')
    for (const key of ['', '12345', made.token.slice(0, -1), `${made.token} `, 'ingot_', '\0', 'x'.repeat(5_000)])
      expect(await ask('/key', { key }), key.slice(0, 9)).toBe('false')
    await revokeToken(database.sql, made.id)
    expect(await ask('/key', { key: made.token })).toBe('false')
  })
})
