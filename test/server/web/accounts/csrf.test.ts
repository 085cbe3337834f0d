/**
 * Requests that change something: with a CSRF token of its session, a request can use the session. Without a token, the request runs
 * without a session.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTokenOf, maskToken } from '../../../../server/web/accounts/csrf.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Served, serve } from '../graphql/served.ts'
import { SITE, Visitor } from './visitor.ts'

let database: TestDatabase
let served: Served
let ann: string
let ben: string

const visitor = (cookies: Record<string, string> = {}): Visitor => new Visitor(served.url, cookies)

async function signedIn(): Promise<{ someone: Visitor; token: string }> {
  const someone = visitor()
  await someone.form('/act', { in: ann })
  return { someone, token: (await someone.get('/token')).seen.token ?? '' }
}

beforeAll(async () => {
  database = await testDatabase()
  served = await serve(SITE, database.sql)
  const users = await database.sql`
    insert into ingot.users (email, slug) values ('ann@example.com', 'ann'), ('ben@example.com', 'ben') returning id::text`
  ;[ann = '', ben = ''] = users.map((row) => String(row['id']))
})

afterAll(async () => {
  await served?.close()
  await database?.close()
})

describe('a masked token', () => {
  const secret = Buffer.alloc(32, 7)

  test('is another text each time, and always of its secret', () => {
    const tokens = Array.from({ length: 50 }, () => maskToken(secret))
    expect(new Set(tokens).size).toBe(50)
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{86}$/)
      expect(isTokenOf(secret, token)).toBe(true)
      expect(isTokenOf(Buffer.alloc(32, 8), token)).toBe(false)
    }
  })

  test('is none when a single character is another', () => {
    const token = maskToken(secret)
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(isTokenOf(secret, token.slice(0, at) + other + token.slice(at + 1)), String(at)).toBe(false)
    }
  })

  test.each([[''], [null], [undefined], [[maskToken(secret)]], [{ 0: 'x' }], ['x'.repeat(86)], ['é'.repeat(86)]])(
    'is not %j',
    (token) => expect(isTokenOf(secret, token)).toBe(false),
  )
})

describe('a request that changes something', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('by %s needs a token, in the form or in the header', async (method) => {
    const { someone, token } = await signedIn()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const inForm = await someone.ask(method, '/act', form, `authenticity_token=${token}`)
    expect(inForm.seen).toMatchObject({ valid: true, user: { id: ann } })
    const inHeader = await someone.ask(method, '/act', { 'x-csrf-token': token })
    expect(inHeader.seen).toMatchObject({ valid: true, user: { id: ann } })
    // Scripts can read a token from the cookie `CSRF-TOKEN`.
    const fromCookie = await someone.ask(method, '/act', { 'x-csrf-token': someone.jar.get('CSRF-TOKEN') ?? '' })
    expect(fromCookie.seen).toMatchObject({ valid: true, user: { id: ann } })
    const json = { 'content-type': 'application/json' }
    const inJson = await someone.ask(method, '/act', json, JSON.stringify({ authenticity_token: token }))
    expect(inJson.seen).toMatchObject({ valid: true, user: { id: ann } })
    expect((await someone.ask(method, '/act')).seen).toMatchObject({ valid: false, user: null, session: {} })
  })

  test('by a form with a hidden method needs one too', async () => {
    const { someone, token } = await signedIn()
    const with_ = await someone.bare('/act', { _method: 'delete', authenticity_token: token })
    expect(with_.seen).toMatchObject({ valid: true, user: { id: ann } })
    expect((await someone.bare('/act', { _method: 'get' })).seen).toMatchObject({ valid: false, user: null })
  })

  test.each([
    ['none', () => ({})],
    ['an empty one', () => ({ authenticity_token: '' })],
    ['one of somebody else', async () => ({ authenticity_token: (await signedIn()).token })],
    ['a made up one', () => ({ authenticity_token: 'x'.repeat(86) })],
    ['one in an array', (token: string) => ({ 'authenticity_token[]': token })],
    ['one in a hash', (token: string) => ({ 'authenticity_token[a]': token })],
    ['half of one', (token: string) => ({ authenticity_token: token.slice(0, 43) })],
    ['one with a space', (token: string) => ({ authenticity_token: `${token} ` })],
  ])('with %s runs signed out, and its session stays', async (_name, fields) => {
    const { someone, token } = await signedIn()
    const { status, seen, cookies } = await someone.bare('/act', { ...(await fields(token)) } as Record<string, string>)
    expect(status).toBe(200)
    expect(seen).toMatchObject({ valid: false, user: null, session: {} })
    expect(cookies).toEqual([])
    expect((await someone.get('/seen')).seen.user?.id).toBe(ann)
    // The forms of other pages still work.
    expect((await someone.bare('/act', { authenticity_token: token })).seen.user?.id).toBe(ann)
  })

  test('without a token neither reads nor changes the session of a user, but its messages arrive', async () => {
    const { someone } = await signedIn()
    await someone.form('/act', { 'set.role': 'guest' })
    const { seen, cookies } = await someone.bare('/act', { 'set.role': 'admin', 'set.more': 'x' })
    expect([seen.session, cookies]).toEqual([{ role: 'admin', more: 'x' }, []])
    const refused = await someone.bare('/members-post')
    expect([refused.headers.get('location'), refused.cookies]).toEqual(['/html?return_to=%2F', []])
    expect((await someone.get('/html')).seen).toMatchObject({
      ...{ user: { id: ann }, session: { role: 'guest' }, flash: { alert: 'Sign in first' } },
    })
  })

  test('without a token sets fields while no user is signed in, and reads none', async () => {
    const someone = visitor()
    await someone.form('/act', { 'set.a': '1' })
    const before = someone.session
    expect((await someone.bare('/act', { 'set.b': '2' })).seen.session).toEqual({ b: '2' })
    expect(someone.session).toBe(before)
    expect((await someone.get('/seen')).seen.session).toEqual({ a: '1', b: '2' })
  })

  test('without a token that signs in replaces the session and ends it', async () => {
    const { someone } = await signedIn()
    await someone.form('/act', { 'set.cart': 'of the first user' })
    const before = someone.session
    expect((await someone.bare('/act', { in: ben, 'set.a': 'b' })).seen).toMatchObject({ user: { id: ben } })
    expect(someone.session).not.toBe(before)
    expect((await someone.get('/seen')).seen).toMatchObject({ user: { id: ben }, session: { a: 'b' } })
    expect((await visitor({ _pos_session: before }).get('/seen')).seen.user).toBeNull()
  })

  test('without a token gets a token of the session that it keeps', async () => {
    const { someone } = await signedIn()
    const { token = '' } = (await someone.bare('/token')).seen
    expect((await someone.bare('/act', { authenticity_token: token })).seen.user?.id).toBe(ann)
  })

  test('without any session has no valid token, and gets no cookie', async () => {
    const { seen, cookies } = await visitor().bare('/act')
    expect(seen).toMatchObject({ valid: false, user: null })
    expect(cookies).toEqual([])
  })

  test('of another visitor’s cookie and one’s own token is not the other one', async () => {
    const victim = await signedIn()
    const attacker = await signedIn()
    const thief = visitor({ _pos_session: victim.someone.session, 'CSRF-TOKEN': attacker.token })
    expect((await thief.bare('/act', { authenticity_token: attacker.token })).seen).toMatchObject({
      valid: false,
      user: null,
    })
  })

  test('of a program with a token needs none, and has no session', async () => {
    const { someone } = await signedIn()
    for (const authorization of ['Token abc', 'Token token=abc', 'Bearer abc']) {
      const { seen, cookies } = await someone.bare('/act', {}, { authorization })
      expect(seen).toMatchObject({ valid: true, user: null, session: {} })
      expect(cookies).toEqual([])
    }
    expect((await someone.get('/seen', { authorization: 'Bearer abc' })).seen.user).toBeNull()
    expect((await someone.get('/seen')).seen.user?.id).toBe(ann)
  })

  test('of a browser that says a password by itself has its session by a token only', async () => {
    const { someone, token } = await signedIn()
    const authorization = `Basic ${Buffer.from('staging:staging').toString('base64')}`
    expect((await someone.get('/seen', { authorization })).seen.user?.id).toBe(ann)
    expect((await someone.bare('/act', {}, { authorization })).seen).toMatchObject({ valid: true, user: null })
    const valid = await someone.bare('/act', { authenticity_token: token }, { authorization })
    expect(valid.seen).toMatchObject({ valid: true, user: { id: ann } })
  })

  test.each(['GET', 'HEAD', 'OPTIONS'])('is none by %s', async (method) => {
    const { someone } = await signedIn()
    const before = someone.session
    expect((await someone.ask(method, '/act')).status).toBeLessThan(300)
    expect(someone.session).toBe(before)
    expect((await someone.get('/seen')).seen).toMatchObject({ user: { id: ann } })
  })
})
