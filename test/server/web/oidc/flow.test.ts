/** Visitors sign in with a certified provider, over HTTP and with a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../server/web/accounts/passwords.ts'
import { createSignInProviders, type SignInProviders } from '../../../../server/web/oidc/providers.ts'
import type { OidcProvider } from '../../../../server/core/oidc-settings.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { inputsOf, type Sent, type ServedForms, serveForms } from '../rest/support.ts'
import { CROSS, locationOf, OWN, signIn, type SiteBrowser, visitProvider } from './journey.ts'
import { CLIENT, type RealProvider, realProvider } from './real-provider.ts'

const FILES = {
  'app/views/pages/who.liquid':
    '{{ context.current_user.email }}|{{ context.current_user.first_name }}|{{ context.current_user.name }}|{{ context.session.basket }}',
  'app/views/pages/basket.liquid': '{% session basket = "apples" %}kept',
  'app/views/pages/token.liquid': '<input name="authenticity_token" value="{{ context.authenticity_token }}">',
  'app/views/pages/sign_in.liquid': "{% include_form 'log_in' %}",
  'app/forms/log_in.liquid':
    '---\nname: log_in\nresource: Session\nfields:\n  email:\n  password:\nredirect_to: /who\n---\n{% form %}{% endform %}',
  'app/views/pages/own.liquid': '---\nslug: auth/github\n---\nthe page of a module',
  'app/views/pages/own_back.liquid':
    '---\nslug: auth/:provider/callback\n---\ncallback of {{ context.params.provider }}',
  'app/graphql/links.graphql':
    'query links { user: current_user { authentications { provider name uid token token_expires_at raw_info } } }',
  'app/views/pages/links.liquid': '{% graphql r = "links" %}{{ r.user.authentications | json }}',
  'app/user.yml': 'properties:\n  - name: plan\n    type: string\n    default_value: free\n',
}

let database: TestDatabase
let built: LiquidSite
let served: ServedForms
let real: RealProvider
let providers: SignInProviders

function provider(name: string, more: Partial<OidcProvider> = {}): OidcProvider {
  const scopes = ['openid', 'email', 'profile']
  const plain = { trustsEmail: false, responseMode: 'query' as const }
  return { name, issuer: real.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, scopes, ...plain, ...more }
}

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  real = await realProvider()
  const all = [
    provider('keycloak'),
    provider('trusted', { trustsEmail: true }),
    provider('google', { responseMode: 'form_post' }),
  ]
  providers = createSignInProviders({ oidcProviders: all, outgoing: [] })
  served = await serveForms(built.loaded.site, database, {
    loaded: built.loaded,
    providers,
    accounts: { limits: { address: 1_000, account: 1_000, within: 900 } },
  })
  real.begin(
    served.url,
    all.map(({ name }) => name),
  )
})
afterAll(async () => {
  await served?.close()
  providers?.close()
  await real?.close()
  built?.close()
  await database?.close()
})
beforeEach(async () => {
  await database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
  real.people.clear()
  real.people.set('ada', {
    sub: 'ada',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
  })
  real.person = 'ada'
})

const who = async (browser: SiteBrowser): Promise<string> => (await browser.get('/who')).text
const users = async () =>
  database.sql`select id::text, email, name, first_name, last_name, encrypted_password, properties from ingot.users`

async function user(email: string): Promise<string> {
  const [row] = await database.sql`insert into ingot.users (email, slug, encrypted_password)
    values (${email}, ${email}, ${await hashPassword('correct horse')}) returning id::text`
  return String(row?.['id'])
}

/** Returns a browser in which a user has signed in with a password. */
async function signedIn(email: string): Promise<SiteBrowser> {
  const browser = served.browser()
  const inputs = inputsOf((await browser.get('/sign_in')).text)
  const fields = { ...inputs, 'form[email]': email, 'form[password]': 'correct horse' }
  expect(locationOf(await browser.post('/api/sessions', fields))).toBe('/who')
  return browser
}

const failure = (sent: Sent): string | null => new URL(locationOf(sent), served.url).searchParams.get('message')
const links = async () =>
  database.sql`select user_id::text as user, provider, uid, issuer from ingot.authentications order by id`

