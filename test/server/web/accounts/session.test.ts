/** One session as an object of the server: what it writes, when it writes, and which cookies it sets. */
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { createStatements } from '../../../../server/web/graphql/database/statements.ts'
import { parseJson, toJson } from '../../../../runtime/page/values/json.ts'
import type { Request } from '../../../../server/web/http/message.ts'
import { type OpenSession, type Session, SessionsAway } from '../../../../server/web/site/session.ts'
import { withSessionCookies } from '../../../../server/web/site/settle.ts'
import { connect } from '../../../../server/data/store/connection.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { request } from '../../../support/server/site.ts'

let database: TestDatabase
let open: OpenSession
let ann: string
let now = Date.now()
let statements = 0

const logger = pino({ level: 'silent' })

function opener(more: { sameSite?: 'Lax' | 'Strict' | 'None'; secret?: string } = {}): OpenSession {
  const real = createStatements({ sql: database.sql, replica: null }, logger)
  const counted: typeof real = {
    toFailure: (...given) => real.toFailure(...given),
    run(...given) {
      statements++
      return real.run(...given)
    },
  }
  const { secret = 'of these tests', sameSite = 'Lax' } = more
  return createAccounts({ statements: counted, secret, now: () => now }).sessions({ sameSite })
}

/** Returns a request with the cookies that were set before. */
function from(cookies: readonly string[], more: Partial<Request> = {}): Request {
  const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
  return request('/', { ...more, headers: { ...(cookie === '' ? {} : { cookie }), ...more.headers } })
}

async function signedIn(minutes: number | null = null): Promise<readonly string[]> {
  const session = await open(request('/'), {})
  await session.signIn(ann, minutes)
  return session.commit()
}

const again = async (cookies: readonly string[]): Promise<Session> => open(from(cookies), {})

beforeAll(async () => {
  database = await testDatabase()
  open = opener()
  const [row] = await database.sql`
    insert into ingot.users (email, slug, first_name) values ('ann@example.com', 'ann', 'Ann') returning id::text`
  ann = String(row?.['id'])
})
afterAll(() => database?.close())

describe('cookies', () => {
  test('are for encrypted connections only where the visitor has one', async () => {
    const session = await open(request('/', { protocol: 'https' }), {})
    session.csrfToken()
    for (const cookie of await session.commit()) expect(cookie).toContain('; Secure; SameSite=Lax')
  })

  test.each(['Strict', 'None'] as const)('say SameSite=%s where the site does', async (sameSite) => {
    const session = await opener({ sameSite })(request('/'), {})
    session.csrfToken()
    for (const cookie of await session.commit()) expect(cookie).toMatch(new RegExp(`; SameSite=${sameSite}$`))
  })

  test('of another installation are nobody’s', async () => {
    const cookies = await signedIn()
    expect((await opener({ secret: 'another' })(from(cookies), {})).user).toBeNull()
    // Another process with the same secret accepts the cookies.
    expect((await opener()(from(cookies), {})).user).toEqual({
      id: ann,
      email: 'ann@example.com',
      name: null,
      first_name: 'Ann',
      last_name: null,
      slug: 'ann',
      external_id: null,
      language: null,
    })
  })

  test('without a row end after a year without a visit', async () => {
    const session = await open(request('/'), {})
    const token = session.csrfToken()
    const cookies = await session.commit()
    const send = () => open(from(cookies, { method: 'POST' }), { authenticity_token: token })
    now += 364 * 86_400_000
    expect((await send()).csrfValid).toBe(true)
    const renewed = await (await again(cookies)).commit()
    expect(renewed[0]).toMatch(/^_pos_session=f\./)
    now += 3 * 86_400_000
    expect((await send()).csrfValid).toBe(false)
    expect((await open(from(renewed, { method: 'POST' }), { authenticity_token: token })).csrfValid).toBe(true)
    now = Date.now()
  })

  test('of a visitor whose session is known are not set again', async () => {
    const cookies = await signedIn()
    const session = await again(cookies)
    session.set('a', 'b')
    session.csrfToken()
    expect(await session.commit()).toEqual([])
    const other = await open(from(cookies.slice(0, 1)), {})
    other.csrfToken()
    expect(await other.commit()).toEqual([expect.stringContaining('CSRF-TOKEN=')])
  })
})

