/** The guide to live messages in a real browser, with the client that it names: the pages of two visitors show each other's messages. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GUIDES } from '../../compiler/tools/docs/guides/index.ts'
import { documentedSite } from '../support/documented-site.ts'
import { type Product, product, type Server } from '../support/product.ts'
import { browserProgram } from './program.ts'
import { launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

/** The file of the npm package that the guide tells to copy. */
const CLIENT = join(dirname(createRequire(import.meta.url).resolve('@rails/actioncable')), 'actioncable.esm.js')

describe.skipIf(program === null)(`the guide to live messages${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let server: Server

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
    const client = readFileSync(CLIENT, 'utf8')
    const site = ingot.folder({ ...documentedSite(GUIDES), 'app/assets/js/actioncable.esm.js': client })
    expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
    server = await ingot.serve(['serve', site], { env: { INGOT_WORKERS: '2' } })
  })
  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  test('shows what another page and a template send', async () => {
    const [one, two] = [await browser.newPage(), await browser.newPage()]
    for (const page of [one, two]) {
      const joined = page
        .waitForEvent('websocket')
        .then((socket) =>
          socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('confirm_subscription')),
        )
      await page.goto(`${server.url}/kitchen`)
      await joined
    }
    await one.locator('body').click()
    for (const page of [one, two]) await page.getByText('One more soup').waitFor()
    const body = new URLSearchParams({ text: 'Tea for two' })
    expect((await fetch(`${server.url}/order`, { method: 'POST', body })).status).toBe(200)
    for (const page of [one, two]) {
      await page.getByText('Tea for two').waitFor()
      expect(await page.locator('#orders li').allInnerTexts()).toEqual(['One more soup', 'Tea for two'])
    }
  })
})
