/** Attacks on signing in with a provider. Each differs from a working sign-in in one point, and signs nobody in. */
import { createServer, type Server } from 'node:http'
import { exportSPKI, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSignInProviders, type SignInProviders } from '../../../../server/web/oidc/providers.ts'
import type { OidcProvider } from '../../../../server/core/oidc-settings.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Browser, type Sent, type ServedForms, serveForms } from '../rest/support.ts'
import {
  type Behavior,
  type HostileProvider,
  hostileProvider,
  type Keys,
  newKeys,
  signedBy,
  SITE,
} from './hostile-provider.ts'
import { closeServer, CROSS, listenOn, locationOf, OWN } from './journey.ts'

const FILES = { 'app/views/pages/who.liquid': '{{ context.current_user.email }}|{{ context.session.note }}' }

let database: TestDatabase
let built: LiquidSite
let served: ServedForms
let evil: HostileProvider
let other: HostileProvider
let providers: SignInProviders
let foreignKeys: Keys
let now = Date.now()

function provider(name: string, issuer: string): OidcProvider {
  const rest = { scopes: ['openid', 'email'], trustsEmail: true, responseMode: 'query' as const }
  return { name, issuer, clientId: SITE.id, clientSecret: SITE.secret, ...rest }
}

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  evil = await hostileProvider()
  other = await hostileProvider('honest')
  foreignKeys = await newKeys()
  await serve()
})
afterAll(async () => {
  await served?.close()
  providers?.close()
  await evil?.close()
  await other?.close()
  built?.close()
  await database?.close()
})
beforeEach(async () => {
  await database.sql`truncate ingot.users, ingot.authentications, ingot.sessions, ingot.attempts cascade`
  evil.behavior = {}
  now = Date.now()
})

/** Serves the site with fresh providers, which know nothing about their configurations and keys. */
async function serve(): Promise<void> {
  await served?.close()
  providers?.close()
  const oidcProviders = [provider('evil', evil.issuer), provider('other', other.issuer)]
  providers = createSignInProviders({ oidcProviders, outgoing: [], timeout: 1_500, now: () => now })
  served = await serveForms(built.loaded.site, database, {
    loaded: built.loaded,
    providers,
    accounts: { now: () => now, limits: { address: 1_000, account: 1_000, within: 900 } },
  })
}

interface Journey {
  readonly browser: Browser
  readonly start: Sent
  /** The parameters of the good response. */
  readonly response: Record<string, string>
}

async function set(path = '/auth/evil?return_to=/who', browser = served.browser(), at = evil): Promise<Journey> {
  const start = await browser.get(path, OWN)
  return { browser, start, response: at.receive(locationOf(start)) }
}

const back = (
  browser: Browser,
  response: Record<string, string> | URLSearchParams | string,
  name = 'evil',
): Promise<Sent> => browser.get(`/auth/${name}/callback?${new URLSearchParams(response).toString()}`, CROSS)

const failure = (sent: Sent): string | null => new URL(locationOf(sent), served.url).searchParams.get('message')

/** Checks that nobody was signed in, that no user and no link was created, and that the visitor was told the reason. */
async function refused(browser: Browser, sent: Sent, reason = 'invalid'): Promise<void> {
  expect([sent.status, failure(sent)]).toEqual([303, reason])
  expect(locationOf(sent)).toMatch(/^\/auth\/failure\?/)
  expect((await browser.get('/who')).text).toBe('|')
  expect(await database.sql`select from ingot.users`).toHaveLength(0)
  expect(await database.sql`select from ingot.authentications`).toHaveLength(0)
  expect(await database.sql`select from ingot.sessions where user_id is not null`).toHaveLength(0)
}

/** Goes through a whole sign-in with a provider that behaves in this way. */
async function attempt(behavior: Behavior): Promise<{ readonly browser: Browser; readonly sent: Sent }> {
  evil.behavior = behavior
  const { browser, response } = await set()
  return { browser, sent: await back(browser, response) }
}