describe('statements', () => {
  const counted = async (steps: () => Promise<unknown>): Promise<number> => {
    const before = statements
    await steps()
    return statements - before
  }

  test('are none for who has no session, one to read it, and one to write all', async () => {
    const cookies = await signedIn()
    expect(await counted(async () => (await open(request('/'), {})).commit())).toBe(0)
    expect(await counted(async () => (await again(cookies)).commit())).toBe(1)
    const writes = async (): Promise<void> => {
      const session = await again(cookies)
      session.set('a', 1)
      session.set('b', 2)
      session.addFlash('notice', 'Done')
      await session.commit()
    }
    expect(await counted(writes)).toBe(2)
  })

  test('that write nothing new are left out', async () => {
    const cookies = await signedIn()
    const steps = async (): Promise<void> => {
      const session = await again(cookies)
      session.set('never there', null)
      session.addFlash('notice', '  ')
      void session.flash
      session.csrfToken()
      await session.commit()
    }
    expect(await counted(steps)).toBe(1)
  })
})

describe('a field', () => {
  test('has its floats and long numbers in the next request, too', async () => {
    const session = await open(request('/'), {})
    session.set('numbers', parseJson('[3.0, 123456789012345678901, 1.5]'))
    const next = await again(await session.commit())
    expect(toJson(next.values['numbers'])).toBe('[3.0,123456789012345678901,1.5]')
  })

  test.each(['', 'a\0b', '\ud800', 'x'.repeat(201)])('cannot be called %j', async (name) => {
    const session = await open(request('/'), {})
    expect(() => session.set(name, 'value')).toThrow('a field name must have')
  })

  test('that is one too many is refused, and one that is there is not', async () => {
    const session = await open(request('/'), {})
    for (let n = 0; n < 200; n++) session.set(`żółw 🐢 ${n}`, [n, { n }])
    expect(() => session.set('one more', 1)).toThrow('there are 200 fields already')
    session.set('żółw 🐢 7', 'changed')
    const { values } = await again(await session.commit())
    expect(values['żółw 🐢 7']).toBe('changed')
    expect(values['żółw 🐢 8']).toEqual([8, { n: 8 }])
  })

  test('holds numbers, lists and hashes, and no code', async () => {
    const session = await open(request('/'), {})
    const kept = { n: 1.5, whole: 12, yes: true, list: [1, 'a', null], hash: { a: { b: 'c' } } }
    for (const [name, value] of Object.entries(kept)) session.set(name, value)
    session.set('no', false)
    session.set('nothing', [])
    expect(session.values).toEqual(kept)
    expect((await again(await session.commit())).values).toEqual(kept)
  })
})

test('a session that nobody comes back with lives for a day', async () => {
  const session = await open(request('/'), {})
  session.addFlash('alert', 'Sign in first')
  const cookies = await session.commit()
  const days = async (row: string | null): Promise<number> => {
    const [found] = await database.sql`
      select extract(epoch from expires_at - now())::float8 / 86400 as days from ingot.sessions where id = decode(${row}, 'hex')`
    return Math.round(Number(found?.['days']))
  }
  expect(await days(session.row)).toBe(1)
  const second = await again(cookies)
  await second.commit()
  expect(await days(second.row)).toBe(365)
  const other = await again(await signedIn())
  expect(await days(other.row)).toBe(365)
})

describe('signing out', () => {
  test('ends the session for good and removes the cookies', async () => {
    const cookies = await signedIn()
    const session = await again(cookies)
    session.set('cart', '7')
    const { values } = session
    await session.signOut()
    expect([session.user, session.values, session.row]).toEqual([null, {}, null])
    // The object that templates already hold is empty, too.
    expect(values).toEqual({})
    expect(await session.commit()).toEqual([
      '_pos_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      'CSRF-TOKEN=; Path=/; Max-Age=0; SameSite=Lax',
    ])
    expect((await again(cookies)).user).toBeNull()
  })

  test('leaves a message in a new session', async () => {
    const cookies = await signedIn()
    const session = await again(cookies)
    session.addFlash('notice', 'Good bye')
    await session.signOut()
    const later = await again(await session.commit())
    expect([later.user, later.flash]).toEqual([null, { notice: 'Good bye' }])
  })

  test('is not undone by a request that ends later', async () => {
    const cookies = await signedIn()
    const slow = await again(cookies)
    await (await again(cookies)).signOut()
    slow.set('late', 'yes')
    slow.addFlash('notice', 'late')
    await slow.commit()
    expect((await again(cookies)).user).toBeNull()
    expect(await database.sql`select from ingot.sessions where fields ? 'late'`).toHaveLength(0)
  })

  test('and in, in one request, is a new session', async () => {
    const cookies = await signedIn()
    const session = await again(cookies)
    await session.signOut()
    await session.signIn(ann, 5)
    const renewed = await session.commit()
    expect((await again(cookies)).user).toBeNull()
    expect((await again(renewed)).user?.id).toBe(ann)
  })

  test('or in takes no cookie back by an answer that comes late', async () => {
    const cookies = await signedIn()
    await database.sql`update ingot.sessions set expires_at = expires_at - interval '1 day'`
    const slow = await again(cookies)
    await (await again(cookies)).signOut()
    expect(await slow.commit()).toEqual([])
    expect(await (await again(cookies)).commit()).toEqual([])
  })

  test('without a session does nothing', async () => {
    const session = await open(request('/'), {})
    await session.signOut()
    expect(await session.commit()).toEqual([])
  })
})

