/** Signed tokens of accounts: their owners, their expiry, and uses for which they are not valid. */
import { createHmac } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAccountTokens } from '../../../../server/web/graphql/accounts/account-tokens.ts'

const SECRET = 'the secret of the tests'
const ANN = { id: '7', password: '$argon2id$a' }
const HOUR = 3_600_000

let now = 1_700_000_000_000
const tokens = createAccountTokens(SECRET, () => now)

/** Returns every token that differs from this one in one character. */
function touched(token: string): readonly string[] {
  return [...token].map((letter, at) => `${token.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`)
}

describe('a temporary token', () => {
  it('holds for its account until it ends', () => {
    const token = tokens.temporary(ANN, 1)
    expect(tokens.isTemporary(ANN, token)).toBe(true)
    now += HOUR - 1
    expect(tokens.isTemporary(ANN, token)).toBe(true)
    now += 1_000
    expect(tokens.isTemporary(ANN, token)).toBe(false)
  })

  it.each([
    ['another account', { ...ANN, id: '8' }],
    ['another password', { ...ANN, password: '$argon2id$b' }],
    ['no password', { ...ANN, password: null }],
    ['an account whose id and password join to the same text', { id: '7$', password: 'argon2id$a' }],
  ])('does not hold for %s', (_what, other) => {
    expect(tokens.isTemporary(other, tokens.temporary(ANN, 1))).toBe(false)
  })

  it('does not hold when it was touched, or signed elsewhere', () => {
    const token = tokens.temporary(ANN, 1)
    for (const other of ['', '.', 'null', `${token} `, `0${token}`, token.split('.')[0]!, ...touched(token)])
      expect(tokens.isTemporary(ANN, other), other).toBe(false)
    expect(createAccountTokens('another secret', () => now).isTemporary(ANN, token)).toBe(false)
  })

  it('that has no time has ended, and none lives for longer than a year', () => {
    for (const hours of [0, -5, -Infinity]) expect(tokens.isTemporary(ANN, tokens.temporary(ANN, hours))).toBe(false)
    const token = tokens.temporary(ANN, 1e300)
    expect(tokens.isTemporary(ANN, token)).toBe(true)
    now += 365 * 24 * HOUR
    expect(tokens.isTemporary(ANN, token)).toBe(false)
  })
})

describe('a JSON Web Token', () => {
  it.each(['HS256', 'HS384', 'HS512'])('of %s holds for its account and algorithm', async (algorithm) => {
    const token = await tokens.jwt(ANN, algorithm, 60)
    const [header, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    expect(JSON.parse(header!)).toEqual({ alg: algorithm, typ: 'JWT' })
    const seconds = Math.floor(now / 1000)
    expect(JSON.parse(payload!)).toEqual({ user_id: '7', iat: seconds, exp: seconds + 60, iss: 'ingot' })
    for (const other of ['HS256', 'HS384', 'HS512'])
      expect(await tokens.isJwt(ANN, token, other), other).toBe(other === algorithm)
    expect(await tokens.isJwt({ ...ANN, id: '8' }, token, algorithm)).toBe(false)
    expect(await tokens.isJwt({ ...ANN, password: 'other' }, token, algorithm)).toBe(false)
    expect(await tokens.readUnverifiedId(token)).toBe('7')
  })

  it('ends with its time, a year at the latest', async () => {
    const [short, long, none] = [
      await tokens.jwt(ANN, 'HS256', 60),
      await tokens.jwt(ANN, 'HS256', null),
      await tokens.jwt(ANN, 'HS256', -9),
    ]
    expect(await tokens.isJwt(ANN, none, 'HS256')).toBe(false)
    now += 61_000
    expect(await tokens.isJwt(ANN, short, 'HS256')).toBe(false)
    expect(await tokens.isJwt(ANN, long, 'HS256')).toBe(true)
    now += 365 * 24 * HOUR
    expect(await tokens.isJwt(ANN, long, 'HS256')).toBe(false)
  })

  it('is refused when it was touched, is unsigned, or is signed by a key that strangers know', async () => {
    const token = await tokens.jwt(ANN, 'HS256', 60)
    const claims = { user_id: '7', iss: 'ingot', iat: 1, exp: 9_999_999_999 }
    const guessed = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET.padEnd(32)))
    const empty = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    const unkeyed = `${empty}.${createHmac('sha256', '').update(empty).digest('base64url')}`
    const forged = [
      new UnsecuredJWT(claims).encode(),
      guessed,
      unkeyed,
      `${empty}.`,
      '',
      '..',
      'a.b.c',
      'x'.repeat(1e6),
    ]
    for (const other of [...forged, ...touched(token).slice(0, -1)])
      expect(await tokens.isJwt(ANN, other, 'HS256'), other.slice(0, 200)).toBe(false)
    // A forged token may contain any claims. Reading them does not verify them.
    for (const other of forged) expect(['7', null]).toContain(await tokens.readUnverifiedId(other))
  })

  it.each(['none', 'RS256', 'ES256', 'PS512', 'hs256', ''])('by %s is not supported', async (algorithm) => {
    await expect(tokens.jwt(ANN, algorithm, 60)).rejects.toThrow('not supported')
    await expect(tokens.isJwt(ANN, 'a.b.c', algorithm)).rejects.toThrow('not supported')
  })
})
