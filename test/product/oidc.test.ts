/** The installed server signs visitors in with a provider: its settings, its bundles, and several processes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Product, product, type Server } from '../support/product.ts'
import { type HostileProvider, hostileProvider, SITE } from '../server/web/oidc/hostile-provider.ts'

let ingot: Product
let provider: HostileProvider
let server: Server

beforeAll(async () => {
  ingot = product()
  provider = await hostileProvider('ada')
  const site = ingot.folder({ 'app/views/pages/who.liquid': '{{ context.current_user.email }}' })
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
  server = await ingot.serve(['serve', site], {
    env: {
      INGOT_ENV: 'staging',
      INGOT_WORKERS: '2',
      INGOT_OIDC_MY_OKTA_ISSUER: provider.issuer,
      INGOT_OIDC_MY_OKTA_CLIENT_ID: SITE.id,
      INGOT_OIDC_MY_OKTA_CLIENT_SECRET: SITE.secret,
    },
  })
})
afterAll(async () => {
  await provider?.close()
  await ingot?.clean()
})

test('a visitor is signed in, whichever process answers', async () => {
  for (let round = 0; round < 4; round++) {
    const cookies = new Map<string, string>()
    const get = async (path: string): Promise<Response> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      // A new connection may reach another process.
      const headers = { cookie, connection: 'close', 'sec-fetch-site': 'same-origin' }
      const answer = await fetch(server.url + path, { redirect: 'manual', headers })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return answer
    }
    const start = await get('/auth/my_okta?return_to=/who')
    const response = provider.receive(start.headers.get('location') ?? '')
    const back = await get(`/auth/my_okta/callback?${new URLSearchParams(response).toString()}`)
    expect([back.status, back.headers.get('location')]).toEqual([302, '/who'])
    expect(await (await get('/who')).text()).toBe('ada@example.com')
  }
})

test('an invalid setting stops the start with a sentence', async () => {
  const site = ingot.folder({ 'app/views/pages/who.liquid': 'x' })
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
  const { code, err } = await ingot.run(['serve', site], { env: { INGOT_OIDC_OKTA_ISSUER: 'http://login.example' } })
  expect([code, err]).toEqual([2, expect.stringContaining('The variable INGOT_OIDC_OKTA_ISSUER cannot be')])
})
