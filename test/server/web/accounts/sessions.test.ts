/** Sessions of visitors over HTTP, with a real database: their contents, their owners, and their ends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../../server/data/store/connection.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Served, serve } from '../graphql/served.ts'
import { SITE, Visitor } from './visitor.ts'

let database: TestDatabase
let served: Served
let ann: string
let bob: string

async function user(email: string, more: { language?: string } = {}): Promise<string> {
  const [row] = await database.sql`
    insert into ingot.users (email, slug, name, language) values (${email}, ${email}, ${email}, ${more.language ?? null})
    returning id::text`
  return String(row?.['id'])
}

const rows = async (): Promise<number> =>
  Number((await database.sql`select count(*) from ingot.sessions`)[0]?.['count'])
const visitor = (cookies: Record<string, string> = {}): Visitor => new Visitor(served.url, cookies)

async function signedIn(id: string, more: Record<string, string> = {}): Promise<Visitor> {
  const someone = visitor()
  expect((await someone.form('/act', { in: id, ...more })).seen.user?.id).toBe(id)
  return someone
}

beforeAll(async () => {
  database = await testDatabase()
  served = await serve(SITE, database.sql)
  ann = await user('ann@example.com')
  bob = await user('bob@example.com', { language: 'pl' })
})

afterAll(async () => {
  await served?.close()
  await database?.close()
})

describe('a visitor without a session', () => {
  test('gets no cookie and costs no query from a page that prints no token', async () => {
    const before = await rows()
    for (const path of ['/plain', '/seen', '/html', '/nowhere']) {
      const { cookies } = await visitor().get(path)
      expect(cookies, path).toEqual([])
    }
    expect(await rows()).toBe(before)
  })

  test('gets a signed cookie with a token, and no row', async () => {
    const before = await rows()
    const someone = visitor()
    const { cookies } = await someone.get('/token')
    expect(cookies).toEqual([
      expect.stringMatching(/^_pos_session=f\.[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^CSRF-TOKEN=[\w-]{86}; Path=\/; Max-Age=\d+; SameSite=Lax$/),
    ])
    expect(await rows()).toBe(before)
    // The next page sets no new cookie.
    expect((await someone.get('/token')).cookies).toEqual([])
  })

  test('begins a row by its first field, and keeps it', async () => {
    const someone = visitor()
    const { seen, cookies } = await someone.form('/act', { 'set.cart': '7' })
    expect(seen.session).toEqual({ cart: '7' })
    expect(cookies[0]).toMatch(/^_pos_session=s\./)
    expect((await someone.get('/seen')).seen.session).toEqual({ cart: '7' })
    // Forms that were opened before are still accepted.
    expect((await someone.form('/act', { 'set.cart': ' ' })).seen).toMatchObject({ session: {}, valid: true })
    expect((await someone.get('/seen')).seen.session).toEqual({})
  })

  test('who uses a form of before the first field, in another tab', async () => {
    const someone = visitor()
    const { token = '' } = (await someone.get('/token')).seen
    await someone.form('/act', { 'set.cart': '7' })
    expect((await someone.bare('/act', { authenticity_token: token })).seen).toMatchObject({
      valid: true,
      session: { cart: '7' },
    })
  })

  test('writes by a GET, too', async () => {
    const someone = visitor()
    await someone.get('/act?set.seen=yes')
    expect((await someone.get('/seen')).seen.session).toEqual({ seen: 'yes' })
  })
})

describe('fields', () => {
  test('of requests at once are all kept', async () => {
    for (const begun of [true, false]) {
      const someone = visitor()
      await someone.get('/token')
      if (begun) await someone.form('/act', { 'set.first': '1' })
      const { token = '' } = (await someone.get('/token')).seen
      const names = Array.from({ length: 12 }, (_, index) => `f${index}`)
      const at = new Visitor(served.url, Object.fromEntries(someone.jar))
      await Promise.all(names.map((name) => at.bare('/act', { authenticity_token: token, [`set.${name}`]: name })))
      const { session } = (await at.get('/seen')).seen
      expect(
        Object.keys(session)
          .filter((name) => name !== 'first')
          .sort(),
      ).toEqual([...names].sort())
    }
  })

  test('with names and values that would break other stores', async () => {
    const someone = visitor()
    const nested = JSON.parse('{"__proto__":{"polluted":true}}')
    const expected = Object.defineProperty({ nested, nul: 'a\ufffdb\ufffd\\u0000' }, '__proto__', {
      value: { polluted: true },
      enumerable: true,
    })
    expect(await someone.get('/bad').then(({ text }) => JSON.parse(text).session)).toEqual(expected)
    const { text } = await someone.get('/seen')
    expect(text).toContain('"__proto__":{"polluted":true}')
    expect(JSON.parse(text).session).toEqual(expected)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('keep the order of keys, and the spelling of numbers', async () => {
    const someone = visitor()
    expect((await someone.ask('GET', '/ordered')).text).toBe('null')
    await someone.form('/act', { 'set.other': '1' })
    const { text } = await someone.ask('GET', '/ordered')
    expect(text).toBe('{"zeta":1,"b":{"y":1.0,"x":[{"z":1,"a":2}]},"10":1,"2":2}')
  })

  test('that are too long are refused', async () => {
    const { status } = await visitor().form('/act', { 'set.long': 'x'.repeat(300_000) })
    expect(status).toBe(500)
    expect(served.logged.some(({ msg }) => String(msg).includes("session: 'long' is longer than"))).toBe(true)
  })

  test('that were written before a page failed are kept', async () => {
    const someone = visitor()
    expect((await someone.get('/fails')).status).toBe(500)
    expect((await someone.get('/seen')).seen.session).toEqual({ written: 'before the failure' })
  })
})

describe('signing in', () => {
  test('makes another id and token, and keeps the fields', async () => {
    const someone = visitor()
    await someone.form('/act?language=pl', { 'set.cart': '7' })
    const before = someone.session
    const { token = '' } = (await someone.get('/token')).seen
    const { seen } = await someone.bare('/act', { authenticity_token: token, in: ann })
    expect(seen).toMatchObject({ user: { id: ann, email: 'ann@example.com' }, session: { language: 'pl', cart: '7' } })
    expect(someone.session).not.toBe(before)
    expect((await someone.get('/seen')).seen).toMatchObject({
      user: { id: ann },
      session: { language: 'pl', cart: '7' },
      language: 'pl',
    })
    // The previous session id is no longer valid, so an attacker who planted it gets no access.
    expect((await visitor({ _pos_session: before }).get('/seen')).seen).toMatchObject({ user: null, session: {} })
    // The token of a form from the previous session is not valid in this one.
    expect((await someone.bare('/act', { authenticity_token: token })).seen).toMatchObject({ valid: false, user: null })
  })

  test('as somebody else keeps the fields too, and ends the session of before', async () => {
    const someone = await signedIn(ann)
    await someone.form('/act', { 'set.cart': '7' })
    const before = someone.session
    await someone.form('/act', { in: bob })
    expect((await someone.get('/seen')).seen).toMatchObject({ user: { id: bob }, session: { cart: '7' } })
    expect((await visitor({ _pos_session: before }).get('/seen')).seen).toMatchObject({ user: null, session: {} })
  })

  test('does not adopt an id that somebody planted', async () => {
    const attacker = visitor()
    await attacker.get('/token')
    const victim = visitor(Object.fromEntries(attacker.jar))
    await victim.form('/act', { in: ann })
    expect((await attacker.get('/seen')).seen.user).toBeNull()
    expect((await attacker.form('/act', { 'set.x': 'y' })).seen.user).toBeNull()
    expect((await victim.get('/seen')).seen).toMatchObject({ user: { id: ann }, session: {} })
  })

  test('gives no id that was made up or altered a session', async () => {
    const someone = await signedIn(ann)
    const [kind = '', id = '', signature = ''] = someone.session.split('.')
    const other = (await signedIn(bob)).session.split('.')
    const last = signature.at(-1) ?? ''
    for (const cookie of [
      `${kind}.${id}`,
      `${kind}.${id}.`,
      `${kind}.${id}.${other[2]}`,
      `${kind}.${other[1]}.${signature}`,
      `f.${id}.0.${signature}`,
      `${kind}.${id}.${signature.slice(0, -1)}${last === 'A' ? 'B' : 'A'}`,
      // The same bytes, encoded with different unused bits.
      ...['B', 'C', 'D', 'E', 'I'].map((end) => `${kind}.${id}.${signature.slice(0, -1)}${end === last ? 'F' : end}`),
      `${kind}.${id}.${signature}=`,
      `"${someone.session}"`,
      id,
      'x'.repeat(4000),
      '%00',
    ]) {
      const thief = visitor({ _pos_session: cookie })
      const { seen, status, cookies } = await thief.get('/seen')
      expect([status, seen.user], cookie).toEqual([200, null])
      expect(cookies, cookie).toEqual([])
      expect((await thief.bare('/act')).cookies, cookie).toEqual([])
      // An attacker can only get a new session.
      expect((await thief.form('/act', { 'set.a': 'b' })).seen, cookie).toMatchObject({ user: null, valid: true })
    }
    expect((await someone.get('/seen')).seen.user?.id).toBe(ann)
  })

  test('stands in the table by its digest only', async () => {
    const someone = await signedIn(ann)
    const id = someone.session.split('.')[1] ?? ''
    const found = await database.sql`
      select from ingot.sessions where position(${Buffer.from(id)}::bytea in id) > 0 or position(${Buffer.from(id, 'base64url')}::bytea in id) > 0`
    expect(found).toHaveLength(0)
    expect(await database.sql`select from ingot.sessions where id = sha256(${Buffer.from(id)}::bytea)`).toHaveLength(1)
  })

  test('as nobody is an error', async () => {
    for (const id of ['0', '-1', '999999999', '1; drop table ingot.users', '9'.repeat(40), 'ann']) {
      const someone = visitor()
      expect((await someone.form('/act', { in: id })).status, id).toBe(500)
      expect((await someone.get('/seen')).seen.user).toBeNull()
    }
    expect((await visitor().form('/act', { in: ann, minutes: '-5' })).status).toBe(500)
    expect((await visitor().form('/act', { in: ann, minutes: 'x' })).status).toBe(500)
  })

  test('again leaves nothing of the first session', async () => {
    const someone = await signedIn(ann)
    await someone.form('/act', { 'set.private': 'of ann' })
    const before = someone.session
    expect((await someone.form('/act', { in: bob })).seen).toMatchObject({ user: { id: bob }, session: {} })
    expect((await visitor({ _pos_session: before }).get('/seen')).seen.user).toBeNull()
  })
})

describe('the end', () => {
  const expire = (someone: Visitor, by: string) =>
    database.sql.unsafe(
      `update ingot.sessions set seen_at = now() - interval '${by}', expires_at = now() - interval '${by}' + minutes * interval '1 minute'
       where id = sha256($1)`,
      [Buffer.from(someone.session.split('.')[1] ?? '')],
    )

  test('comes after the time of the sign-in', async () => {
    const someone = await signedIn(ann, { minutes: '15' })
    await expire(someone, '14 minutes')
    const visited = await someone.get('/seen')
    expect(visited.seen.user?.id).toBe(ann)
    // The visit is recorded, and extends the session by another fifteen minutes.
    expect(visited.cookies[0]).toContain('Max-Age=900;')
    const [row] = await database.sql`
      select extract(epoch from expires_at - now()) as left from ingot.sessions
      where id = sha256(${Buffer.from(someone.session.split('.')[1] ?? '')}::bytea)`
    expect(Number(row?.['left'])).toBeGreaterThan(880)
    await expire(someone, '16 minutes')
    expect((await someone.get('/seen')).seen.user).toBeNull()
    expect((await someone.form('/act', { in: bob })).seen.user?.id).toBe(bob)
  })

  test('is not put off by writing at each request', async () => {
    const someone = await signedIn(ann, { minutes: '15' })
    await expire(someone, '1 minute')
    expect((await someone.get('/seen')).cookies).toEqual([])
  })

  test('comes with the end of the user', async () => {
    const id = await user('gone@example.com')
    const someone = await signedIn(id)
    await database.sql`update ingot.users set deleted_at = now() where id = ${id}`
    expect((await someone.get('/seen')).seen.user).toBeNull()
    await database.sql`delete from ingot.users where id = ${id}`
    expect((await someone.get('/seen')).seen.user).toBeNull()
  })
})

describe('messages', () => {
  test('of a policy are shown on the next page, once', async () => {
    const someone = visitor()
    const { status, headers } = await someone.get('/members?a=1')
    expect([status, headers.get('location')]).toEqual([302, '/html?return_to=%2Fmembers%3Fa%3D1'])
    expect((await someone.get('/html')).seen.flash).toEqual({ alert: 'Sign in first' })
    expect((await someone.get('/html')).seen.flash).toEqual({})
  })

  test('stay while visitors are sent on', async () => {
    const someone = visitor()
    await someone.get('/members')
    expect((await someone.get('/on')).status).toBe(302)
    expect((await someone.get('/on')).status).toBe(302)
    expect((await someone.get('/html')).seen.flash).toEqual({ alert: 'Sign in first' })
    expect((await someone.get('/html')).seen.flash).toEqual({})
  })

  test('are gone after a page that could have printed them, and not by what is no page', async () => {
    const someone = visitor()
    await someone.get('/members')
    await someone.get('/nowhere.css')
    await someone.get('/quiet')
    expect((await someone.get('/html')).seen.flash).toEqual({})
  })

  test('of an error page stand on that page', async () => {
    const someone = visitor()
    const { status, text, cookies } = await someone.get('/secret')
    expect([status, text, cookies]).toEqual([403, 'refused: Sign in first', []])
    expect((await someone.get('/html')).seen.flash).toEqual({})
  })

  test('come along with a sign-in', async () => {
    const someone = visitor()
    const { token = '' } = (await someone.get('/token')).seen
    await someone.get('/members')
    await someone.ask('DELETE', `/act?in=${ann}`, { 'x-csrf-token': token })
    expect((await someone.get('/html')).seen).toMatchObject({ user: { id: ann }, flash: { alert: 'Sign in first' } })
  })

  test('let those in who may', async () => {
    const someone = await signedIn(ann)
    expect((await someone.get('/members')).seen.user?.id).toBe(ann)
    expect((await someone.get('/secret')).text).toBe('secret')
  })
})

describe('the language', () => {
  const en = { 'accept-language': 'en' }

  test('that was asked for stays', async () => {
    const someone = visitor()
    expect((await someone.get('/seen', en)).seen.language).toBe('en')
    expect((await someone.get('/seen?language=pl', en)).seen.language).toBe('pl')
    expect((await someone.get('/seen', en)).seen.language).toBe('pl')
    expect((await someone.get('/seen?language=en', en)).seen.language).toBe('en')
    expect((await someone.get('/seen', en)).seen.language).toBe('en')
  })

  test('is any word, and falls back to English where the site has none of it', async () => {
    const someone = visitor()
    expect((await someone.get('/seen?language=jp', en)).seen.language).toBe('jp')
    expect((await someone.get('/seen', en)).seen.language).toBe('jp')
  })

  test('that the visitor has anyway, or is no word, is not written', async () => {
    for (const path of ['/seen?language=en', '/seen?language=%3Cb%3E', '/seen?language[]=pl']) {
      expect((await visitor().get(path)).cookies, path).toEqual([])
    }
  })

  test('is the user’s where the browser names none', async () => {
    const someone = await signedIn(bob)
    expect((await someone.get('/seen')).seen.language).toBe('pl')
    expect((await someone.get('/seen', en)).seen.language).toBe('en')
  })
})

describe('without its database', () => {
  test('the site serves who has no session, and says 503 to who has one, or would get one', async () => {
    const sql = await connect(database.url, 'DATABASE_URL', { pool: 2, name: 'tests' })
    const lonely = await serve(SITE, sql)
    const developed = await serve(SITE, sql, { environment: 'development' })
    try {
      const someone = new Visitor(lonely.url)
      await someone.form('/act', { in: ann })
      await lonely.graphql.close()
      await sql.end({ timeout: 0 })
      expect((await new Visitor(lonely.url).get('/plain')).status).toBe(200)
      expect((await new Visitor(lonely.url).get('/token')).status).toBe(200)
      const { status, cookies } = await someone.get('/plain')
      expect([status, cookies]).toEqual([503, []])
      // Both servers have the same secret, so they accept the same cookies. In development, the page has the reason.
      const shown = await new Visitor(developed.url, Object.fromEntries(someone.jar)).get('/plain')
      expect([shown.status, shown.text]).toEqual([
        503,
        expect.stringContaining('the database of accounts is unavailable'),
      ])
      expect(developed.logged).toContainEqual(
        expect.objectContaining({ path: '/plain', status: 503, reason: 'the database cannot be reached' }),
      )
      const writes = await new Visitor(lonely.url).get('/act?set.a=b')
      expect([writes.status, writes.cookies]).toEqual([503, []])
    } finally {
      await lonely.close().catch(() => undefined)
      await developed.close().catch(() => undefined)
    }
  })
})
