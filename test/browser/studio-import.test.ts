/** Tests the import page of the studio in a browser: a file is checked, and then imported without choosing it again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, product, type Server } from '../support/product.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

describe.skipIf(program === null)(`the import page${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let dev: Server

  beforeAll(async () => {
    ingot = product()
    const site = ingot.folder({
      'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n  - name: price\n    type: decimal\n',
      'app/views/pages/index.liquid': '<h1>Home</h1>\n',
    })
    browser = await launchBrowser()
    dev = await ingot.serve(['dev', site])
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  test('shows what a file would change, and imports it', async () => {
    const page = await browser.newPage()
    const troubles: string[] = []
    page.on('pageerror', (error) => troubles.push(error.message))
    await expect
      .poll(async () => (await page.goto(`${dev.url}/_ingot/data/import?table=item`))?.status(), { timeout: 60_000 })
      .toBe(200)
    const evil = '<img src=x onerror=document.title=1>'
    await page.setInputFiles('#file', {
      name: `${evil}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`external_id,title,price\na,Bowl,5\nb,Spoon,"${evil}"\n`),
    })
    const result = page.locator('#result')
    await page.uncheck('input[name="strict"]')
    await page.click('button[value="check"]')
    await result.filter({ hasText: 'Nothing has changed yet' }).waitFor(LONG)
    expect(await result.innerText()).toContain(evil)
    expect(await page.locator('#result img').count()).toBe(0)
    await page.click('button[value="import"]')
    await result.filter({ hasText: 'The file was imported' }).waitFor(LONG)
    expect(await result.locator('dl').innerText()).toMatch(/Created\s+1\s+Changed\s+0\s+Unchanged\s+0\s+Refused\s+1/)
    await result.locator('a').click()
    await page.locator('td', { hasText: 'Bowl' }).first().waitFor(LONG)
    expect(troubles).toEqual([])
    expect(await page.title()).toContain('item')
  })
})
