/** Attacks with the response of a provider, and with its tokens. Each differs from a working sign-in in one point, and signs nobody in. */
import { exportSPKI, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { type Behavior, claims, newKeys, signedBy, SITE, without } from './hostile-provider.ts'
import { attempt, back, failure, ground, lastLogged, refused, setOut, useHostileSite } from './hostile-site.ts'
import { locationOf } from './journey.ts'

useHostileSite()

test('the provider of these tests signs in when it behaves', async () => {
  const { browser, sent } = await attempt({})
  expect([sent.status, locationOf(sent)]).toEqual([302, '/who'])
  expect((await browser.get('/who')).text).toBe('mallory@example.com|')
})

describe('the response', () => {
  test('without a state, with another, with two, or with one of another form', async () => {
    const { browser, response } = await setOut()
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
    const attacker = await setOut()
    const victim = await setOut()
    await refused(victim.browser, await back(victim.browser, attacker.response), 'expired')
    await refused(ground.served.browser(), await back(ground.served.browser(), attacker.response), 'expired')
  })

  test('with a state of this browser, and the code of another', async () => {
    const attacker = await setOut()
    const victim = await setOut()
    const mixed = { ...attacker.response, state: victim.response['state'] ?? '' }
    await refused(victim.browser, await back(victim.browser, mixed))
    expect(lastLogged()).toContain('"invalid_grant"')
  })

  test('sent again', async () => {
    const { browser, response } = await setOut()
    const cookies = new Map(browser.cookies)
    expect(locationOf(await back(browser, response))).toBe('/who')
    expect(failure(await back(browser, response))).toBe('expired')
    // Not even by a browser that still has the cookies of before.
    const replaying = ground.served.browser()
    for (const [name, value] of cookies) replaying.cookies.set(name, value)
    expect(failure(await back(replaying, response))).toBe('expired')
    expect(lastLogged()).toContain('was ended before')
    expect((await replaying.get('/who')).text).toBe('|')
  })

  test('sent twice at once', async () => {
    const { browser, response } = await setOut()
    const sent = await Promise.all(Array.from({ length: 8 }, () => back(browser, response)))
    expect(sent.filter((each) => locationOf(each) === '/who')).toHaveLength(1)
    expect(sent.filter((each) => failure(each) === 'expired')).toHaveLength(7)
  })

  test('with the code of an earlier sign-in', async () => {
    const first = await setOut()
    await back(first.browser, first.response)
    await ground.database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
    const { browser, response } = await setOut()
    await refused(browser, await back(browser, { ...response, code: first.response['code'] ?? '' }))
  })

  test('after its time', async () => {
    const { browser, response } = await setOut()
    ground.now += 16 * 60_000
    await refused(browser, await back(browser, response), 'expired')
    const early = await setOut()
    ground.now -= 120_000
    await refused(early.browser, await back(early.browser, early.response), 'expired')
  })

  test('of another provider than the one where the visitor went', async () => {
    const { browser, response } = await setOut()
    await refused(browser, await back(browser, response, 'other'))
    expect(lastLogged()).toContain('was begun with the provider evil')
    // The code was not sent to the other provider.
    expect(ground.other.asked).not.toContain('/token')
  })

  test('with another issuer, with none, or with two', async () => {
    for (const iss of [[ground.other.issuer], [], [ground.evil.issuer, ground.other.issuer], ['']]) {
      const { browser, response } = await setOut()
      const { iss: _iss, ...rest } = response
      const params = new URLSearchParams(rest)
      for (const each of iss) params.append('iss', each)
      await refused(browser, await back(browser, params))
    }
  })

  test('with a cookie that was changed', async () => {
    const { browser, response } = await setOut()
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
    const { browser, response } = await setOut()
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
      const { browser, response } = await setOut()
      const { state = '', iss = '' } = response
      await refused(browser, await back(browser, { state, iss, ...replaced }))
    }
  })

  test('that is not a form, or is too long, as a form', async () => {
    const browser = ground.served.browser()
    const send = (body: string, type: string) =>
      fetch(`${ground.served.url}/auth/evil/callback`, {
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
    ['of another key with the same id', async (payload, { kid }) => signedBy(payload, { ...ground.foreignKeys, kid })],
    ['of another key', async (payload) => signedBy(payload, ground.foreignKeys)],
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
        const { privateKey, publicKey } = ground.foreignKeys
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
    await ground.database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
    const old = ground.evil.keys
    ground.evil.keys = await newKeys()
    ground.now += 11_000
    const { browser, sent } = await attempt({})
    expect(locationOf(sent)).toBe('/who')
    await browser.get('/who')
    await ground.database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
    const asked = ground.evil.asked.filter((path) => path === '/jwks').length
    const again = await attempt({ sign: (payload) => signedBy(payload, old) })
    await refused(again.browser, again.sent)
    expect(ground.evil.asked.filter((path) => path === '/jwks')).toHaveLength(asked)
  })
})

describe('the code verifier', () => {
  test('and the nonce differ in every sign-in, and the browser sees neither the verifier nor a weak challenge', async () => {
    const first = new URL(locationOf((await setOut()).start)).searchParams
    const second = new URL(locationOf((await setOut()).start)).searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.get(name)).toMatch(/^[\w-]{43}$/)
      expect(first.get(name)).not.toBe(second.get(name))
    }
    expect(first.get('code_challenge_method')).toBe('S256')
    expect(first.get('response_type')).toBe('code')
  })

  test('of another sign-in does not fit', async () => {
    // The visitor of the attacker has the code, and the state, but not the secret of the server from which the verifier comes.
    const { browser, response } = await setOut()
    ground.evil.receive(`${ground.evil.issuer}/?code_challenge=x`)
    const stolen = ground.evil.receive(
      `${ground.evil.issuer}/?redirect_uri=${ground.served.url}/auth/evil/callback&code_challenge=`,
    )
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
    const { browser, response } = await setOut(path)
    const sent = await back(browser, response)
    expect(sent.status).toBe(302)
    const location = locationOf(sent)
    expect(new URL(location, ground.served.url).origin).toBe(ground.served.url)
    expect(location).toMatch(/^\/(?![/\\])/)
    expect(location).not.toMatch(/^\/auth\//)
    expect(sent.headers.get('set-cookie') ?? '').not.toContain('a=b')
    // After a failure as well.
    const failed = await setOut(path)
    const told = await back(failed.browser, {
      state: failed.response['state'] ?? '',
      error: 'access_denied',
      iss: ground.evil.issuer,
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
      const { browser, response } = await setOut(`/auth/evil?${query}`)
      expect(locationOf(await back(browser, response))).toBe('/')
    },
  )
})