const lastLogged = (): string =>
  String(served.logged.filter(({ msg }) => String(msg).includes('was refused')).at(-1)?.['msg'])

test('the provider of these tests signs in when it behaves', async () => {
  const { browser, sent } = await attempt({})
  expect([sent.status, locationOf(sent)]).toEqual([302, '/who'])
  expect((await browser.get('/who')).text).toBe('mallory@example.com|')
})

describe('the response', () => {
  test('without a state, with another, with two, or with one of another form', async () => {
    const { browser, response } = await set()
    const { state = '', code = '', iss = '' } = response
    const others = [
      { code, iss },
      { code, iss, state: '' },
      { code, iss, state: 'x' },
      { code, iss, state: `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}` },
      { code, iss, state: state.toLowerCase() },
      { code, iss, 'state[]': state },
    ]
    for (const each of others) await refused(browser, await back(browser, each), 'expired')
    const twice = new URLSearchParams({ code, iss, state })
    twice.append('state', state)
    await refused(browser, await back(browser, twice), 'expired')
  })

  test('with the state of another browser', async () => {
    const attacker = await set()
    const victim = await set()
    await refused(victim.browser, await back(victim.browser, attacker.response), 'expired')
    await refused(served.browser(), await back(served.browser(), attacker.response), 'expired')
  })

  test('with a state of this browser, and the code of another', async () => {
    const attacker = await set()
    const victim = await set()
    const mixed = { ...attacker.response, state: victim.response['state'] ?? '' }
    await refused(victim.browser, await back(victim.browser, mixed))
    expect(lastLogged()).toContain('"invalid_grant"')
  })

  test('sent again', async () => {
    const { browser, response } = await set()
    const cookies = new Map(browser.cookies)
    expect(locationOf(await back(browser, response))).toBe('/who')
    expect(failure(await back(browser, response))).toBe('expired')
    // Not even by a browser that still has the cookies of before.
    const replaying = served.browser()
    for (const [name, value] of cookies) replaying.cookies.set(name, value)
    expect(failure(await back(replaying, response))).toBe('expired')
    expect(lastLogged()).toContain('was ended before')
    expect((await replaying.get('/who')).text).toBe('|')
  })

  test('sent twice at once', async () => {
    const { browser, response } = await set()
    const sent = await Promise.all(Array.from({ length: 8 }, () => back(browser, response)))
    expect(sent.filter((each) => locationOf(each) === '/who')).toHaveLength(1)
    expect(sent.filter((each) => failure(each) === 'expired')).toHaveLength(7)
  })

  test('with the code of an earlier sign-in', async () => {
    const first = await set()
    await back(first.browser, first.response)
    await database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
    const { browser, response } = await set()
    await refused(browser, await back(browser, { ...response, code: first.response['code'] ?? '' }))
  })

  test('after its time', async () => {
    const { browser, response } = await set()
    now += 16 * 60_000
    await refused(browser, await back(browser, response), 'expired')
    const early = await set()
    now -= 120_000
    await refused(early.browser, await back(early.browser, early.response), 'expired')
  })

  test('of another provider than the one where the visitor went', async () => {
    const { browser, response } = await set()
    await refused(browser, await back(browser, response, 'other'))
    expect(lastLogged()).toContain('was begun with the provider evil')
    // The code was not sent to the other provider.
    expect(other.asked).not.toContain('/token')
  })

  test('with another issuer, with none, or with two', async () => {
    for (const iss of [[other.issuer], [], [evil.issuer, other.issuer], ['']]) {
      const { browser, response } = await set()
      const { iss: _iss, ...rest } = response
      const params = new URLSearchParams(rest)
      for (const each of iss) params.append('iss', each)
      await refused(browser, await back(browser, params))
    }
  })

  test('with a cookie that was changed', async () => {
    const { browser, response } = await set()
    const [name = '', value = ''] = [...browser.cookies].find(([each]) => each.startsWith('ingot_sign_in_')) ?? []
    const [payload = '', mac = ''] = value.split('.')
    const decoded = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[]
    const forged = Buffer.from(JSON.stringify([...decoded.slice(0, 3), '/evil', null])).toString('base64url')
    for (const each of [`${forged}.${mac}`, payload, `${payload}.`, `.${mac}`, '', `${value}.x`, '%00']) {
      browser.cookies.set(name, each)
      await refused(browser, await back(browser, response), 'expired')
    }
  })

  test('that is an error shows nothing of what the provider wrote', async () => {
    const { browser, response } = await set()
    const { state = '', iss = '' } = response
    const script = '"><script>alert(1)</script>'
    const sent = await back(browser, {
      state,
      iss,
      error: script,
      error_description: script,
      error_uri: 'javascript:alert(1)',
    })
    await refused(browser, sent)
    const page = await browser.get(locationOf(sent))
    expect(`${locationOf(sent)}${page.text}`).not.toMatch(/script>alert|javascript:/)
    for (const message of [script, 'constructor', '__proto__', '']) {
      const shown = await browser.get(
        `/auth/failure?message=${encodeURIComponent(message)}&provider=${encodeURIComponent(script)}`,
      )
      expect(shown.text).not.toContain('alert(1)')
      expect(shown.text).toContain('Please try again.')
    }
    expect(lastLogged()).toContain('the provider answered with the error')
  })

  test('without a code, or with a token instead of one', async () => {
    for (const replaced of [{}, { code: '' }, { id_token: 'x' }, { access_token: 'x' }, { response: 'x.y.z' }]) {
      const { browser, response } = await set()
      const { state = '', iss = '' } = response
      await refused(browser, await back(browser, { state, iss, ...replaced }))
    }
  })

  test('that is not a form, or is too long, as a form', async () => {
    const browser = served.browser()
    const send = (body: string, type: string) =>
      fetch(`${served.url}/auth/evil/callback`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
        redirect: 'manual',
      })
    expect((await send('{"code":1}', 'application/json')).status).toBe(400)
    const empty = await send('', 'application/x-www-form-urlencoded')
    await refused(browser, await browser.get(empty.headers.get('location') ?? ''), 'expired')
    const long = await send(
      `state=${'x'.repeat(100_000)}&error_description=${'y'.repeat(1000)}`,
      'application/x-www-form-urlencoded',
    )
    expect(long.headers.get('location')?.length).toBeLessThan(5_000)
    await refused(browser, await browser.get(long.headers.get('location') ?? ''), 'expired')
  })
})