describe('a sign-in', () => {
  test('in two requests at once ends the one session and begins two', async () => {
    const before = await signedIn()
    const [a, b] = await Promise.all([again(before), again(before)])
    await Promise.all([a.signIn(ann, null), b.signIn(ann, null)])
    const [one, other] = await Promise.all([a.commit(), b.commit()])
    expect((await again(before)).user).toBeNull()
    expect((await again(one)).user?.id).toBe(ann)
    expect((await again(other)).user?.id).toBe(ann)
  })

  test('gives tokens of the new session from then on', async () => {
    const session = await open(request('/'), {})
    const old = session.csrfToken()
    await session.signIn(ann, null)
    const token = session.csrfToken()
    expect(session.tokens).toEqual([old, token])
    const cookies = await session.commit()
    const send = (text: string) => open(from(cookies, { method: 'POST' }), { authenticity_token: text })
    expect((await send(token)).user?.id).toBe(ann)
    expect((await send(old)).user).toBeNull()
  })

  test('lives no longer than ten years, and at least a moment', async () => {
    const [cookie] = await signedIn(1e300)
    expect(cookie).toContain(`Max-Age=${400 * 86_400};`)
    expect((await signedIn(0.05))[0]).toContain('Max-Age=3;')
    await expect(signedIn(0)).rejects.toThrow('timeout_in_minutes')
    await expect(signedIn(Number.NaN)).rejects.toThrow('timeout_in_minutes')
  })

  test('for one request leaves nothing behind', async () => {
    const session = await open(request('/'), {})
    await session.actAs(ann)
    expect(session.user?.email).toBe('ann@example.com')
    expect(await session.commit()).toEqual([])
    await expect(session.actAs('0')).rejects.toThrow('there is no user 0')
  })

  test('is found by the key of its row', async () => {
    const session = await again(await signedIn())
    const found = await database.sql`select from ingot.sessions where id = decode(${session.row}, 'hex')`
    expect(found).toHaveLength(1)
  })
})

describe('messages', () => {
  test('that another request leaves meanwhile are not lost', async () => {
    const cookies = await signedIn()
    const first = await again(cookies)
    first.addFlash('notice', 'one')
    await first.commit()
    const reader = await again(cookies)
    expect(reader.flash).toEqual({ notice: 'one' })
    const writer = await again(cookies)
    writer.addFlash('alert', 'two')
    await writer.commit()
    await reader.commit()
    expect((await again(cookies)).flash).toEqual({ notice: 'one', alert: 'two' })
  })

  test('of this request are not kept, and long ones are cut', async () => {
    const session = await open(request('/'), {})
    session.addFlash('alert', 'now', true)
    expect(session.flash).toEqual({ alert: 'now' })
    expect(await session.commit()).toEqual([])
    const other = await open(request('/'), {})
    other.addFlash('alert', `${'x'.repeat(10_000)}\0`)
    expect((await again(await other.commit())).flash.alert).toHaveLength(4_096)
  })

  test('wait for an answer that is no redirect', async () => {
    const cookies = await signedIn()
    const said = await again(cookies)
    said.addFlash('notice', 'kept')
    await said.commit()
    const html = { 'content-type': 'text/html' }
    const reply = { status: 302, headers: { ...html, location: '/' }, body: '', template: 'a' }
    const sentOn = await again(cookies)
    expect(sentOn.flash).toEqual({ notice: 'kept' })
    await withSessionCookies(sentOn, reply)
    await withSessionCookies(await again(cookies), {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{}',
      template: 'a',
    })
    expect((await again(cookies)).flash).toEqual({ notice: 'kept' })
    await withSessionCookies(await again(cookies), { status: 200, headers: html, body: '', template: 'a' })
    expect((await again(cookies)).flash).toEqual({})
  })
})

test('without its database there is an error that says so', async () => {
  const cookies = await signedIn()
  const sql = await connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })
  const { sessions } = createAccounts({
    statements: createStatements({ sql, replica: null }, logger),
    secret: 'of these tests',
  })
  await sql.end({ timeout: 0 })
  await expect(sessions({ sameSite: 'Lax' })(from(cookies), {})).rejects.toBeInstanceOf(SessionsAway)
  // A visitor without a session does not need the database.
  expect((await sessions({ sameSite: 'Lax' })(request('/'), {})).user).toBeNull()
})
