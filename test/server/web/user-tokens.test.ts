/** Tokens with which a program acts as a user: on pages, in forms and in GraphQL, on two servers with one database. */
import { hash as bcrypt } from 'bcryptjs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readTokenLine, runTokenLine } from '../../../server/commands/token.ts'
import { createUserToken, revokeToken, type UserTokenScope } from '../../../server/data/store/tokens.ts'
import { purge } from '../../../server/data/store/purge.ts'
import { hashPassword } from '../../../server/web/accounts/passwords.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../support/server/liquid-site.ts'
import { ADMIN, type Sent, type ServedForms, serveForms } from './rest/support.ts'

const MEMBERS = 'authorization_policies: [member]'
const WHO =
  '{"email": {{ context.current_user.email | json }}, "valid": {{ context.csrf_request_valid }}, "time": {{ "now" | to_time | date: "%s%N" | json }}}'
const FILES: Readonly<Record<string, string>> = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: title\n',
  'app/authorization_policies/member.liquid': '---\nname: member\n---\n{% if context.current_user %}true{% endif %}',
  'app/forms/note.liquid': `---\nname: note\nresource: note\nresource_owner: creator\n${MEMBERS}\nfields:\n  properties:\n    title:\n---\n`,
  'app/forms/account.liquid':
    '---\nname: account\nresource: User\nresource_owner: self\nfields:\n  email:\n  password:\n---\n',
  'app/forms/log_in.liquid': '---\nname: log_in\nresource: Session\nfields:\n  email:\n  password:\n---\n',
  'app/views/pages/me.json.liquid': `---\n${MEMBERS}\n---\n${WHO}`,
  'app/views/pages/act.json.liquid': `---\nmethod: post\n${MEMBERS}\n---\n{% session kept = 'x' %}{% assign unused = context.authenticity_token %}${WHO}`,
  'app/views/pages/static.json.liquid': `---\nstatic_cache:\n  expire: 600\n---\n${WHO}`,
  'app/views/pages/dynamic.json.liquid': `---\ndynamic_cache:\n  key: ours\n  expire: 600\n---\n${WHO}`,
  'app/views/pages/public.json.liquid':
    '---\nresponse_headers: \'{"Cache-Control": "public, max-age=600"}\'\n---\n{"key": {{ context.params.key | verify_access_key }}}',
  'app/graphql/make.graphql':
    'mutation ($user: ID!, $days: Int) { made: user_token_create(user_id: $user, name: "own", days: $days) { id user_id name scope token expires_at } }',
  'app/graphql/end.graphql':
    'mutation ($user: ID!, $id: ID!) { ended: user_token_revoke(user_id: $user, id: $id) { id token } }',
  'app/views/pages/make.json.liquid': `---\nmethod: post\n${MEMBERS}\n---\n{% graphql g = 'make', user: context.current_user.id, days: context.params.days %}{{ g | json }}`,
  'app/views/pages/end.json.liquid': `---\nmethod: post\n${MEMBERS}\n---\n{% graphql g = 'end', user: context.current_user.id, id: context.params.id %}{{ g | json }}`,
}

let database: TestDatabase
let built: LiquidSite
let served: ServedForms
/** Another server with the same database. */
let other: ServedForms

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const start = () => serveForms(built.loaded.site, database, { loaded: built.loaded })
  served = await start()
  other = await start()
})
afterAll(async () => {
  await served?.close()
  await other?.close()
  await database?.close()
  built?.close()
})
beforeEach(async () => {
  await database.sql`delete from ingot.users`
  await database.sql`delete from ingot.user_tokens`
})

async function addUser(email: string, hash: string | null = null): Promise<string> {
  const [row] = await database.sql`
    insert into ingot.users (email, slug, encrypted_password) values (${email}, ${email}, ${hash}) returning id::text`
  return String(row?.['id'])
}

async function tokenOf(
  email: string,
  scope: UserTokenScope = 'write',
  days = 90,
): Promise<{ id: string; token: string }> {
  const made = await createUserToken(database.sql, email, 'test', scope, days)
  if (made === null) throw new Error(`there is no user ${email}`)
  return made
}

/** Sends a request with a token as a bearer. */
function ask(
  token: string,
  path: string,
  method = 'GET',
  body?: unknown,
  headers: Record<string, string> = {},
  server = served,
) {
  return server.send(method, path, body, { token: null, headers: { authorization: `Bearer ${token}`, ...headers } })
}

const me = (token: string, server = served): Promise<Sent> => ask(token, '/me.json', 'GET', undefined, {}, server)
const graph = (token: string, query: string): Promise<Sent> => ask(token, '/api/graph', 'POST', { query })
const note = {
  form_name: 'note',
  parent_resource_id: 'note',
  form: { model_schema_name: 'note', properties: { title: 'x' } },
}