/** Returns a behavior with changed claims. */
const claims = (change: (good: JWTPayload) => JWTPayload): Behavior => ({ claims: change })
const without = (name: string): Behavior =>
  claims((good) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name)))

describe('an id token', () => {
  test.each<readonly [string, Behavior]>([
    ['of another issuer', claims((good) => ({ ...good, iss: 'https://accounts.example' }))],
    ['of no issuer', without('iss')],
    ['for another site', claims((good) => ({ ...good, aud: 'another-site' }))],
    ['for several sites without azp', claims((good) => ({ ...good, aud: [SITE.id, 'another-site'] }))],
    ['with another azp', claims((good) => ({ ...good, azp: 'another-site' }))],
    ['for no site', without('aud')],
    ['with another nonce', claims((good) => ({ ...good, nonce: 'x' }))],
    ['without a nonce', without('nonce')],
    ['with an empty nonce', claims((good) => ({ ...good, nonce: '' }))],
    ['that has expired', claims((good) => ({ ...good, exp: Number(good.iat) - 61 }))],
    ['that never expires', without('exp')],
    ['with a text as exp', claims((good) => ({ ...good, exp: '9999999999' as unknown as number }))],
    ['from the future', claims((good) => ({ ...good, iat: Number(good.iat) + 120 }))],
    ['without iat', without('iat')],
    ['that is not valid yet', claims((good) => ({ ...good, nbf: Number(good.iat) + 120 }))],
    ['without sub', without('sub')],
    ['with an empty sub', claims((good) => ({ ...good, sub: '' }))],
    ['with a number as sub', claims((good) => ({ ...good, sub: 1 as unknown as string }))],
    ['with a list as sub', claims((good) => ({ ...good, sub: ['mallory'] as unknown as string }))],
    ['with NUL in sub', claims((good) => ({ ...good, sub: 'a\0b' }))],
    ['with a long sub', claims((good) => ({ ...good, sub: 'x'.repeat(256) }))],
    ['of another access token', claims((good) => ({ ...good, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }))],
    ['with a list as at_hash', claims((good) => ({ ...good, at_hash: [] }))],
  ])('%s', async (_name, behavior) => {
    const { browser, sent } = await attempt(behavior)
    await refused(browser, sent)
  })

  test.each<readonly [string, NonNullable<Behavior['sign']>]>([
    ['that is not signed (alg: none)', async (payload) => new UnsecuredJWT(payload).encode()],
    [
      'signed with the public key as a shared secret (HS256)',
      async (payload, { publicKey, kid }) =>
        new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(await exportSPKI(publicKey))),
    ],
    [
      'signed with the secret of the site (HS256)',
      async (payload, { kid }) =>
        new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(SITE.secret.padEnd(32, '0'))),
    ],
    ['of another key with the same id', async (payload, { kid }) => signedBy(payload, { ...foreignKeys, kid })],
    ['of another key', async (payload) => signedBy(payload, foreignKeys)],
    ['whose signature was cut', async (payload, keys) => (await signedBy(payload, keys)).slice(0, -10)],
    ['without a signature', async (payload, keys) => (await signedBy(payload, keys)).replace(/\.[^.]*$/, '.')],
    [
      'whose claims were changed after signing',
      async (payload, keys) => {
        const [head, , mac] = (await signedBy({ ...payload, sub: 'x' }, keys)).split('.')
        return `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${mac}`
      },
    ],
    [
      'that carries its own key',
      async (payload) => {
        const { privateKey, publicKey } = foreignKeys
        const { exportJWK } = await import('jose')
        const header = { alg: 'RS256', jwk: await exportJWK(publicKey), kid: 'own' }
        return new SignJWT(payload).setProtectedHeader(header).sign(privateKey)
      },
    ],
    [
      'with an unknown critical header',
      async (payload, { privateKey, kid }) =>
        new SignJWT(payload)
          .setProtectedHeader({ alg: 'RS256', kid, crit: ['x'], x: 1 })
          .sign(privateKey, { crit: { x: true } }),
    ],
    ['that is no token', async () => 'x'],
    ['with two parts', async () => 'e30.e30'],
    ['that is encrypted', async () => 'e30.e30.e30.e30.e30'],
  ])('%s', async (_name, sign) => {
    const { browser, sent } = await attempt({ sign })
    await refused(browser, sent)
  })

  test('that the provider does not send', async () => {
    const { browser, sent } = await attempt({ tokens: ({ id_token: _token, ...rest }) => rest })
    await refused(browser, sent)
  })

  test('signed with a new key of the provider is accepted, and the keys are not read for every unknown one', async () => {
    await attempt({})
    await database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
    const old = evil.keys
    evil.keys = await newKeys()
    now += 11_000
    const { browser, sent } = await attempt({})
    expect(locationOf(sent)).toBe('/who')
    await browser.get('/who')
    await database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
    const asked = evil.asked.filter((path) => path === '/jwks').length
    const again = await attempt({ sign: (payload) => signedBy(payload, old) })
    await refused(again.browser, again.sent)
    expect(evil.asked.filter((path) => path === '/jwks')).toHaveLength(asked)
  })
})