describe('a new visitor', () => {
  test('gets an account with the names of the provider, and returns to the page', async () => {
    const browser = served.browser()
    await browser.get('/basket')
    await browser.get('/token')
    const before = new Map(browser.cookies)
    const last = await signIn(browser, '/auth/keycloak?return_to=%2Fwho%3Fa%3D1')
    expect([last.status, locationOf(last)]).toEqual([302, '/who?a=1'])
    expect(await who(browser)).toBe('ada@example.com|Ada|Ada Lovelace|apples')
    const [ada, ...others] = await users()
    expect(others).toEqual([])
    expect(ada).toMatchObject({
      first_name: 'Ada',
      last_name: 'Lovelace',
      encrypted_password: null,
      properties: { plan: 'free' },
    })
    // A session that somebody else may know ends.
    expect(browser.cookies.get('_pos_session')).not.toBe(before.get('_pos_session'))
    expect(browser.cookies.get('CSRF-TOKEN')).not.toBe(before.get('CSRF-TOKEN'))
    const old = served.browser()
    for (const [name, value] of before) old.cookies.set(name, value)
    expect(await who(old)).toBe('|||')
    // The cookie of the journey is gone.
    expect([...browser.cookies.keys()].filter((name) => name.includes('sign_in'))).toEqual([])
  })

  test('sees the link over GraphQL, with the token of the provider', async () => {
    const browser = served.browser()
    await signIn(browser, '/auth/keycloak')
    const [link, ...others] = JSON.parse((await browser.get('/links')).text) as Record<string, unknown>[]
    expect(others).toEqual([])
    expect(link).toMatchObject({ provider: 'openid_connect', name: 'keycloak', uid: 'ada', token: expect.any(String) })
    expect(link?.['raw_info']).toMatchObject({
      iss: real.issuer,
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
    })
    expect(Date.parse(String(link?.['token_expires_at']))).toBeGreaterThan(Date.now())
  })

  test('is found again by the identity, not by the address', async () => {
    await signIn(served.browser(), '/auth/keycloak')
    real.people.set('ada', { sub: 'ada', email: 'other@example.com', email_verified: false })
    const browser = served.browser()
    await signIn(browser, '/auth/keycloak')
    expect(await who(browser)).toBe('ada@example.com|Ada|Ada Lovelace|')
    expect(await users()).toHaveLength(1)
  })

  test('without an address is refused', async () => {
    real.people.set('ada', { sub: 'ada', name: 'Ada' })
    const last = await signIn(served.browser(), '/auth/keycloak')
    expect(locationOf(last)).toBe('/auth/failure?message=email_missing&provider=keycloak&return_to=%2F')
    expect(await users()).toEqual([])
  })

  test('who comes twice at once gets one account', async () => {
    const rounds = 6
    for (let round = 0; round < rounds; round++) {
      const id = `twin${round}`
      real.people.set(id, { sub: id, email: `${id}@example.com`, email_verified: true })
      real.person = id
      const browsers = [served.browser(), served.browser(), served.browser()]
      const backs = []
      for (const browser of browsers) {
        const back = await visitProvider(locationOf(await browser.get('/auth/keycloak', OWN)))
        backs.push('address' in back ? new URL(back.address) : new URL('http://no'))
      }
      const answers = await Promise.all(
        backs.map(({ pathname, search }, at) => (browsers[at] as SiteBrowser).get(pathname + search, CROSS)),
      )
      expect(answers.map(locationOf)).toEqual(['/', '/', '/'])
      for (const browser of browsers) expect(await who(browser)).toBe(`${id}@example.com|||`)
    }
    expect(await users()).toHaveLength(rounds)
    expect(await database.sql`select from ingot.authentications`).toHaveLength(rounds)
  })

  test('may go in several tabs of one browser', async () => {
    const browser = served.browser()
    const starts = []
    for (const target of ['/who', '/basket']) starts.push(await browser.get(`/auth/keycloak?return_to=${target}`, OWN))
    for (const [at, start] of [...starts.entries()].toReversed()) {
      const back = await visitProvider(locationOf(start))
      const { pathname, search } = new URL('address' in back ? back.address : 'http://no')
      expect(locationOf(await browser.get(pathname + search, CROSS))).toBe(['/who', '/basket'][at])
    }
    expect(await who(browser)).toMatch(/^ada@/)
  })

  test('comes back with a form when the provider is asked for it', async () => {
    const browser = served.browser()
    await browser.get('/basket')
    const start = await browser.get('/auth/google?return_to=/who', OWN)
    expect(new URL(locationOf(start)).searchParams.get('response_mode')).toBe('form_post')
    const back = await visitProvider(locationOf(start))
    if (!('form' in back)) throw new Error('there is no form')
    expect(back.action).toBe(`${served.url}/auth/google/callback`)
    // Browsers send no cookies with the form of another site.
    const moved = await served.browser().post('/auth/google/callback', back.form, CROSS)
    expect(moved.status).toBe(303)
    expect(locationOf(await browser.get(locationOf(moved), CROSS))).toBe('/who')
    expect(await who(browser)).toBe('ada@example.com|Ada|Ada Lovelace|apples')
    expect(JSON.parse((await browser.get('/links')).text)).toMatchObject([{ provider: 'google', name: 'google' }])
  })

  test('who refuses at the provider is told so in general words', async () => {
    real.person = null
    const browser = served.browser()
    const last = await signIn(browser, '/auth/keycloak?return_to=/who')
    expect(locationOf(last)).toBe('/auth/failure?message=cancelled&provider=keycloak&return_to=%2Fwho')
    const page = await browser.get(locationOf(last))
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('You did not sign in there')])
    expect(page.text).toContain('<a href="/who">')
    expect(page.text).not.toContain('alert(1)')
  })
})

