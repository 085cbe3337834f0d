/** Attacks with the configuration of a provider and with its other answers, and too many sign-ins. */
import { createServer, type Server } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Sent } from '../rest/support.ts'
import { type Behavior, claims, SITE, without } from './hostile-provider.ts'
import { attempt, back, failure, ground, lastLogged, refused, serve, setOut, useHostileSite } from './hostile-site.ts'
import { closeServer, listenOn, locationOf, OWN } from './journey.ts'

useHostileSite()

describe('the configuration of the provider', () => {
  const begin = async (behavior: Behavior): Promise<Sent> => {
    ground.evil.behavior = behavior
    await serve()
    return ground.served.browser().get('/auth/evil', OWN)
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
      ground.evil.behavior = {
        discovery: (good) => ({ ...good, [endpoint]: `https://169.254.169.254/${endpoint}` }),
        claims: ({ email: _email, ...rest }) => rest,
      }
      await serve()
      const { browser, response } = await setOut()
      await refused(browser, await back(browser, response), 'unavailable')
      expect(lastLogged()).toMatch(/the provider failed/)
    },
  )

  test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'that names an unencrypted %s elsewhere',
    async (endpoint) => {
      ground.evil.behavior = {
        discovery: (good) => ({ ...good, [endpoint]: 'http://login.example/x' }),
        claims: ({ email: _email, ...rest }) => rest,
      }
      await serve()
      const { browser, response } = await setOut()
      await refused(browser, await back(browser, response), 'unavailable')
    },
  )

  test('is read once by many visitors, and not for each one when it fails', async () => {
    const read = () => ground.evil.asked.filter((path) => path.includes('well-known')).length
    ground.evil.behavior = {}
    await serve()
    const before = read()
    const sent = await Promise.all(Array.from({ length: 20 }, () => ground.served.browser().get('/auth/evil', OWN)))
    expect(sent.every((each) => locationOf(each).startsWith(ground.evil.issuer))).toBe(true)
    expect(read()).toBe(before + 1)
    ground.now += 3_700_000
    ground.evil.behavior = { instead: (_path, _request, response) => Boolean(response.writeHead(500).end()) }
    const after = await Promise.all(Array.from({ length: 20 }, () => ground.served.browser().get('/auth/evil', OWN)))
    // The configuration of an hour ago still works.
    expect(after.every((each) => locationOf(each).startsWith(ground.evil.issuer))).toBe(true)
    expect(read()).toBe(before + 2)
    ground.now += 86_400_000
    expect(failure(await ground.served.browser().get('/auth/evil', OWN))).toBe('unavailable')
  })
})

describe('an answer', () => {
  const huge = 'x'.repeat(300_000)

  test.each(['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'])(
    'of %s that is huge',
    async (path) => {
      await serve()
      ground.evil.behavior = {
        claims: ({ email: _email, ...rest }) => rest,
        instead: (asked, _request, response) =>
          asked === path &&
          Boolean(
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ huge, sub: 'mallory' })),
          ),
      }
      const browser = ground.served.browser()
      const start = await browser.get('/auth/evil', OWN)
      const sent = path.includes('well-known') ? start : await back(browser, ground.evil.receive(locationOf(start)))
      await refused(browser, sent, 'unavailable')
      expect(lastLogged()).toContain('larger than')
    },
  )

  test.each(['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'])(
    'of %s that never ends',
    async (path) => {
      await serve()
      ground.evil.behavior = {
        claims: ({ email: _email, ...rest }) => rest,
        instead(asked, _request, response) {
          if (asked !== path) return false
          response.writeHead(200, { 'content-type': 'application/json' })
          const timer = setInterval(() => response.write(' '), 50)
          response.on('close', () => clearInterval(timer))
          return true
        },
      }
      const browser = ground.served.browser()
      const start = await browser.get('/auth/evil', OWN)
      const begun = performance.now()
      const sent = path.includes('well-known') ? start : await back(browser, ground.evil.receive(locationOf(start)))
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
    await ground.database.sql`insert into ingot.users (email, slug) values ('victim@example.com', 'victim')`
    const { browser, sent } = await attempt({
      claims: ({ email: _email, ...rest }) => ({ ...rest, email_verified: true }),
      userinfo: () => ({ sub: 'mallory', email: 'victim@example.com' }),
    })
    expect(failure(sent)).toBe('email_unverified')
    expect((await browser.get('/who')).text).toBe('|')
    const second = await attempt({
      claims: ({ email_verified: _verified, ...rest }) => ({ ...rest, email: 'victim@example.com' }),
      userinfo: () => ({ sub: 'mallory', email: 'mallory@example.com', email_verified: true }),
    })
    expect(failure(second.sent)).toBe('email_unverified')
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
    const [row] = await ground.database.sql`select name, first_name, last_name from ingot.users`
    expect(String(row?.['name'])).toHaveLength(200)
    expect(row).toMatchObject({ first_name: null, last_name: null })
  })
})

describe('too many', () => {
  test('responses that cannot be verified close the door for the network', async () => {
    await serve({ limits: { address: 3, account: 3, within: 900 } })
    const statuses = []
    for (let round = 0; round < 5; round++) statuses.push((await attempt(without('nonce'))).sent.status)
    expect(statuses).toEqual([303, 303, 303, 429, 429])
    await ground.database.sql`truncate ingot.attempts`
    // Visitors who change their minds do not count.
    for (let round = 0; round < 5; round++) {
      const { browser, response } = await setOut()
      const sent = await back(browser, {
        state: response['state'] ?? '',
        error: 'access_denied',
        iss: ground.evil.issuer,
      })
      expect(failure(sent)).toBe('cancelled')
    }
    await serve()
  })

  test('new users of a network are refused', async () => {
    await serve({ signUps: 2 })
    const statuses = []
    for (let round = 0; round < 4; round++) {
      const change = claims((good) => ({ ...good, sub: `m${round}`, email: `m${round}@example.com` }))
      statuses.push((await attempt(change)).sent.status)
    }
    expect(statuses).toEqual([302, 302, 429, 429])
    expect(await ground.database.sql`select from ingot.users`).toHaveLength(2)
    await serve()
  })

  test('journeys of a browser replace the oldest ones', async () => {
    const browser = ground.served.browser()
    const first = await setOut('/auth/evil', browser)
    for (let round = 0; round < 12; round++) {
      ground.now += 60_000
      await setOut('/auth/evil', browser)
    }
    const count = [...browser.cookies.keys()].filter((name) => name.startsWith('ingot_sign_in_')).length
    expect(count).toBe(5)
    await refused(browser, await back(browser, first.response), 'expired')
  })
})

test('the log has the reason, and no secret', async () => {
  const { browser, response } = await setOut()
  await back(browser, { ...response, code: `${SITE.secret}-code` })
  await attempt(without('nonce'))
  const [{ entry, origin } = { entry: null, origin: null }] = ground.kept.slice(-1)
  expect(entry).toMatchObject({ type: 'sign-in', env: 'all', message: expect.stringContaining('refused (invalid)') })
  expect(origin).toMatchObject({ url: expect.stringMatching(/\/auth\/evil\/callback$/), user: null })
  const written = JSON.stringify([ground.served.logged, ground.kept])
  expect(written).toContain('The sign-in with evil was refused (invalid): ')
  expect(written).toContain('nonce')
  for (const secret of [SITE.secret, 'an-access-token', response['state'] ?? '', response['code'] ?? ''])
    expect(written).not.toContain(secret)
})