describe('the code verifier', () => {
  test('and the nonce differ in every sign-in, and the browser sees neither the verifier nor a weak challenge', async () => {
    const first = new URL(locationOf((await set()).start)).searchParams
    const second = new URL(locationOf((await set()).start)).searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.get(name)).toMatch(/^[\w-]{43}$/)
      expect(first.get(name)).not.toBe(second.get(name))
    }
    expect(first.get('code_challenge_method')).toBe('S256')
    expect(first.get('response_type')).toBe('code')
  })

  test('of another sign-in does not fit', async () => {
    // The visitor of the attacker has the code, and the state, but not the secret of the server from which the verifier comes.
    const { browser, response } = await set()
    evil.receive(`${evil.issuer}/?code_challenge=x`)
    const stolen = evil.receive(`${evil.issuer}/?redirect_uri=${served.url}/auth/evil/callback&code_challenge=`)
    await refused(browser, await back(browser, { ...response, code: stolen['code'] ?? '' }))
  })
})

describe('the address to return to', () => {
  const TARGETS = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://evil.example/',
    'http:/\\evil.example',
    '%2F%2Fevil.example',
    '/\t/evil.example',
    '/\r\nset-cookie: a=b',
    '/%0d%0aset-cookie: a=b',
    'javascript:alert(1)',
    'data:text/html,x',
    `https://127.0.0.1@evil.example/`,
    '/auth/evil',
    '/auth/other?return_to=/auth/evil',
    `/${'x'.repeat(5_000)}`,
    '',
  ]

  test.each(TARGETS)('%j', async (target) => {
    const path = `/auth/evil?return_to=${encodeURIComponent(target)}`
    const { browser, response } = await set(path)
    const sent = await back(browser, response)
    expect(sent.status).toBe(302)
    const location = locationOf(sent)
    expect(new URL(location, served.url).origin).toBe(served.url)
    expect(location).toMatch(/^\/(?![/\\])/)
    expect(location).not.toMatch(/^\/auth\//)
    expect(sent.headers.get('set-cookie') ?? '').not.toContain('a=b')
    // After a failure as well.
    const failed = await set(path)
    const told = await back(failed.browser, {
      state: failed.response['state'] ?? '',
      error: 'access_denied',
      iss: evil.issuer,
    })
    const page = await failed.browser.get(locationOf(told))
    const [, href = ''] = /<a href="([^"]*)"/.exec(page.text) ?? []
    expect(href).toMatch(/^\/(?![/\\])/)
    // The page of a failure may be opened by anyone with any address.
    const direct = await failed.browser.get(`/auth/failure?return_to=${encodeURIComponent(target)}`)
    expect(/<a href="([^"]*)"/.exec(direct.text)?.[1]).toMatch(/^\/(?![/\\])/)
  })

  test.each(['return_to[]=//evil.example', 'return_to[a]=x', 'return_to=/who&return_to=//evil.example'])(
    '%s',
    async (query) => {
      const { browser, response } = await set(`/auth/evil?${query}`)
      expect(locationOf(await back(browser, response))).toBe('/')
    },
  )
})

