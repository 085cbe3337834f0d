/** Tests the templates of `ingot init` in a browser: light, dark and on a phone, without accessibility problems, errors or scrolling sideways. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Product, product, type Server } from '../support/product.ts'
import { violations } from './axe.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

/** Pages of generated accounts. */
const ACCOUNTS = ['/sign-up', '/log-in', '/password', '/password/new?account=1&token=x', '/confirm?account=1&token=x']

/** Additional generator runs, pages of a visitor, and pages of an administrator. An exclamation mark stands before a form to submit. */
const SITES = {
  starter: {
    generated: [
      ['crud', 'author', 'name', 'born:date'],
      ['crud', 'book', 'title', 'pages:integer', 'cover:upload', 'author:references:author', '--policy', 'signed_in'],
    ],
    open: [
      '/',
      '/?language=de',
      '/?language=en',
      '/walks',
      '/walks/101',
      '/contact',
      '/contact!.message-form',
      ...ACCOUNTS,
    ],
    closed: [
      '/walks/new',
      '/walks/new!.walk-form',
      '/books/new!.books-form',
      '/books',
      '/authors',
      '/account',
      '/admin/users',
    ],
  },
  blog: {
    generated: [],
    open: ['/', '/?page=2', '/posts/101-on-closing-the-other-tabs', '/about', '/sign-up!.sign-up-form', ...ACCOUNTS],
    closed: ['/account', '/admin', '/admin/posts/new', '/admin/posts/new!.post-form', '/admin/posts/101/edit'],
  },
  blank: { generated: [], open: ['/', '/dishes/1'], closed: [] },
} as const

describe.skipIf(program === null)(`the templates of \`ingot init\`${reason}`, () => {
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

  test.each(Object.entries(SITES))('%s looks right for everybody', async (name, { generated, open, closed }) => {
    const site = `${ingot.folder()}/site`
    expect(await ingot.run(['init', '--template', name, site])).toMatchObject({ code: 0, err: '' })
    for (const args of generated)
      expect(await ingot.run(['generate', ...args, '--dir', site])).toMatchObject({ code: 0 })
    expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
    const database: TestDatabase = await testDatabase()
    const env = { DATABASE_URL: database.url, INGOT_DATA: ingot.folder() }
    expect(await ingot.run(['data', 'seed', site], { env })).toMatchObject({ code: 0 })
    const server: Server = await ingot.serve(['serve', site], { env })
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    page.setDefaultTimeout(LONG.timeout)
    const found: string[] = []
    let where = ''
    page.on('console', (message) => {
      if (message.type() === 'error') found.push(`${where}: ${message.text()}`)
    })
    page.on('pageerror', (error) => found.push(`${where}: ${error.message}`))

    const look = async (): Promise<void> => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const each of await violations(page)) found.push(`${where} (${colorScheme}): ${each}`)
      }
      await page.setViewportSize({ width: 360, height: 740 })
      const surplus = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      if (surplus > 0) found.push(`${where} is ${surplus} pixels too wide for a phone`)
      for (const each of await violations(page)) found.push(`${where} (phone): ${each}`)
      await page.setViewportSize({ width: 1280, height: 720 })
    }
    const visit = async (paths: readonly string[]): Promise<void> => {
      for (const path of paths) {
        where = path
        const [address = '', form] = path.split('!')
        await page.goto(server.url + address)
        if (form !== undefined) {
          await page.locator(`${form} button`).click()
          await page.locator('.form-wrong').first().waitFor()
        }
        await look()
      }
    }

    await visit(open)
    if (closed.length > 0) {
      const email = 'ada@member.example'
      await page.goto(`${server.url}/sign-up`)
      await page.locator('input[type=email]').fill(email)
      for (const field of await page.locator('input[type=password]').all()) await field.fill('Zange & Zwirn 7')
      await page.locator('.sign-up-form button').click()
      await page.waitForURL('**/account')
      expect(await ingot.run(['user', 'role', email, 'admin', site], { env })).toMatchObject({ code: 0 })
      await visit(closed)
    }
    expect(found).toEqual([])
    await context.close()
    await server.stop()
    await database.close()
  })
})
