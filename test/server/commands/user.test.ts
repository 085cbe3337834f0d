/** Tests `ingot user`. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readUserLine, runUserLine } from '../../../server/commands/user.ts'
import { hashPassword, verifyPassword } from '../../../server/web/accounts/passwords.ts'
import { createUserManager } from '../../../server/web/forms/manage-users.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { site } from '../../support/server/site.ts'
import { property, schema, serve, type Served } from '../web/graphql/served.ts'

let database: TestDatabase
let served: Served
let plain: Served

beforeAll(async () => {
  database = await testDatabase()
  const user = [property('roles', 'array'), property('town', 'string', { default: 'Kiel' })]
  plain = await serve(site([], { data: schema({}) }), database.sql)
  served = await serve(site([], { data: { ...schema({}), user } }), database.sql)
})
afterAll(async () => {
  await served.close()
  await plain.close()
  await database.close()
})

interface Ran {
  readonly code: number
  readonly out: string
  readonly printed: string
}

async function run(argv: readonly string[], password = '', on = served): Promise<Ran> {
  let [out, printed] = ['', '']
  const users = createUserManager(on.app.host(), hashPassword)
  const code = await runUserLine(readUserLine(argv), users, {
    out: (text) => void (out += text),
    print: (text) => void (printed += text),
    password: async () => password,
  })
  return { code, out, printed }
}

async function openSession(email: string): Promise<void> {
  await database.sql`insert into ingot.sessions (id, fields, flash, user_id, csrf, minutes, expires_at)
    select decode(md5(${email}), 'hex'), '{}', '{}', id, decode(md5('x'), 'hex'), 60, now() + interval '1 hour'
    from ingot.users where email = ${email}`
}

async function sessions(): Promise<number> {
  const rows = await database.sql`select 1 from ingot.sessions`
  return rows.length
}

async function stored(email: string) {
  const [row] = await database.sql<{ hash: string; properties: unknown; name: string }[]>`
    select encrypted_password as hash, properties, name from ingot.users where email = ${email} and deleted_at is null`
  return row
}

it('the first administrator is created, listed, and changed like any user who signed up', async () => {
  expect((await run(['list'])).printed).toContain('There are no users yet')
  const created = await run(['create', 'ada@shop.example', '--role', 'admin', '--role', 'editor'], 'a long password')
  expect(created).toMatchObject({ code: 0, printed: expect.stringContaining('with the roles admin, editor') })
  const ada = await stored('ada@shop.example')
  expect(ada?.properties).toEqual({ roles: ['admin', 'editor'], town: 'Kiel' })
  expect(await verifyPassword(ada?.hash ?? null, 'a long password')).toBe(true)
  expect((await run(['list'])).out).toMatch(/ada@shop\.example +\S* +admin, editor/)
  const [listed] = JSON.parse((await run(['list', '--json'])).out)
  expect(listed).toMatchObject({ id: created.out.trim(), email: 'ada@shop.example', roles: ['admin', 'editor'] })

  expect((await run(['role', 'ADA@shop.example', 'guest'])).code).toBe(0)
  expect((await stored('ada@shop.example'))?.properties).toMatchObject({ roles: ['guest'] })
  expect((await run(['role', 'ada@shop.example', '--none'])).printed).toContain('no roles any more')
  expect((await stored('ada@shop.example'))?.properties).toMatchObject({ roles: [] })
})

it('values are checked by the rules of a sign-up', async () => {
  expect(await run(['create', 'ada@shop.example'], 'a long password')).toMatchObject({
    code: 1,
    printed: expect.stringContaining('email has already been taken'),
  })
  expect((await run(['create', 'eve@shop.example'], 'short')).printed).toContain('password is too short (minimum is 6')
  expect((await run(['create', 'eve'], 'a long password')).printed).toContain('email is invalid')
  expect((await run(['password', 'ada@shop.example'], '')).printed).toContain("password can't be blank")
  expect((await run(['password', 'ada@shop.example'], 'short')).code).toBe(1)
  expect((await run(['list', '--json'])).out).not.toContain('eve')
})

it('a changed password and a deletion end the sessions of the user, and of no one else', async () => {
  await run(['create', 'bob@shop.example'], 'the password of bob')
  await openSession('ada@shop.example')
  await openSession('bob@shop.example')
  expect((await run(['password', 'ada@shop.example'], 'another password')).code).toBe(0)
  expect(await verifyPassword((await stored('ada@shop.example'))?.hash ?? null, 'another password')).toBe(true)
  expect(await sessions()).toBe(1)
  expect((await run(['delete', 'bob@shop.example'])).code).toBe(0)
  expect(await sessions()).toBe(0)
  expect(await stored('bob@shop.example')).toBeUndefined()
  expect(await run(['delete', 'bob@shop.example'])).toMatchObject({
    code: 1,
    printed: expect.stringContaining('There is no user bob@shop.example'),
  })
})

it('a site without roles is told how to declare them, and has users without roles', async () => {
  await expect(run(['role', 'ada@shop.example', 'admin'], '', plain)).rejects.toThrow(
    /declare it in app\/user\.yml.*\n {2}properties:\n {4}- name: roles\n {6}type: array/,
  )
  await expect(run(['create', 'c@shop.example', '--role', 'admin'], 'a long password', plain)).rejects.toThrow(
    /no roles/,
  )
  expect((await run(['create', 'c@shop.example'], 'a long password', plain)).code).toBe(0)
})

it.each([
  [[], /needs an action: give create, list, role, password or delete/],
  [['add'], /has no action 'add'/],
  [['create'], /needs the email address/],
  [['create', 'a@b.example', '.', 'secret'], /does not take 'secret'.*standard input/],
  [['role', 'a@b.example'], /ROLE…, or --none/],
  [['role', 'a@b.example', 'admin', '--none'], /either roles or --none/],
  [['role', 'a@b.example', 'Admin'], /'Admin' is not a role/],
  [['list', '--role', 'x'], /no option '--role'/],
  [['delete', 'a@b.example', '--json'], /no option '--json'/],
])('%j is refused', (argv, sentence) => {
  expect(() => readUserLine(argv)).toThrow(sentence)
})

it('a folder after roles is written with a slash', () => {
  expect(readUserLine(['role', 'a@b.example', 'admin', 'editor', './site'])).toEqual({
    action: 'role',
    email: 'a@b.example',
    roles: ['admin', 'editor'],
    dir: './site',
  })
  expect(readUserLine(['role', 'a@b.example', 'admin'])).toMatchObject({ roles: ['admin'], dir: '.' })
})
