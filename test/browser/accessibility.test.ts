/** Pages for everybody: those of a new site with a table that was generated, of the demo, and of the reference break no rule of axe-core. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../database.ts'
import { type Product, product, type Server, write } from '../product.ts'
import { violations } from './axe.ts'
import { builtSite, wordsOf } from './hobnail.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

describe.skipIf(program === null)(`pages for everybody${reason}`, () => {
  let ingot: Product
  let browser: Browser

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  /** A visitor of a server. */
  async function visitor(server: Server): Promise<Visitor> {
    const found: string[] = []
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    page.setDefaultTimeout(LONG.timeout)
    const look = async (what: string): Promise<void> => {
      for (const each of await violations(page)) found.push(`${what}: ${each}`)
    }
    const open = async (path: string, status = 200): Promise<void> => {
      const reply = await page.goto(server.url + path)
      expect(reply?.status(), path).toBe(status)
      await look(path)
    }
    return { context, page, found, look, open }
  }

  describe('of a new site with a table that was generated', () => {
    let server: Server
    let database: TestDatabase
    let anna: Visitor

    beforeAll(async () => {
      const site = ingot.folder()
      expect(await ingot.run(['init', site])).toMatchObject({ code: 0 })
      const fields = ['title', 'pages:integer', 'price:float', 'read:boolean', 'out_on:date', 'seen_at:datetime']
      const crud = ['generate', 'crud', 'book', ...fields, 'notes:text', '--dir', site]
      expect(await ingot.run(crud)).toMatchObject({ code: 0 })
      const books = Array.from({ length: 25 }, (_, n) => ({ id: n + 101, properties: { title: `Book ${n}` } }))
      write(site, {
        'seed/books.json': JSON.stringify({ format: 'ingot-data', version: 1, tables: { book: books } }),
        // A new site has no accounts of its own.
        'app/views/pages/enter.liquid': `---
layout: ''
---
{% graphql made %}
  mutation { user_create(user: { email: "anna@example.com", password: "Zange & Zwirn 7" }) { id } }
{% endgraphql %}
{% sign_in user_id: made.user_create.id %}
{% redirect_to '/books' %}`,
      })
      expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
      database = await testDatabase()
      const env = { DATABASE_URL: database.url }
      expect(await ingot.run(['data', 'seed', site], { env })).toMatchObject({ code: 0 })
      server = await ingot.serve(['serve', site], { env })
      anna = await visitor(server)
      await anna.page.goto(`${server.url}/enter`)
    })

    afterAll(async () => {
      await server?.stop()
      await database?.close()
    })

    test('a stranger reads, and is told of what is not there', async () => {
      const stranger = await visitor(server)
      for (const path of ['/', '/dishes/1', '/books', '/books?page=2', '/books/101']) await stranger.open(path)
      for (const path of ['/dishes/99', '/books/0', '/nothing/here']) await stranger.open(path, 404)
      await stranger.open('/books/new', 403)
      expect(stranger.found).toEqual([])
      await stranger.context.close()
    })

    test('somebody who is signed in adds a row, with a mistake first, changes it, and takes it away', async () => {
      const { page, open, look } = anna
      await open('/books/new')
      await page.locator('.books-form button').click()
      await page.locator('.form-wrong').first().waitFor()
      await look('with a mistake')
      await page.getByLabel('Title').fill('The Sea')
      await page.getByLabel('Notes').fill('One\nTwo')
      await page.locator('.books-form button').click()
      await page.locator('h1', { hasText: 'The Sea' }).waitFor()
      await look('the row')
      await page.locator('.books-edit').click()
      await look('its form')
      await page.goBack()
      await page.locator('.books-removal button').click()
      await page.waitForURL('**/books')
      await look('the list without it')
      expect(anna.found).toEqual([])
    })
  })

  describe('of the demo', () => {
    const word = wordsOf('en')
    let server: Server
    let database: TestDatabase
    let ada: Visitor

    beforeAll(async () => {
      const site = builtSite(ingot)
      database = await testDatabase()
      const env = { DATABASE_URL: database.url, INGOT_DATA: ingot.folder() }
      expect(await ingot.run(['data', 'seed', site], { env })).toMatchObject({ code: 0 })
      server = await ingot.serve(['serve', site], { env })
      ada = await visitor(server)
    })

    afterAll(async () => {
      await server?.stop()
      await database?.close()
    })

    test('a stranger looks around', async () => {
      const paths = [
        ...['/', '/?language=de', '/listings', '/listings?q=oak', '/listings?q=nothing-of-the-kind'],
        ...['/listings/101-tide-mug', '/categories', '/categories/wood', '/workshops'],
        ...['/about', '/how-it-works', '/shipping', '/sign-up', '/log-in', '/password'],
      ]
      for (const path of paths) await ada.open(path)
      await ada.open('/nothing/here', 404)
      await ada.page.goto(`${server.url}/workshops`)
      await ada.page.locator('main a[href^="/workshops/"]').first().click()
      await ada.page.waitForURL(/\/workshops\/[^/]+$/)
      await ada.look('a workshop')
      expect(ada.found).toEqual([])
    })

    test('somebody signs up, with mistakes first, and sells', async () => {
      const { page } = ada
      const press = (key: string) =>
        page
          .locator('main')
          .getByRole('button', { name: word(key), exact: true })
          .click()
      await page.goto(`${server.url}/sign-up?language=en`)
      await press('account.sign_up')
      await page.locator('.form-wrong').first().waitFor()
      await ada.look('mistakes of an account')
      await page.getByLabel(word('forms.first_name')).fill('Ada')
      await page.getByLabel(word('forms.email')).fill('ada@mail.example')
      await page.getByLabel(word('forms.password'), { exact: true }).fill('Zange & Zwirn 7')
      await page.getByLabel(word('forms.password_confirmation')).fill('Zange & Zwirn 7')
      await page.getByLabel(word('forms.rules')).check()
      await press('account.sign_up')
      await page.waitForURL(/\/account(?:\?|$)/)
      await ada.look('the account')
      for (const path of ['/account/listings', '/account/import', '/listings/101-tide-mug']) await ada.open(path)
      await ada.open('/listings/new')
      await press('account.publish')
      await page.locator('.form-wrong').first().waitFor()
      await ada.look('mistakes of a listing')
      expect(ada.found).toEqual([])
    })
  })
})

interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** What axe has found on pages so far. */
  readonly found: readonly string[]
  /** Goes to a page, and looks at it. */
  open(path: string, status?: number): Promise<void>
  /** Looks at the page that is open, which is called by these words. */
  look(what: string): Promise<void>
}
