/**
 * Signs in with a certified provider in a real browser, which decides itself which cookies it sends: the site and the provider are different
 * sites, the site's cookies are lax or strict, and the provider redirects or sends a form.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, product, type Server } from '../support/product.ts'
import { CLIENT, type RealProvider, realProvider } from '../server/web/oidc/real-provider.ts'
import { browserProgram } from './program.ts'
import { launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

const FILES = {
  'app/views/pages/index.liquid':
    '{% session note = "kept" %}<a href="/auth/{{ context.params.with }}?return_to=/who">Go</a> {{ context.authenticity_token }}',
  'app/views/pages/who.liquid': '<p>{{ context.current_user.email }}|{{ context.session.note }}</p>',
  'app/views/pages/enter.liquid':
    '{% graphql made %}mutation { user: user_create(user: { email: "eve@example.com" }) { id } }{% endgraphql %}{% sign_in user_id: made.user.id %}in',
  'app/graphql/links.graphql': 'query links { user: current_user { authentications { name uid } } }',
  'app/views/pages/links.liquid': '{% graphql r = "links" %}<p>{{ r.user.authentications | json }}</p>',
}

describe.skipIf(program === null).each(['Lax', 'Strict'])(`with %s cookies, a visitor${reason}`, (cookies) => {
  let ingot: Product
  let provider: RealProvider
  let browser: SuiteBrowser
  let server: Server
  let home: string

  beforeAll(async () => {
    ingot = product()
    provider = await realProvider()
    browser = await launchBrowser()
    const site = ingot.folder({ ...FILES, 'app/config.yml': `cookies_same_site: ${cookies}\n` })
    expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
    const variables = (name: string) => ({
      [`INGOT_OIDC_${name}_ISSUER`]: provider.issuer,
      [`INGOT_OIDC_${name}_CLIENT_ID`]: CLIENT.id,
      [`INGOT_OIDC_${name}_CLIENT_SECRET`]: CLIENT.secret,
    })
    const env = {
      INGOT_ENV: 'staging',
      ...variables('REDIRECTS'),
      ...variables('SENDS'),
      INGOT_OIDC_SENDS_RESPONSE_MODE: 'form_post',
    }
    server = await ingot.serve(['serve', site], { env })
    // The provider is at an IP address, so for the browser it is another site.
    home = server.url.replace('127.0.0.1', 'localhost')
    provider.begin(home, ['redirects', 'sends'])
  })
  afterAll(async () => {
    await browser?.close()
    await provider?.close()
    await ingot?.clean()
  })

  function person(id: string): void {
    provider.person = id
    provider.people.set(id, { sub: id, email: `${id}@example.com`, email_verified: true })
  }

  async function go(page: Page, name: string): Promise<string> {
    await page.goto(`${home}/?with=${name}`)
    await page.getByText('Go').click()
    await page.waitForURL(/\/who$|\/auth\/failure/)
    return page.locator('p').first().innerText()
  }

  test.each(['redirects', 'sends'])(
    'comes back signed in, with the session of before, from a provider that %s',
    async (name) => {
      person(`${name}-${cookies}`.toLowerCase())
      const page = await browser.newPage()
      const address = `${name}-${cookies}@example.com`.toLowerCase()
      expect(await go(page, name)).toBe(`${address}|kept`)
      const left = await page.context().cookies(home)
      expect(left.filter((cookie) => cookie.name.includes('sign_in'))).toEqual([])
      // Again, as a signed-in visitor.
      expect(await go(page, name)).toBe(`${address}|kept`)
    },
  )

  test('links an identity when signed in, but not when another site sends the visitor', async () => {
    const page = await browser.newPage()
    await page.goto(`${home}/enter`)
    person(`other-${cookies}`.toLowerCase())
    await page.goto(`${provider.issuer}/nowhere`)
    await page.evaluate(`location.href = ${JSON.stringify(`${home}/auth/redirects`)}`)
    await page.waitForURL(/\/auth\/failure/)
    expect(page.url()).toContain('message=user_changed')
    await page.goto(`${home}/links`)
    expect(await page.locator('p').innerText()).toBe('[]')
    expect(await go(page, 'redirects')).toBe('eve@example.com|kept')
    await page.goto(`${home}/links`)
    expect(JSON.parse(await page.locator('p').innerText())).toEqual([
      { name: 'redirects', uid: `other-${cookies}`.toLowerCase() },
    ])
  })
})
