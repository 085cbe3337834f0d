/** Tests GraphiQL in a browser: a query runs, rows are shown, and no request leaves the machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, product, type Server } from '../support/product.ts'
import { lookingAt } from './axe.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''
const ADMIN = 'a-token-for-this-test'

describe.skipIf(program === null)(`GraphiQL${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let dev: Server

  beforeAll(async () => {
    ingot = product()
    const site = ingot.folder({
      'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n    type: string\n',
      'app/views/pages/index.liquid': '<h1>Home</h1>\n',
    })
    browser = await launchBrowser()
    dev = await ingot.serve(['dev', site], { env: { INGOT_API_TOKEN: ADMIN } })
    let made = 0
    for (let i = 0; i < 300 && made !== 200; i++) {
      const answer = await send(
        dev.url,
        `Token ${ADMIN}`,
        `mutation { record_create(record: { table: "item", properties: [{ name: "title", value: "Oak bowl" }] }) { id } }`,
      )
      made = answer.status
      if (made !== 200) await sleep(100)
    }
    expect(made).toBe(200)
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  test('runs a query against the site’s tables, and asks nobody else for anything', async () => {
    const page = await browser.newPage()
    const troubles: string[] = []
    const hosts = new Set<string>()
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()))
    page.on('pageerror', (error) => troubles.push(error.message))
    page.context().on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`${dev.url}/_ingot/graphql/page`)
    await page.locator('.graphiql-query-editor .monaco-editor').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    // Inserted as one text, because the editor closes typed brackets automatically.
    await page.keyboard.insertText(
      '{ records(per_page: 5, filter: { table: { value: "item" } }) { total_entries results { title: property(name: "title") } } }',
    )
    await page.keyboard.press('Control+Enter')
    const response = page.locator('.graphiql-response')
    await response.filter({ hasText: 'Oak bowl' }).waitFor(LONG)
    // The editor prints non-breaking spaces.
    expect((await response.innerText()).replaceAll('\u00a0', ' ')).toContain('"total_entries": 1')
    expect([...hosts].filter((host) => host !== '')).toEqual([new URL(dev.url).host])
    expect(troubles).toEqual([])

    // A field that the schema does not have is marked as soon as it is typed.
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('{ recrods }')
    await page.waitForSelector('.graphiql-query-editor .squiggly-error', LONG)
    await page.close()
  })

  test('is shown in the studio, and works on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
    await page.goto(`${dev.url}/_ingot/graphql`)
    await page.getByText('Menu', { exact: true }).waitFor()
    const frame = page.frameLocator('iframe')
    const editor = frame.locator('.graphiql-query-editor .monaco-editor').first()
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('{ records(per_page: 5) { total_entries } }')
    await frame.locator('.graphiql-execute-button').click()
    const response = frame.locator('.graphiql-response')
    await response.filter({ hasText: '"total_entries"' }).waitFor(LONG)
    // The result is below the query, and both have most of the width.
    const [above, below] = await Promise.all([editor.boundingBox(), response.boundingBox()])
    expect([above?.width ?? 0, below?.width ?? 0].map((width) => width > 200)).toEqual([true, true])
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + 100)
    await page.close()
  })

  /** Rules of axe-core that GraphiQL breaks, each with the reason why our page cannot fix it. */
  const KNOWN: Readonly<Record<string, string>> = {
    'color-contrast': 'its palettes have names of types, comments, and its own name in colours that are too pale',
    'nested-interactive': 'a tab of a query is a button, and holds the one that closes it',
  }

  test('breaks the rules of axe-core that GraphiQL breaks by itself, and the page around it breaks none', async () => {
    const { context, page, found, look } = await lookingAt(browser, dev.url)
    const opened = async (): Promise<void> => {
      await page.goto(`${dev.url}/_ingot/graphql/page`)
      await page.locator('.graphiql-query-editor .monaco-editor').first().waitFor()
    }
    await opened()
    await look('at first')
    const seen: readonly (readonly [button: string, shows: string])[] = [
      ['Show Documentation Explorer', '.graphiql-doc-explorer-type-name'],
      ['Show History', '.graphiql-history'],
      ['Variables', '.graphiql-editor-tool'],
      ['Open settings dialog', '[role="dialog"]'],
    ]
    for (const [button, shows] of seen) {
      await page.getByRole('button', { name: button }).first().click()
      await page.locator(shows).first().waitFor()
      await look(button)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await opened()
    await look('in the dark')
    const rules = found.map((each) => each.split(': ')[1] ?? '')
    expect([...new Set(rules)].toSorted()).toEqual(Object.keys(KNOWN))
    // All remaining findings are in elements of GraphiQL or in words of its editor. Elements of our page have none of these classes.
    expect(found.filter((each) => !/: <\w+ [^>]*class="(?:graphiql-|mtk\d)/.test(each))).toEqual([])
    await context.close()
  })

  test('its token works from its own page only', async () => {
    const html = await (await fetch(`${dev.url}/_ingot/graphql/page`)).text()
    const token = /name="ingot-token" content="([^"]+)"/.exec(html)?.[1] ?? ''
    expect(token).toMatch(/^dev-\d+-/)
    const header = `Token ${token}`
    const query = '{ records(per_page: 1) { total_entries } }'
    expect((await send(dev.url, header, query, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await send(dev.url, header, query, { origin: dev.url })).status).toBe(200)
    const elsewhere: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]
    for (const headers of elsewhere) expect((await send(dev.url, header, query, headers)).status).toBe(401)
    const touched = header.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect((await send(dev.url, touched, query, { 'sec-fetch-site': 'same-origin' })).status).toBe(401)
    const later = header.replace(/dev-\d+/, `dev-${Date.now() + 1e9}`)
    expect((await send(dev.url, later, query, { 'sec-fetch-site': 'same-origin' })).status).toBe(401)
    expect((await fetch(`${dev.url}/_ingot/graphql/token`, { method: 'POST' })).status).toBe(403)
    expect(
      (await fetch(`${dev.url}/_ingot/graphql/token`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } }))
        .status,
    ).toBe(200)
  })

  test('serves its own files only', async () => {
    for (const path of ['built.json', '..%2fbuilt.json', '../server.mjs', 'x.js', '%00.js', 'sub/x.js'])
      expect((await fetch(`${dev.url}/_ingot/graphql/${path}`)).status, path).toBe(404)
    const answer = await fetch(`${dev.url}/_ingot/graphql`)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

function send(
  url: string,
  authorization: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/api/graph`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization, ...headers },
    body: JSON.stringify({ query }),
  })
}
