/** Tests the product in a browser: the demo site as a visitor, and a site in development as its author. */
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Product, product, type Server, write } from '../support/product.ts'
import { builtSite } from './hobnail.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
if (program === null) {
  console.warn(
    '\n!! The browser tests are left out: neither `chromium` nor `chromium-browser` is on the PATH. Install Chromium to run them. !!\n',
  )
}
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

describe.skipIf(program === null)(`in a browser${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let context: BrowserContext
  let page: Page
  /** Console messages of a visitor, and failed requests. */
  let troubles: string[]

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' })
    page = await context.newPage()
    troubles = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        troubles.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => troubles.push(error.message))
    page.on('requestfailed', (request) => {
      // Requests that are aborted by leaving a page do not count as failed.
      const why = request.failure()?.errorText ?? ''
      if (why !== 'net::ERR_ABORTED') troubles.push(`${request.url()}: ${why}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) troubles.push(`${response.url()}: ${response.status()}`)
    })
  })

  afterEach(() => context.close())

  describe('the demo site', () => {
    let server: Server

    beforeAll(async () => {
      const site = builtSite(ingot)
      expect(await ingot.run(['data', 'seed', site])).toMatchObject({ code: 0 })
      server = await ingot.serve(['serve', site])
    })

    /** Returns whether every picture of the page was loaded and can be shown, including the pictures below the visible area. */
    const pictures = (): Promise<unknown> =>
      page.evaluate(`Promise.all([...document.images].map((image) => {
        image.loading = 'eager'
        return image.decode().then(() => image.naturalWidth > 0, () => image.currentSrc)
      }))`)

    test('the home page: title, styles, pictures, and room on a phone', async () => {
      await page.goto(server.url)
      expect(await page.title()).toMatch(/\S.* · Hobnail$/)
      expect(await page.locator('h1').count()).toBe(1)
      const shown = (await pictures()) as unknown[]
      expect(shown.length).toBeGreaterThan(5)
      expect(shown.filter((each) => each !== true)).toEqual([])
      expect(await page.evaluate(`getComputedStyle(document.querySelector('.site-header-row')).display`)).not.toBe(
        'block',
      )
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
      expect(troubles).toEqual([])
    })

    test.each(['en', 'de'])('on a phone the head of a page is whole, in %s', async (language) => {
      await page.setViewportSize({ width: 360, height: 740 })
      for (const path of ['/', '/listings', '/about']) {
        await page.goto(`${server.url}${path}?language=${language}`)
        const boxes =
          (await page.evaluate(`[...document.querySelectorAll('.site-header :is(a, button, input[type=search])')].map((each) => {
          const { left, right, top } = each.getBoundingClientRect()
          return { left, right, top, line: each.matches('.site-nav a') ? 'navigation' : '' }
        })`)) as { left: number; right: number; top: number; line: string }[]
        expect(boxes.length).toBeGreaterThan(7)
        for (const { left, right } of boxes) expect([left >= 0, right <= 360]).toEqual([true, true])
        const lines = new Set(boxes.filter(({ line }) => line === 'navigation').map(({ top }) => top))
        expect(lines.size, path).toBe(1)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
      }
    })

    test('a search, then a choice, which is sent at once', async () => {
      await page.goto(server.url)
      await page.keyboard.press('/')
      await page.keyboard.type('oak')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/listings?q=oak')
      expect(await page.title()).toMatch(/ · Hobnail$/)
      const found = await page.locator('main a[href^="/listings/"]').count()
      expect(found).toBeGreaterThan(0)
      expect(await page.getByRole('status').innerText()).toContain('oak')
      await page.locator('#filter-sort').selectOption('price')
      await page.waitForURL('**/listings?q=oak&sort=price')
      expect(await page.locator('#filter-sort').inputValue()).toBe('price')
      expect(await page.locator('main a[href^="/listings/"]').count()).toBe(found)
      await page.goto(`${server.url}/listings?q=${encodeURIComponent('"><b>nothing')}`)
      expect(await page.locator('main a[href^="/listings/"]').count()).toBe(0)
      expect(await page.locator('#filter-q').inputValue()).toBe('"><b>nothing')
      expect(troubles).toEqual([])
    })

    test('on a phone the list comes first, and what narrows it waits behind a box', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${server.url}/listings`)
      const category = page.locator('#filter-category')
      expect(await category.isVisible()).toBe(false)
      expect(await page.locator('#filter-sort').isVisible()).toBe(true)
      const first = await page.locator('main a[href^="/listings/"]').first().boundingBox()
      expect(first?.y).toBeLessThan(844)
      await page.locator('#filter-more').focus()
      await page.keyboard.press('Space')
      await category.selectOption('wood')
      await page.waitForURL('**/listings?category=wood&sort=newest')
      expect(await category.isVisible()).toBe(true)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(`${server.url}/listings`)
      expect(await page.locator('#filter-more').isVisible()).toBe(false)
      expect(await category.isVisible()).toBe(true)
      expect(troubles).toEqual([])
    })

    test('a listing, reached from the list', async () => {
      await page.goto(`${server.url}/listings`)
      const link = page.locator('main a[href^="/listings/"]').first()
      const name = (await link.innerText()).trim()
      await link.click()
      await page.waitForURL(/\/listings\/[^/?]+$/)
      expect(await page.locator('h1').innerText()).toBe(name)
      expect(await page.title()).toContain(name)
      expect(((await pictures()) as unknown[]).filter((each) => each !== true)).toEqual([])
      const facts = JSON.parse(await page.locator('script[type="application/ld+json"]').innerText()) as Record<
        string,
        unknown
      >
      expect(facts).toMatchObject({ name })
      expect(troubles).toEqual([])
    })

    test('the other language, which stays', async () => {
      await page.goto(server.url)
      const english = await page.locator('h1').innerText()
      await page.locator('.languages a[hreflang=de]').click()
      await page.waitForURL('**/?language=de')
      expect(await page.evaluate('document.documentElement.lang')).toBe('de')
      expect(await page.locator('h1').innerText()).not.toBe(english)
      await page.locator('.site-nav a').first().click()
      await page.waitForURL('**/listings?language=de')
      expect(await page.evaluate('document.documentElement.lang')).toBe('de')
      await page.locator('#site-search').fill('Eiche')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/listings?q=Eiche&language=de')
      expect(await page.evaluate('document.documentElement.lang')).toBe('de')
      await page.locator('.languages a[hreflang=en]').click()
      await page.waitForURL('**/listings?q=Eiche&language=en')
      expect(await page.evaluate('document.documentElement.lang')).toBe('en')
      expect(troubles).toEqual([])
    })

    test('a visitor whose browser speaks German', async () => {
      const german = await browser.newContext({ locale: 'de-DE' })
      const other = await german.newPage()
      await other.goto(server.url)
      expect(await other.evaluate('document.documentElement.lang')).toBe('de')
      await german.close()
    })

    test('a page that is not there', async () => {
      const reply = await page.goto(`${server.url}/nothing/of/the/kind`)
      expect(reply?.status()).toBe(404)
      expect(await page.title()).toMatch(/ · Hobnail$/)
      await page.locator('main a').first().click()
      await page.waitForURL(/:\d+\/(?:listings)?$/)
      // The browser only reports the status of the page.
      expect(troubles.filter((each) => !each.includes('404'))).toEqual([])
    })

    test('what machines read is well-formed', async () => {
      await page.goto(server.url)
      for (const path of ['/feed.rss', '/feed.rss?language=de', '/sitemap.xml']) {
        const errors = await page.evaluate(`fetch('${path}').then((reply) => reply.text()).then((text) =>
          [...new DOMParser().parseFromString(text, 'application/xml').querySelectorAll('parsererror')].map((each) => each.textContent))`)
        expect(errors, path).toEqual([])
      }
      expect(troubles).toEqual([])
    })
  })

  describe('a site under work', () => {
    const HOME = 'app/views/pages/index.liquid'
    let site: string
    let server: Server
    let database: TestDatabase

    beforeAll(async () => {
      site = ingot.folder()
      expect(await ingot.run(['init', site])).toMatchObject({ code: 0 })
      // The demo's rows are in the other database.
      database = await testDatabase({ empty: true })
      server = await ingot.serve(['dev', site], { env: { DATABASE_URL: database.url } })
    })

    afterAll(async () => {
      await server?.stop()
      await database?.close()
    })

    const edit = (path: string, from: string, to: string): void => {
      const text = readFileSync(join(site, path), 'utf8')
      expect(text).toContain(from)
      write(site, { [path]: text.replace(from, to) })
    }

    /** Opens the home page and waits for the first build. */
    async function open(): Promise<void> {
      await page.goto(server.url)
      await page.locator('h1', { hasText: 'cook' }).waitFor()
      troubles.length = 0
    }

    test('a saved file is seen in the open page, whatever its kind', async () => {
      await open()
      const saved: [string, string, string, string][] = [
        [HOME, '<h1>', '<h1>Today: ', 'h1:has-text("Today: ")'],
        ['app/views/partials/dishes/card.liquid', '</li>', ' <b>hot</b></li>', 'li b:has-text("hot")'],
        ['app/graphql/dishes/list.graphql', 'order: ASC', 'order: DESC', 'li:first-child:has-text("Baked trout")'],
        ['app/translations/en.yml', 'The Small Kitchen', 'The Large Kitchen', 'header:has-text("Large")'],
        ['app/views/layouts/application.liquid', '</main>', '</main><footer>End</footer>', 'footer:has-text("End")'],
      ]
      for (const [path, from, to, selector] of saved) {
        edit(path, from, to)
        await page.locator(selector).first().waitFor(LONG)
      }
      edit('app/assets/site.css', 'body {', 'body { letter-spacing: 3px;')
      await page.waitForFunction(`getComputedStyle(document.body).letterSpacing === '3px'`, null, LONG)
      write(site, { 'app/views/partials/menu.liquid': '<p class="menu">new</p>' })
      edit(HOME, '<h1>', "{% render 'menu' %}<h1>")
      await page.locator('.menu').waitFor(LONG)
      expect(troubles).toEqual([])
    })

    test('a broken template shows its message where it is reached, until it is mended', async () => {
      await open()
      edit(HOME, '</ul>', '</ul>{{ menu.dishes.results | frist }}')
      // The open page keeps its content, and shows the error over it.
      const alert = page.getByRole('alert')
      await alert.waitFor(LONG)
      expect(await alert.innerText()).toContain('There is no filter named frist.')
      expect(await page.locator('h1', { hasText: 'cook' }).count()).toBe(1)
      await page.goto(server.url)
      await page.locator('h1', { hasText: 'unknown filter frist' }).waitFor(LONG)
      const words = await page.locator('body').innerText()
      expect(words).toContain('There is no filter named frist.')
      expect(words).toContain(`${HOME}:`)
      expect(words).toContain('Did you mean first?')
      expect(words).not.toContain('\u001b')
      expect(await page.locator('mark').first().innerText()).toContain('menu.dishes.results | frist')

      // Pages that do not use the changed file are unchanged.
      troubles.length = 0
      await page.goto(`${server.url}/dishes/1`)
      await page.locator('h1', { hasText: 'Tomato soup' }).waitFor()
      expect(troubles).toEqual([])
      await page.goto(server.url)

      edit(HOME, '{{ menu.dishes.results | frist }}', '<p id="mended">{{ menu.dishes.results.size }}</p>')
      await page.locator('#mended').waitFor(LONG)
      expect(await page.locator('#mended').innerText()).toBe('3')
    })

    test('what keeps the site from being built lies over the last good page, until it is mended', async () => {
      await open()
      const alert = page.getByRole('alert')
      expect(await alert.count()).toBe(0)
      symlinkSync('..', join(site, 'app/views/up'))
      await alert.waitFor(LONG)
      expect(await alert.innerText()).toContain('it is a symbolic link to a folder that contains it')
      expect(await page.locator('h1', { hasText: 'cook' }).count()).toBe(1)

      // A page that is opened in the meantime shows the error too.
      await page.goto(`${server.url}/dishes/1`)
      await alert.waitFor(LONG)
      await page.goto(server.url)
      await alert.waitFor(LONG)

      rmSync(join(site, 'app/views/up'))
      await expect.poll(() => alert.count(), LONG).toBe(0)
      expect(troubles).toEqual([])
    })

    test('a page that fails shows the template, and reloads when it is mended', async () => {
      await open()
      const FAULTY = 'app/views/partials/dishes/card.liquid'
      edit(FAULTY, '<li>', '<li>{{ 1 | divided_by: context.params.nothing }}')
      const alert = page.getByRole('alert')
      await alert.waitFor(LONG)
      expect(await alert.innerText()).toContain('divided by 0')
      await page.goto(server.url)
      await page.locator('h1', { hasText: 'divided by 0' }).waitFor(LONG)
      const text = await page.locator('body').innerText()
      expect(text).toContain(`${FAULTY}:4`)
      expect(text).toContain(`${HOME}:`)
      expect(await page.locator('mark').first().innerText()).toContain('divided_by: context.params.nothing')
      edit(FAULTY, '{{ 1 | divided_by: context.params.nothing }}', '')
      await page.locator('h1', { hasText: 'cook' }).waitFor(LONG)
    })

    test('who follows a link while a file is saved comes to its page', async () => {
      await open()
      const path = '/dishes/1'
      let asked = 0
      await page.route(`**${path}`, async (route) => {
        asked++
        edit(HOME, '</ul>', '</ul><p id="saved">saved</p>')
        // The current page is notified of the build before the response for the next page arrives.
        await expect.poll(async () => (await page.request.get(server.url)).text(), LONG).toContain('id="saved"')
        await sleep(300)
        await route.continue()
      })
      await page.locator(`a[href="${path}"]`).first().click()
      await page.locator('h1', { hasText: 'Tomato soup' }).waitFor()
      expect(asked).toBe(1)
      await page.unroute(`**${path}`)
      await page.goBack()
      await page.locator('#saved').waitFor(LONG)
      expect(troubles).toEqual([])
    })

    test('the command ends when it is told to', async () => {
      await open()
      expect(await server.stop()).toBe(0)
    })
  })
})
