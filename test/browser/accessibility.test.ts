/** Tests accessibility: pages of a generated site, of the demo and of the reference pass all rules of axe-core. */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Product, product, type Server, write } from '../support/product.ts'
import { type Looking, lookingAt } from './axe.ts'
import { builtSite, wordsOf } from './hobnail.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

describe.skipIf(program === null)(`pages for everybody${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  describe('of a new site with a table that was generated', () => {
    let server: Server
    let database: TestDatabase
    let anna: Looking

    beforeAll(async () => {
      const site = ingot.folder()
      expect(await ingot.run(['init', site])).toMatchObject({ code: 0 })
      const fields = ['title', 'pages:integer', 'price:float', 'read:boolean', 'out_on:date', 'seen_at:datetime']
      const crud = ['generate', 'crud', 'book', ...fields, 'notes:text', '--dir', site]
      expect(await ingot.run(crud)).toMatchObject({ code: 0 })
      const books = Array.from({ length: 25 }, (_, n) => ({ id: n + 101, properties: { title: `Book ${n}` } }))
      write(site, {
        'seed/books.json': JSON.stringify({ format: 'ingot-data', version: 1, tables: { book: books } }),
        // A new site has no accounts.
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
      anna = await lookingAt(browser, server.url)
      await anna.page.goto(`${server.url}/enter`)
    })

    afterAll(async () => {
      await server?.stop()
      await database?.close()
    })

    test('a stranger reads, and is told of what is not there', async () => {
      const stranger = await lookingAt(browser, server.url)
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
    let ada: Looking

    beforeAll(async () => {
      const site = builtSite(ingot)
      database = await testDatabase()
      // In development, mails are kept in the outbox.
      const env = {
        DATABASE_URL: database.url,
        INGOT_DATA: ingot.folder(),
        INGOT_ENV: 'development',
        INGOT_JOB_THREADS: '1',
      }
      expect(await ingot.run(['data', 'seed', site], { env })).toMatchObject({ code: 0 })
      server = await ingot.serve(['serve', site], { env })
      ada = await lookingAt(browser, server.url)
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

    test('somebody who works there looks at the desk, and at the mails that were sent', async () => {
      const desk = await lookingAt(browser, server.url)
      const { page } = desk
      await page.goto(`${server.url}/_ingot/outbox`)
      const mails = async (): Promise<number> => {
        await page.reload()
        return page.locator('main td a').count()
      }
      await expect.poll(mails, LONG).toBeGreaterThan(0)
      await desk.look('the outbox')
      await page.locator('main td a').first().click()
      await page.locator('iframe').waitFor()
      await desk.look('a mail in the outbox')
      const body = await page.request.get(`${page.url()}/html`)
      // Scripts do not run in a shown mail, so axe-core checks its text in another page.
      await page.goto('about:blank')
      await page.setContent(await body.text())
      await desk.look('the mail')
      await page.goto(`${server.url}/log-in?language=en`)
      await page.getByLabel(word('forms.email')).fill('desk@hobnail.example')
      await page.getByLabel(word('forms.password')).fill('hobnail')
      await page.getByRole('button', { name: word('account.log_in'), exact: true }).click()
      await desk.open('/admin')
      expect(await page.getByRole('table').count()).toBe(2)
      for (const path of ['/admin?mails=2', '/admin?language=de']) await desk.open(path)
      expect(desk.found).toEqual([])
      await desk.context.close()
    })
  })

  describe('of the server itself', () => {
    const PAGE = (body: string) => `---
layout: ''
---
<!doctype html>
<html lang="en">
<head><title>A page</title></head>
<body><main><h1>A page</h1>${body}</main></body>
</html>
`

    test('where a site is made', async () => {
      const site = ingot.folder({
        'app/views/pages/index.liquid': PAGE(''),
        'app/views/pages/fails.liquid': PAGE("{% render 'card', by: context.params.by %}"),
        'app/views/partials/card.liquid': '{{ 10 | divided_by: by }}',
        'app/views/pages/broken.liquid': PAGE("{{ 'a' | upcas }}"),
        'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
        'app/forms/note.liquid': `---
name: note
resource: note
fields:
  properties:
    text:
      validation:
        presence: true
---
{% form %}
  <label for="text">Text</label>
  <input id="text" name="{{ form.fields.properties.text.name }}">
  <input type="hidden" name="page_slug" value="nowhere">
  <button>Save</button>
{% endform %}
`,
        'app/views/pages/note.liquid': PAGE("{% include_form 'note' %}"),
      })
      // With this symbolic link, nothing can be built, not even a site with known mistakes.
      const loop = join(site, 'app/views/up')
      symlinkSync('..', loop)
      const server = await ingot.serve(['dev', site])
      const author = await lookingAt(browser, server.url)
      const { page, look, open } = author
      await page.goto(server.url)
      await page.locator('h1', { hasText: 'does not run' }).waitFor()
      await look('a site that was never built')
      rmSync(loop)
      await page.locator('h1', { hasText: 'A page' }).waitFor()
      // After the build, the check of the whole site reloads pages again.
      const broken = async (): Promise<string> => (await page.request.get(`${server.url}/broken`)).text()
      await expect.poll(broken, LONG).toContain('Did you mean')
      await open('/fails?by=0', 500)
      await page.locator('details summary').first().click()
      await look('the stack of templates')
      await open('/broken', 500)
      await open('/nothing', 404)
      await page.goto(`${server.url}/note`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('h1', { hasText: 'not accepted' }).waitFor()
      await look('a form of no page')
      await page.goto(server.url)
      symlinkSync('..', loop)
      await page.getByRole('alert').waitFor()
      await look('what keeps it from being built')
      expect(author.found).toEqual([])
      await author.context.close()
      await server.stop()
    })

    test('where a site is closed', async () => {
      const site = ingot.folder({
        'app/config.yml': 'maintenance:\n  enabled: true\n  password_constant: DOOR\n',
        'app/views/pages/index.liquid': PAGE(''),
      })
      expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
      const server = await ingot.serve(['serve', site])
      const guest = await lookingAt(browser, server.url)
      await guest.open('/', 503)
      await guest.open('/_maintenance/new')
      await guest.page.getByLabel('Password').fill('not this')
      await guest.page.getByRole('button').click()
      await guest.page.getByRole('alert').waitFor()
      await guest.look('a wrong password')
      expect(guest.found).toEqual([])
      await guest.context.close()
      await server.stop()
    })
  })
})