const logIn = (email: string, password: string) => ({ form_name: 'log_in', form: { email, password } })

/** Expects that a token is not accepted at any address. */
async function expectVoid(token: string): Promise<void> {
  for (const server of [served, other]) expect((await me(token, server)).status).toBe(401)
  expect((await graph(token, '{ current_user { id } }')).status).toBe(401)
  expect((await ask(token, '/api/user/customizations', 'POST', note)).status).toBe(401)
}

describe('a program with the token of a user is this user', () => {
  test('on a JSON page behind a policy, whichever form the header has', async () => {
    await addUser('ann@site.test')
    const { token } = await tokenOf('ann@site.test', 'read')
    for (const server of [served, other]) {
      const sent = await me(token, server)
      expect([sent.status, sent.json['email']]).toEqual([200, 'ann@site.test'])
      expect(sent.headers.get('cache-control')).toBe('private, no-store')
      expect(sent.headers.getSetCookie()).toEqual([])
    }
    for (const authorization of [`Token ${token}`, `Token token="${token}"`])
      expect((await ask(token, '/me.json', 'GET', undefined, { authorization })).json['email']).toBe('ann@site.test')
    expect((await fetch(`${served.url}/me.json`)).status).toBe(403)
    // A token of the instance does not belong to a user.
    expect((await me(ADMIN)).status).toBe(403)
  })

  test('on a page that changes something, without an authenticity token and without a session', async () => {
    await addUser('ann@site.test')
    const { token } = await tokenOf('ann@site.test', 'site')
    const sent = await ask(
      token,
      '/act.json',
      'POST',
      {},
      { 'sec-fetch-site': 'cross-site', origin: 'http://evil.test' },
    )
    expect([sent.status, sent.json]).toMatchObject([200, { email: 'ann@site.test', valid: true }])
    expect(sent.headers.getSetCookie()).toEqual([])
    expect(await database.sql`select from ingot.sessions`).toHaveLength(0)
  })

  test('in forms: for their policies, as the creator, and for the owner of a row', async () => {
    const id = await addUser('ann@site.test')
    const bob = await addUser('bob@site.test')
    const ann = (await tokenOf('ann@site.test', 'site')).token
    const made = await ask(ann, '/api/user/customizations', 'POST', note)
    expect(made.status).toBe(201)
    expect(await database.sql`select user_id::text from ingot.records where id = ${Number(made.json['id'])}`).toEqual([
      { user_id: id },
    ])
    const path = `/api/user/customizations/${String(made.json['id'])}`
    const change = { form_name: 'note', form: { properties: { title: 'y' } } }
    const bobs = (await tokenOf('bob@site.test', 'admin')).token
    expect((await ask(bobs, path, 'PUT', change)).status).toBe(404)
    expect((await ask(ann, path, 'PUT', change)).status).toBeLessThan(300)
    // The policy of the form refuses a token of the instance, because it does not belong to a user.
    expect((await served.send('POST', '/api/user/customizations', note)).status).toBe(403)
    const account = { form_name: 'account', form: { password: 'another one' } }
    expect((await ask(ann, `/api/users/${bob}`, 'PUT', account)).status).toBe(404)
  })

  test('in GraphQL', async () => {
    const id = await addUser('ann@site.test')
    const { token } = await tokenOf('ann@site.test', 'read')
    expect((await graph(token, '{ current_user { id email } }')).json).toEqual({
      data: { current_user: { id, email: 'ann@site.test' } },
    })
    expect((await graph(ADMIN, '{ current_user { id } }')).json).toEqual({ data: { current_user: null } })
  })

  test('and has no session: a sign-in is refused, and a cookie is not read', async () => {
    await addUser('ann@site.test')
    await addUser('bob@site.test', await hashPassword('secret-1'))
    const { token } = await tokenOf('ann@site.test', 'write')
    const asked = await ask(token, '/api/sessions', 'POST', logIn('bob@site.test', 'secret-1'))
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([403, []])
    const signedIn = await served.send('POST', '/api/sessions', logIn('bob@site.test', 'secret-1'))
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect(await (await fetch(`${served.url}/me.json`, { headers: { cookie } })).json()).toMatchObject({
      email: 'bob@site.test',
    })
    expect((await ask(token, '/me.json', 'GET', undefined, { cookie })).json['email']).toBe('ann@site.test')
  })
})

