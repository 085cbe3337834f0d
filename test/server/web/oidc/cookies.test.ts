/** Signing in with a provider under strict cookies, behind a proxy with encryption, and with a failure page of the site. */
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSignInProviders, type SignInProviders } from '../../../../server/web/oidc/providers.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type ServedForms, serveForms } from '../rest/support.ts'
import { type HostileProvider, hostileProvider, SITE } from './hostile-provider.ts'
import { CROSS, locationOf, OWN } from './journey.ts'

const FILES = {
  'app/views/pages/who.liquid': '{{ context.current_user.email }}|{{ context.session.note }}',
  'app/views/pages/note.liquid': '{% session note = "kept" %}{{ context.authenticity_token }}',
}

let database: TestDatabase
let provider: HostileProvider
let providers: SignInProviders
let built: LiquidSite
let served: ServedForms

beforeAll(async () => {
  database = await testDatabase()
  provider = await hostileProvider('ada')
  const rest = { scopes: ['openid'], trustsEmail: false, responseMode: 'query' as const }
  const okta = { name: 'okta', issuer: provider.issuer, clientId: SITE.id, clientSecret: SITE.secret, ...rest }
  providers = createSignInProviders({ oidcProviders: [okta], outgoing: [] })
})
afterAll(async () => {
  providers?.close()
  await provider?.close()
  await database?.close()
})
beforeEach(async () => {
  await database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
})
afterEach(async () => {
  await served?.close()
  built?.close()
})

async function serve(files: Readonly<Record<string, string>> = {}, proxies = 0): Promise<void> {
  built = await liquidSite({ ...FILES, ...files })
  served = await serveForms(built.loaded.site, database, { loaded: built.loaded, providers, proxies })
}

const query = (parameters: Readonly<Record<string, string>>): string => new URLSearchParams(parameters).toString()

describe('with strict cookies', () => {
  const STRICT = { 'app/config.yml': 'cookies_same_site: Strict\n' }
  const targetOf = (page: string): string => (/content="0; url=([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&#38;', '&')

  test('the visitor keeps the session, which the browser withholds when the provider redirects', async () => {
    await serve(STRICT)
    const browser = served.browser()
    await browser.get('/note')
    const session = browser.cookies.get('_pos_session') ?? ''
    expect(session).not.toBe('')
    const start = await browser.get('/auth/okta?return_to=/who', OWN)
    const response = provider.receive(locationOf(start))
    browser.cookies.delete('_pos_session')
    const bounced = await browser.get(`/auth/okta/callback?${query(response)}`, CROSS)
    expect([bounced.status, locationOf(bounced)]).toEqual([200, ''])
    expect(bounced.headers.get('referrer-policy')).toBe('no-referrer')
    browser.cookies.set('_pos_session', session)
    const last = await browser.get(targetOf(bounced.text), OWN)
    expect([last.status, targetOf(last.text)]).toEqual([200, '/who'])
    expect((await browser.get('/who')).text).toBe('ada@example.com|kept')
  })

  test('a visitor without a session comes in too', async () => {
    await serve(STRICT)
    const browser = served.browser()
    const start = await browser.get('/auth/okta?return_to=/who', OWN)
    const bounced = await browser.get(`/auth/okta/callback?${query(provider.receive(locationOf(start)))}`, CROSS)
    expect(targetOf((await browser.get(targetOf(bounced.text), OWN)).text)).toBe('/who')
    expect((await browser.get('/who')).text).toBe('ada@example.com|')
  })

  test('nothing of an address becomes a part of the page', async () => {
    await serve(STRICT)
    const sent = await served.browser().get('/auth/okta/callback?state="><script>alert(1)</script>', CROSS)
    expect(sent.text).not.toContain('<script>alert')
  })
})

describe('behind a proxy with encryption', () => {
  const SECURE = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example', 'x-forwarded-for': '203.0.113.9' }

  test('cookies are for the encrypted host only, and the provider is told its address', async () => {
    await serve({}, 1)
    const browser = served.browser()
    const start = await browser.get('/auth/okta', { ...OWN, ...SECURE })
    const [cookie = ''] = start.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-ingot_sign_in_[\w-]{12}=/)
    for (const word of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=900']) expect(cookie).toContain(word)
    expect(new URL(locationOf(start)).searchParams.get('redirect_uri')).toBe('https://shop.example/auth/okta/callback')
    const response = provider.receive(locationOf(start))
    // Over another host or without encryption, the cookie does not count.
    const elsewhere = await browser.get(`/auth/okta/callback?${query(response)}`, {
      ...CROSS,
      'x-forwarded-host': 'shop.example',
    })
    expect(locationOf(elsewhere)).toContain('message=expired')
    const last = await browser.get(`/auth/okta/callback?${query(response)}`, { ...CROSS, ...SECURE })
    expect(locationOf(last)).toBe('/')
  })
})

describe('a failure', () => {
  test('is told by the page of the site', async () => {
    await serve({
      'app/views/pages/auth/failure.liquid': 'own: {{ context.params.message }} {{ context.params.provider }}',
    })
    const browser = served.browser()
    const start = await browser.get('/auth/okta?return_to=/who', OWN)
    const { state = '' } = provider.receive(locationOf(start))
    const failed = await browser.get(
      `/auth/okta/callback?${query({ state, error: 'access_denied', iss: provider.issuer })}`,
      CROSS,
    )
    const page = await browser.get(locationOf(failed))
    expect([page.status, page.text]).toEqual([200, 'own: cancelled okta'])
  })

  test('is told by the server where a page answers all addresses', async () => {
    await serve({
      'app/views/pages/all.liquid': '---\nslug: "*rest"\n---\neverything',
      'app/views/pages/two.liquid': '---\nslug: :a/:b\n---\ntwo',
    })
    const browser = served.browser()
    expect((await browser.get('/auth/failure?message=expired')).text).toContain('has expired')
    expect((await browser.get('/auth/github')).text).toBe('two')
  })
})