describe('the configuration of the provider', () => {
  const begin = async (behavior: Behavior): Promise<Sent> => {
    evil.behavior = behavior
    await serve()
    return served.browser().get('/auth/evil', OWN)
  }

  test.each<readonly [string, Behavior]>([
    ['of another issuer', { discovery: (good) => ({ ...good, issuer: 'https://accounts.example' }) }],
    ['of a similar issuer', { discovery: (good) => ({ ...good, issuer: `${String(good['issuer'])}/x` }) }],
    ['without an authorization endpoint', { discovery: ({ authorization_endpoint: _at, ...rest }) => rest }],
    [
      'with a script as the authorization endpoint',
      { discovery: (good) => ({ ...good, authorization_endpoint: 'javascript:alert(1)' }) },
    ],
    [
      'with an unencrypted authorization endpoint elsewhere',
      { discovery: (good) => ({ ...good, authorization_endpoint: 'http://login.example/' }) },
    ],
    [
      'that is not JSON',
      {
        instead: (_path, _request, response) =>
          Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end('<x>')),
      },
    ],
    [
      'that is a list',
      {
        instead: (_path, _request, response) =>
          Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end('[]')),
      },
    ],
    ['that is not there', { instead: (_path, _request, response) => Boolean(response.writeHead(404).end()) }],
  ])('%s', async (_name, behavior) => {
    const sent = await begin(behavior)
    expect([sent.status, failure(sent)]).toEqual([303, 'unavailable'])
    expect(sent.headers.getSetCookie()).toEqual([])
  })

  test('that redirects to the own network', async () => {
    let reached = 0
    const inside: Server = createServer((_request, response) => {
      reached++
      response.end('{}')
    })
    const address = await listenOn(inside)
    const sent = await begin({
      instead: (_path, _request, response) => Boolean(response.writeHead(302, { location: `${address}/secret` }).end()),
    })
    expect(failure(sent)).toBe('unavailable')
    expect(reached).toBe(0)
    await closeServer(inside)
  })

  test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'that names a %s in the own network',
    async (endpoint) => {
      evil.behavior = {
        discovery: (good) => ({ ...good, [endpoint]: `https://169.254.169.254/${endpoint}` }),
        claims: ({ email: _email, ...rest }) => rest,
      }
      await serve()
      const { browser, response } = await set()
      await refused(browser, await back(browser, response), 'unavailable')
      expect(lastLogged()).toMatch(/the provider failed/)
    },
  )

  test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'that names an unencrypted %s elsewhere',
    async (endpoint) => {
      evil.behavior = {
        discovery: (good) => ({ ...good, [endpoint]: 'http://login.example/x' }),
        claims: ({ email: _email, ...rest }) => rest,
      }
      await serve()
      const { browser, response } = await set()
      await refused(browser, await back(browser, response), 'unavailable')
    },
  )

  test('is read once by many visitors, and not for each one when it fails', async () => {
    const read = () => evil.asked.filter((path) => path.includes('well-known')).length
    evil.behavior = {}
    await serve()
    const before = read()
    const sent = await Promise.all(Array.from({ length: 20 }, () => served.browser().get('/auth/evil', OWN)))
    expect(sent.every((each) => locationOf(each).startsWith(evil.issuer))).toBe(true)
    expect(read()).toBe(before + 1)
    now += 3_700_000
    evil.behavior = { instead: (_path, _request, response) => Boolean(response.writeHead(500).end()) }
    const after = await Promise.all(Array.from({ length: 20 }, () => served.browser().get('/auth/evil', OWN)))
    // The configuration of an hour ago still works.
    expect(after.every((each) => locationOf(each).startsWith(evil.issuer))).toBe(true)
    expect(read()).toBe(before + 2)
    now += 86_400_000
    expect(failure(await served.browser().get('/auth/evil', OWN))).toBe('unavailable')
  })
})