test('a scope refuses what it does not permit', async () => {
  await addUser('ann@site.test')
  const read = (await tokenOf('ann@site.test', 'read')).token
  const site = (await tokenOf('ann@site.test', 'site')).token
  const refused = await ask(read, '/act.json', 'POST', {})
  expect([refused.status, refused.json]).toEqual([
    403,
    { error: 'The token has the scope read, and this request needs the scope site or write.' },
  ])
  expect((await ask(read, '/api/user/customizations', 'POST', note)).status).toBe(403)
  const mutation = 'mutation { log(message: "a") }'
  expect((await graph(read, mutation)).text).toContain('FORBIDDEN')
  expect((await graph(site, '{ current_user { id } }')).text).toContain('FORBIDDEN')
  const write = (await tokenOf('ann@site.test', 'write')).token
  expect((await graph(write, 'mutation { user_token_create(user_id: 1) { token } }')).text).toContain('FORBIDDEN')
  // The token of a user is not an access key of the site.
  expect((await ask(write, `/public.json?key=${write}`)).json).toEqual({ key: false })
  expect((await ask(write, `/public.json?key=${ADMIN}`)).json).toEqual({ key: true })
})

describe('a token is void', () => {
  test('when it is wrong: a plain message, while other values of the header belong to the page', async () => {
    await addUser('ann@site.test')
    const { token } = await tokenOf('ann@site.test')
    const sent = await me(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)
    expect([sent.status, sent.json]).toEqual([401, { error: 'The token is wrong, has expired, or was revoked.' }])
    expect(sent.headers.get('www-authenticate')).toContain('Token')
    expect((await ask('a-key-of-the-site', '/public.json')).status).toBe(200)
  })

  test('when it has expired, and is removed a month later', async () => {
    await addUser('ann@site.test')
    const { token } = await tokenOf('ann@site.test')
    await database.sql`update ingot.user_tokens set expires_at = now()`
    await expectVoid(token)
    await purge(database.sql)
    expect(await database.sql`select from ingot.user_tokens`).toHaveLength(1)
    await database.sql`update ingot.user_tokens set expires_at = now() - interval '31 days'`
    await purge(database.sql)
    expect(await database.sql`select from ingot.user_tokens`).toHaveLength(0)
  })

  test('when it is revoked', async () => {
    await addUser('ann@site.test')
    const { id, token } = await tokenOf('ann@site.test')
    expect((await me(token, other)).status).toBe(200)
    expect(await revokeToken(database.sql, id)).toMatchObject({ id, email: 'ann@site.test' })
    await expectVoid(token)
  })

  test('when the user gets another password, in a form or a mutation', async () => {
    const id = await addUser('ann@site.test', await hashPassword('secret-1'))
    const first = (await tokenOf('ann@site.test', 'site')).token
    const account = { form_name: 'account', form: { password: 'secret-2' } }
    expect((await ask(first, `/api/users/${id}`, 'PUT', account)).status).toBeLessThan(300)
    await expectVoid(first)
    const second = (await tokenOf('ann@site.test')).token
    const change = `mutation { user_update(id: ${id}, user: { password: "secret-3" }) { id } }`
    expect((await graph(ADMIN, change)).json).toMatchObject({ data: { user_update: { id } } })
    await expectVoid(second)
    const third = (await tokenOf('ann@site.test')).token
    await graph(ADMIN, `mutation { user_update(id: ${id}, user: { first_name: "Ann" }) { id } }`)
    expect((await me(third)).status).toBe(200)
  })

  test('when the password changes while the token is created', async () => {
    await addUser('ann@site.test')
    let change: Promise<unknown> = Promise.resolve()
    const token = await database.sql.begin(async (sql) => {
      const made = await createUserToken(sql, 'ann@site.test', 'test', 'read', 1)
      // The change waits for this transaction. `then` sends the statement.
      change = database.sql`update ingot.users set encrypted_password = 'changed'`.then()
      await sql`select 1`
      return made?.token ?? ''
    })
    await change
    await expectVoid(token)
  })

  test('but not when a sign-in stores the same password with another hash', async () => {
    await addUser('ann@site.test', await bcrypt('secret-1', 4))
    const { token } = await tokenOf('ann@site.test')
    expect((await served.send('POST', '/api/sessions', logIn('ann@site.test', 'secret-1'))).status).toBe(201)
    expect(await database.sql`select from ingot.users where encrypted_password like '$argon2id$%'`).toHaveLength(1)
    expect((await me(token)).status).toBe(200)
    await database.sql`update ingot.users set encrypted_password = 'changed'`
    await expectVoid(token)
  })

  test('when the user is deleted, also after the user is restored', async () => {
    const id = await addUser('ann@site.test')
    const { token } = await tokenOf('ann@site.test')
    await graph(ADMIN, `mutation { user_delete(id: ${id}) { id } }`)
    await expectVoid(token)
    await database.sql`update ingot.users set deleted_at = null`
    await expectVoid(token)
    const again = (await tokenOf('ann@site.test')).token
    await database.sql`delete from ingot.users`
    await expectVoid(again)
  })
})