describe('an address', () => {
  test('of a user opens no account by itself, even if the provider has verified it', async () => {
    const ada = await user('ADA@example.com')
    const last = await signIn(served.browser(), '/auth/keycloak?return_to=/who')
    expect(failure(last)).toBe('email_taken')
    expect(await links()).toEqual([])
    // After signing in with the password, the visitor can link the identity.
    const browser = await signedIn('ADA@example.com')
    expect(locationOf(await signIn(browser, '/auth/keycloak?return_to=/who'))).toBe('/who')
    expect(await links()).toEqual([{ user: ada, provider: 'keycloak', uid: 'ada', issuer: real.issuer }])
    const other = served.browser()
    await signIn(other, '/auth/keycloak')
    expect(await who(other)).toMatch(/^ADA@/)
  })

  test('that a trusted provider has verified signs its user in', async () => {
    const ada = await user('Ada@example.com')
    const browser = served.browser()
    expect(locationOf(await signIn(browser, '/auth/trusted'))).toBe('/')
    expect(await who(browser)).toMatch(/^Ada@/)
    expect(await links()).toEqual([{ user: ada, provider: 'trusted', uid: 'ada', issuer: real.issuer }])
  })

  test.each([
    ['that is not verified', false],
    ['with the text true', 'true'],
    ['with the text false', 'false'],
    ['with the number 1', 1],
    ['without a word about it', undefined],
  ])('%s never opens the account of a user', async (_name, verified) => {
    await user('ada@example.com')
    real.people.set('ada', { sub: 'ada', email: 'ada@example.com', email_verified: verified as boolean })
    for (const name of ['keycloak', 'trusted']) {
      const browser = served.browser()
      expect(failure(await signIn(browser, `/auth/${name}`))).toBe('email_unverified')
      expect(await who(browser)).toBe('|||')
    }
    expect(await links()).toEqual([])
    expect(served.logged.map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/refused \(email_unverified\): the user \d+ has the e-mail address/),
    )
  })

  test('of a deleted user is free again, and so is the identity', async () => {
    await signIn(served.browser(), '/auth/keycloak')
    await database.sql`update ingot.users set deleted_at = now()`
    const browser = served.browser()
    await signIn(browser, '/auth/keycloak')
    expect(await who(browser)).toMatch(/^ada@/)
    expect(await users()).toHaveLength(2)
    expect(await links()).toHaveLength(1)
  })
})