describe('an answer', () => {
  const huge = 'x'.repeat(300_000)

  test.each(['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'])(
    'of %s that is huge',
    async (path) => {
      await serve()
      evil.behavior = {
        claims: ({ email: _email, ...rest }) => rest,
        instead: (asked, _request, response) =>
          asked === path &&
          Boolean(
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ huge, sub: 'mallory' })),
          ),
      }
      const browser = served.browser()
      const start = await browser.get('/auth/evil', OWN)
      const sent = path.includes('well-known') ? start : await back(browser, evil.receive(locationOf(start)))
      await refused(browser, sent, 'unavailable')
      expect(lastLogged()).toContain('larger than')
    },
  )

  test.each(['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'])(
    'of %s that never ends',
    async (path) => {
      await serve()
      evil.behavior = {
        claims: ({ email: _email, ...rest }) => rest,
        instead(asked, _request, response) {
          if (asked !== path) return false
          response.writeHead(200, { 'content-type': 'application/json' })
          const timer = setInterval(() => response.write(' '), 50)
          response.on('close', () => clearInterval(timer))
          return true
        },
      }
      const browser = served.browser()
      const start = await browser.get('/auth/evil', OWN)
      const begun = performance.now()
      const sent = path.includes('well-known') ? start : await back(browser, evil.receive(locationOf(start)))
      expect(performance.now() - begun).toBeLessThan(4_000)
      await refused(browser, sent, 'unavailable')
    },
  )

  test('of userinfo about somebody else', async () => {
    const { browser, sent } = await attempt({
      claims: ({ email: _email, ...rest }) => rest,
      userinfo: () => ({ sub: 'honest', email: 'honest@example.com', email_verified: true }),
    })
    await refused(browser, sent)
  })

  test('of userinfo cannot verify an address by the id token, nor the other way round', async () => {
    await database.sql`insert into ingot.users (email, slug) values ('victim@example.com', 'victim')`
    const { browser, sent } = await attempt({
      claims: ({ email: _email, ...rest }) => ({ ...rest, email_verified: true }),
      userinfo: () => ({ sub: 'mallory', email: 'victim@example.com' }),
    })
    expect(failure(sent)).toBe('email_unverified')
    expect((await browser.get('/who')).text).toBe('|')
    const other = await attempt({
      claims: ({ email_verified: _verified, ...rest }) => ({ ...rest, email: 'victim@example.com' }),
      userinfo: () => ({ sub: 'mallory', email: 'mallory@example.com', email_verified: true }),
    })
    expect(failure(other.sent)).toBe('email_unverified')
  })

  test('with strange names makes a user with harmless ones', async () => {
    const { browser, sent } = await attempt(
      claims((good) => ({
        ...good,
        name: `<b>\u0000${'n'.repeat(5_000)}`,
        given_name: ['x'],
        family_name: { toString: 'x' },
        extra: '\u0000',
      })),
    )
    expect(locationOf(sent)).toBe('/who')
    expect((await browser.get('/who')).text).toBe('mallory@example.com|')
    const [row] = await database.sql`select name, first_name, last_name from ingot.users`
    expect(String(row?.['name'])).toHaveLength(200)
    expect(row).toMatchObject({ first_name: null, last_name: null })
  })
})

