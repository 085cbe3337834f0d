/** Users remove links to their accounts at providers: own ones only, with a CSRF token, and not the last way to sign in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSignInProviders, type SignInProviders } from '../../../../server/web/oidc/providers.ts'
import { createUserToken } from '../../../../server/data/store/tokens.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Browser, inputsOf, type Sent, type ServedForms, serveForms } from '../rest/support.ts'
import { locationOf } from './journey.ts'

const FILES = {
  'app/views/pages/enter.liquid': '{% sign_in user_id: context.params.user %}in',
  'app/views/pages/token.liquid': '<input name="authenticity_token" value="{{ context.authenticity_token }}">',
}
const PROVIDER = { issuer: 'https://login.example', clientId: 'x', clientSecret: null, scopes: ['openid'] }

let database: TestDatabase
let built: LiquidSite
let served: ServedForms
let providers: SignInProviders
let ada: string
let eve: string

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const oidcProviders = ['keycloak', 'okta'].map(
    (name) => ({ name, ...PROVIDER, trustsEmail: false, responseMode: 'query' }) as const,
  )
  providers = createSignInProviders({ oidcProviders, outgoing: [] })
  served = await serveForms(built.loaded.site, database, { loaded: built.loaded, providers })
})
afterAll(async () => {
  await served?.close()
  providers?.close()
  built?.close()
  await database?.close()
})
beforeEach(async () => {
  await database.sql`truncate ingot.users, ingot.authentications, ingot.sessions cascade`
  ada = await user('ada@example.com', null)
  eve = await user('eve@example.com', 'a hash')
})

async function user(email: string, hash: string | null): Promise<string> {
  const [row] = await database.sql`insert into ingot.users (email, slug, encrypted_password)
    values (${email}, ${email}, ${hash}) returning id::text`
  return String(row?.['id'])
}

async function link(owner: string, provider: string, uid: string | null = 'u'): Promise<string> {
  const [row] = await database.sql`insert into ingot.authentications (user_id, provider, uid)
    values (${owner}, ${provider}, ${uid}) returning id::text`
  return String(row?.['id'])
}

const left = async (): Promise<unknown[]> =>
  (await database.sql`select provider from ingot.authentications order by id`).map((row) => row['provider'])

async function signedIn(id: string): Promise<{ readonly browser: Browser; readonly token: string }> {
  const browser = served.browser()
  await browser.get(`/enter?user=${id}`)
  const { authenticity_token: token = '' } = inputsOf((await browser.get('/token')).text)
  return { browser, token }
}

async function unlink(owner: string, id: string, more: Record<string, string> = {}): Promise<Sent> {
  const { browser, token } = await signedIn(owner)
  return browser.post(`/api/authentications/${id}`, { _method: 'delete', authenticity_token: token, ...more })
}

describe('an own link', () => {
  test('goes with a form, and the visitor returns to a page of the site', async () => {
    const id = await link(eve, 'keycloak')
    const answer = await unlink(eve, id, { return_to: '/token' })
    expect([answer.status, locationOf(answer)]).toEqual([302, '/token'])
    expect(await left()).toEqual([])
    expect((await unlink(eve, id)).status).toBe(404)
  })

  test('leads to no other site', async () => {
    const answer = await unlink(eve, await link(eve, 'keycloak'), {
      return_to: '//evil.example',
      redirect_to: 'https:evil',
    })
    expect(locationOf(answer)).toBe('/')
  })

  test('goes with a request of a script, which gets no body', async () => {
    const id = await link(eve, 'keycloak')
    const { browser, token } = await signedIn(eve)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'x-csrf-token': token, accept: 'application/json' }
    const answer = await fetch(`${served.url}/api/authentications/${id}`, { method: 'DELETE', headers })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(await left()).toEqual([])
  })

  test('goes with the token of its user, and not with that of another', async () => {
    const id = await link(eve, 'keycloak')
    const tokenOf = async (email: string) => (await createUserToken(database.sql, email, 'x', 'site', 1))?.token ?? ''
    const send = async (token: string) =>
      (await served.send('DELETE', `/api/authentications/${id}`, undefined, { token })).status
    expect(await send(await tokenOf('ada@example.com'))).toBe(404)
    expect(await left()).toEqual(['keycloak'])
    expect(await send(await tokenOf('eve@example.com'))).toBe(204)
    expect(await left()).toEqual([])
  })
})

describe('nobody removes', () => {
  test('the link of another user', async () => {
    const id = await link(eve, 'keycloak')
    await link(ada, 'keycloak', 'v')
    expect((await unlink(ada, id)).status).toBe(404)
    expect(await left()).toHaveLength(2)
  })

  test.each([
    ['without a token', {}],
    ['with a wrong token', { authenticity_token: 'x'.repeat(86) }],
  ])('a link %s', async (_name, fields) => {
    const id = await link(eve, 'keycloak')
    const { browser } = await signedIn(eve)
    const answer = await browser.post(`/api/authentications/${id}`, { _method: 'delete', ...fields })
    expect(answer.status).toBe(404)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const script = await fetch(`${served.url}/api/authentications/${id}`, { method: 'DELETE', headers: { cookie } })
    expect(script.status).toBe(401)
    expect(await left()).toEqual(['keycloak'])
  })

  test('a link from a page of another site', async () => {
    const id = await link(eve, 'keycloak')
    const { browser } = await signedIn(eve)
    const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect((await browser.post(`/api/authentications/${id}`, { _method: 'delete' }, cross)).status).toBe(404)
    expect(await left()).toEqual(['keycloak'])
  })

  test('a link by GET, or by another method', async () => {
    const id = await link(eve, 'keycloak')
    const { browser, token } = await signedIn(eve)
    expect((await browser.get(`/api/authentications/${id}?_method=delete&authenticity_token=${token}`)).status).toBe(
      404,
    )
    const fields = { _method: 'put', authenticity_token: token }
    expect((await browser.post(`/api/authentications/${id}`, fields)).status).toBe(404)
    expect((await browser.post('/api/authentications', { _method: 'delete', authenticity_token: token })).status).toBe(
      404,
    )
    expect(await left()).toEqual(['keycloak'])
  })

  test.each(['0', '-1', 'x', '1%27', '99999999999999999999', `${'9'.repeat(18)}`, '%00', '1;2', '%ff'])(
    'a link with the id %s',
    async (id) => {
      await link(eve, 'keycloak')
      expect((await unlink(eve, id)).status).toBe(404)
      expect(await left()).toEqual(['keycloak'])
    },
  )
})

describe('the last way to sign in', () => {
  test('stays, and the user reads why', async () => {
    const id = await link(ada, 'keycloak')
    const answer = await unlink(ada, id)
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('the only way to sign in')])
    expect(await left()).toEqual(['keycloak'])
  })

  test('is not another link that nobody can sign in with', async () => {
    const id = await link(ada, 'keycloak')
    await link(ada, 'github')
    await link(ada, 'okta', null)
    expect((await unlink(ada, id)).status).toBe(422)
  })

  test('is not one of two', async () => {
    const id = await link(ada, 'keycloak')
    const other = await link(ada, 'okta', 'v')
    expect((await unlink(ada, id)).status).toBe(302)
    expect((await unlink(ada, other)).status).toBe(422)
    expect(await left()).toEqual(['okta'])
  })

  test('is not a link of the site beside one with which the user signs in', async () => {
    const id = await link(ada, 'github')
    await link(ada, 'okta', 'v')
    expect((await unlink(ada, id)).status).toBe(302)
  })

  test('stays when both links are removed at once', async () => {
    for (let round = 0; round < 8; round++) {
      await database.sql`truncate ingot.authentications`
      const ids = [await link(ada, 'keycloak'), await link(ada, 'okta', 'v')]
      const statuses = (await Promise.all(ids.map((id) => unlink(ada, id)))).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([302, 422])
      expect(await left()).toHaveLength(1)
    }
  })

  test('may be removed by a client with the token of the instance', async () => {
    const id = await link(ada, 'keycloak')
    expect((await served.send('DELETE', `/api/authentications/${id}`)).status).toBe(204)
    expect(await left()).toEqual([])
  })
})