describe('a signed-in visitor', () => {
  test('keeps the session, and may link an identity with any address', async () => {
    const eve = await user('eve@example.com')
    const browser = await signedIn('eve@example.com')
    const session = browser.cookies.get('_pos_session')
    expect(locationOf(await signIn(browser, '/auth/keycloak?return_to=/who'))).toBe('/who')
    expect(browser.cookies.get('_pos_session')).toBe(session)
    expect(await who(browser)).toMatch(/^eve@/)
    expect(await links()).toMatchObject([{ user: eve, uid: 'ada' }])
    // Once more does nothing.
    expect(locationOf(await signIn(browser, '/auth/keycloak?return_to=/who'))).toBe('/who')
    expect(await links()).toHaveLength(1)
  })

  test('cannot link the identity of another user', async () => {
    await signIn(served.browser(), '/auth/keycloak')
    await user('eve@example.com')
    const browser = await signedIn('eve@example.com')
    expect(failure(await signIn(browser, '/auth/keycloak'))).toBe('other_user')
    expect(await who(browser)).toMatch(/^eve@/)
    expect(await links()).toHaveLength(1)
  })

  test('cannot have two identities of a provider', async () => {
    await user('eve@example.com')
    const browser = await signedIn('eve@example.com')
    await signIn(browser, '/auth/keycloak')
    real.person = 'bob'
    real.people.set('bob', { sub: 'bob', email: 'bob@example.com' })
    expect(failure(await signIn(browser, '/auth/keycloak'))).toBe('other_identity')
    expect(await links()).toMatchObject([{ uid: 'ada' }])
  })

  test.each([['cross-site'], ['same-site'], ['']])(
    'whom another site (%s) sends on the way links nothing',
    async (site) => {
      await user('eve@example.com')
      const browser = await signedIn('eve@example.com')
      const headers: Record<string, string> =
        site === '' ? { referer: 'https://evil.example/' } : { 'sec-fetch-site': site }
      expect(failure(await signIn(browser, '/auth/keycloak', headers))).toBe('user_changed')
      expect(await links()).toEqual([])
    },
  )

  test('who has signed out, or changed, on the way links nothing', async () => {
    await user('eve@example.com')
    const browser = await signedIn('eve@example.com')
    const start = await browser.get('/auth/keycloak', OWN)
    const back = await visitProvider(locationOf(start))
    const { pathname, search } = new URL('address' in back ? back.address : 'http://no')
    browser.cookies.delete('_pos_session')
    expect(failure(await browser.get(pathname + search, CROSS))).toBe('user_changed')
    expect(await users()).toHaveLength(1)
  })
})

describe('links that the site has written itself', () => {
  const write = (user: string, provider: string, uid: string | null) =>
    database.sql`insert into ingot.authentications (user_id, provider, uid) values (${user}, ${provider}, ${uid})`

  test('sign in the user who has one', async () => {
    const eve = await user('eve@example.com')
    await write(eve, 'keycloak', 'ada')
    const browser = served.browser()
    await signIn(browser, '/auth/keycloak')
    expect(await who(browser)).toMatch(/^eve@/)
    expect(await links()).toEqual([{ user: eve, provider: 'keycloak', uid: 'ada', issuer: real.issuer }])
  })

  test('sign in nobody when several users have the same', async () => {
    for (const email of ['eve@example.com', 'bob@example.com']) await write(await user(email), 'keycloak', 'ada')
    expect(failure(await signIn(served.browser(), '/auth/keycloak'))).toBe('invalid')
    expect(await users()).toHaveLength(2)
  })

  test('do not count for another issuer of the same name', async () => {
    const eve = await user('eve@example.com')
    await write(eve, 'keycloak', 'ada')
    await database.sql`update ingot.authentications set issuer = 'https://old.example'`
    const browser = served.browser()
    await signIn(browser, '/auth/keycloak')
    expect(await who(browser)).toMatch(/^ada@/)
  })

  test('are proved no more when the site changes the identity', async () => {
    await signIn(served.browser(), '/auth/keycloak')
    const update = (uid: string) =>
      served.send('POST', '/api/graph', {
        query: `mutation { user_update(id: ${JSON.stringify(userId)}, user: { authentications: [{ provider: openid_connect, uid: ${JSON.stringify(uid)} }] }) { id } }`,
      })
    const [{ user: userId } = { user: '' }] = await links()
    await database.sql`update ingot.authentications set provider = 'openid_connect'`
    await update('ada')
    expect(await links()).toMatchObject([{ uid: 'ada', issuer: real.issuer }])
    await update('bob')
    expect(await links()).toMatchObject([{ uid: 'bob', issuer: null }])
  })
})

describe('the site', () => {
  test('answers for providers that are not configured', async () => {
    const browser = served.browser()
    expect((await browser.get('/auth/github')).text).toBe('the page of a module')
    expect((await browser.get('/auth/github/callback?code=1')).text).toBe('callback of github')
    expect((await browser.get('/auth/Keycloak')).status).toBe(404)
    expect((await browser.get('/auth')).status).toBe(404)
  })

  test.each([
    ['HEAD', '/auth/keycloak/callback?code=1&state=x'],
    ['PUT', '/auth/keycloak/callback?code=1&state=x'],
    ['DELETE', '/auth/keycloak/callback'],
    ['HEAD', '/auth/keycloak'],
    ['POST', '/auth/keycloak'],
  ])('and not the provider answers %s %s', async (method, path) => {
    const answer = await fetch(served.url + path, { method, redirect: 'manual' })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.get('location')).toBeNull()
    expect([200, 404]).toContain(answer.status)
    expect(await answer.text()).not.toContain('keycloak signed in')
  })
})