describe('too many', () => {
  test('responses that cannot be verified close the door for the network', async () => {
    await served.close()
    served = await serveForms(built.loaded.site, database, {
      loaded: built.loaded,
      providers,
      accounts: { limits: { address: 3, account: 3, within: 900 } },
    })
    const statuses = []
    for (let round = 0; round < 5; round++) statuses.push((await attempt(without('nonce'))).sent.status)
    expect(statuses).toEqual([303, 303, 303, 429, 429])
    await database.sql`truncate ingot.attempts`
    // Visitors who change their minds do not count.
    for (let round = 0; round < 5; round++) {
      const { browser, response } = await set()
      const sent = await back(browser, { state: response['state'] ?? '', error: 'access_denied', iss: evil.issuer })
      expect(failure(sent)).toBe('cancelled')
    }
    await serve()
  })

  test('new users of a network are refused', async () => {
    await served.close()
    served = await serveForms(built.loaded.site, database, {
      loaded: built.loaded,
      providers,
      accounts: { signUps: 2 },
    })
    const statuses = []
    for (let round = 0; round < 4; round++) {
      const change = claims((good) => ({ ...good, sub: `m${round}`, email: `m${round}@example.com` }))
      statuses.push((await attempt(change)).sent.status)
    }
    expect(statuses).toEqual([302, 302, 429, 429])
    expect(await database.sql`select from ingot.users`).toHaveLength(2)
    await serve()
  })

  test('journeys of a browser replace the oldest ones', async () => {
    const browser = served.browser()
    const first = await set('/auth/evil', browser)
    for (let round = 0; round < 12; round++) {
      now += 60_000
      await set('/auth/evil', browser)
    }
    const count = [...browser.cookies.keys()].filter((name) => name.startsWith('ingot_sign_in_')).length
    expect(count).toBe(6)
    await refused(browser, await back(browser, first.response), 'expired')
  })
})

test('the log has the reason, and no secret', async () => {
  const { browser, response } = await set()
  await back(browser, { ...response, code: `${SITE.secret}-code` })
  await attempt(without('nonce'))
  const written = JSON.stringify(served.logged)
  expect(written).toContain('The sign-in with evil was refused (invalid): ')
  expect(written).toContain('nonce')
  for (const secret of [SITE.secret, 'an-access-token', response['state'] ?? '', response['code'] ?? ''])
    expect(written).not.toContain(secret)
})