test('answers to a token are never cached for others, and never taken from a cache', async () => {
  await addUser('ann@site.test')
  const { token } = await tokenOf('ann@site.test', 'site')
  for (const path of ['/static.json', '/dynamic.json']) {
    const visit = async (): Promise<Record<string, unknown>> =>
      (await (await fetch(served.url + path)).json()) as Record<string, unknown>
    expect((await ask(token, path)).json['email']).toBe('ann@site.test')
    const first = await visit()
    expect(first['email']).toBe(null)
    expect(await visit()).toEqual(first)
    const own = await ask(token, path)
    expect([own.json['email'], own.headers.get('cache-control')]).toEqual(['ann@site.test', 'private, no-store'])
    expect(await visit()).toEqual(first)
  }
  expect((await ask(token, '/public.json')).headers.get('cache-control')).toBe('private, no-store')
})

test('a page makes a token for its visitor, for pages and forms only, and takes it back', async () => {
  const id = await addUser('ann@site.test')
  await addUser('bob@site.test')
  const { token } = await tokenOf('ann@site.test', 'site')
  const { made } = (await ask(token, '/make.json', 'POST', { days: 7 })).json as { made: Record<string, string> }
  expect(made).toMatchObject({
    user_id: id,
    name: 'own',
    scope: 'site',
    token: expect.stringMatching(/^ingot_user_[\da-f]{64}$/),
  })
  const own = String(made['token'])
  expect((await me(own, other)).json['email']).toBe('ann@site.test')
  const [row] = await database.sql`
    select t::text as row, expires_at - created_at = interval '7 days' as week from ingot.user_tokens t where name = 'own'`
  expect(row?.['week']).toBe(true)
  expect(row?.['row']).not.toContain(own.slice(11))
  expect((await ask(token, '/make.json', 'POST', { days: 400 })).text).toContain('from 1 to 365')
  const bobs = (await tokenOf('bob@site.test', 'site')).token
  expect((await ask(bobs, '/end.json', 'POST', { id: made['id'] })).text).toContain("Can't find a valid token")
  expect((await me(own)).status).toBe(200)
  expect((await ask(token, '/end.json', 'POST', { id: made['id'] })).json).toEqual({
    ended: { id: made['id'], token: null },
  })
  await expectVoid(own)
  expect((await graph(ADMIN, 'mutation { user_token_create(user_id: 1) { id } }')).text).toContain(
    "Can't find User with id=1",
  )
})

describe('the command', () => {
  async function run(...rest: string[]): Promise<{ code: number; out: string; said: string }> {
    const printed = { out: '', said: '' }
    const code = await runTokenLine(
      readTokenLine(rest),
      database.sql,
      (text) => void (printed.out += text),
      (text) => void (printed.said += text),
    )
    return { code, ...printed }
  }

  test('creates, lists and revokes tokens of users', async () => {
    await addUser('ann@site.test')
    const made = await run('create', '--user', 'Ann@Site.test', '--name', 'report', '--days=30')
    expect([made.code, (await me(made.out.trim())).status]).toEqual([0, 200])
    expect(made.said).toMatch(
      /^Token \d+ \(read\) of ann@site\.test was created, until \d{4}-\d\d-\d\d\. It is shown only once/,
    )
    const id = /Token (\d+)/.exec(made.said)?.[1] ?? ''
    const { out } = await run('list')
    expect(out).toMatch(new RegExp(`${id} +report +read +ann@site\\.test +[\\d-]{10} +[\\d-]{10} .*valid`))
    await database.sql`update ingot.user_tokens set expires_at = now()`
    expect((await run('list')).out).toMatch(/ann@site\.test .*expired/)
    expect(await run('revoke', id)).toMatchObject({ code: 0 })
    expect(await run('create', '--user', 'nobody@site.test')).toMatchObject({ code: 1, out: '' })
  })

  test('refuses what it cannot do', () => {
    const wrong: readonly [readonly string[], RegExp][] = [
      [
        ['create', '--user', 'a@b.c', '--scope', 'deploy'],
        /no scope 'deploy' for a token of a user: give site, read, write, admin/,
      ],
      [['create', '--user', 'a@b.c', '--days', '0'], /from 1 to 365, not '0'/],
      [['create', '--user', 'a@b.c', '--days', '1.5'], /from 1 to 365, not '1\.5'/],
      [['create', '--days', '5'], /give --user with --days/],
      [['create', '--scope', 'site'], /no scope 'site'/],
    ]
    for (const [rest, said] of wrong) expect(() => readTokenLine(rest)).toThrow(said)
  })
})
