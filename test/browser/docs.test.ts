/** Tests the reference in a browser, served by `ingot docs` and as files of `ingot docs --out`. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { referenceFiles } from '../../compiler/tools/docs/reference.ts'
import { referenceServer } from '../../compiler/tools/docs/serve.ts'
import { writeReference } from '../../compiler/tools/docs/write.ts'
import { violations } from './axe.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

describe.skipIf(program === null)(`the reference in a browser${reason}`, () => {
  let server: Server
  let browser: SuiteBrowser
  let context: BrowserContext
  let page: Page
  let folder: string
  /** The addresses of the reference, as served and as files. */
  let served: string
  let onDisk: string
  let files: ReadonlyMap<string, string>
  let troubles: string[]

  beforeAll(async () => {
    files = await referenceFiles()
    server = referenceServer(files)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    served = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    folder = mkdtempSync(join(tmpdir(), 'ingot-docs-'))
    await writeReference(folder, files)
    onDisk = `${pathToFileURL(folder).href}/`
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' })
    page = await context.newPage()
    troubles = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
    })
    page.on('pageerror', (error) => troubles.push(error.message))
    page.on('requestfailed', (request) => troubles.push(`${request.url()}: ${request.failure()?.errorText ?? ''}`))
  })

  afterEach(async () => {
    await context.close()
    expect(troubles).toEqual([])
  })

  /** Returns the folder of a page. A page outside of folders is a separate kind. */
  const kindOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : path)

  const shown = () => page.locator('#results li b').allTextContents()

  test('breaks no rule of axe-core: a page of each kind', async () => {
    const kinds = new Map(
      [...files.keys()].filter((path) => path.endsWith('.html')).map((path) => [kindOf(path), path]),
    )
    expect(kinds.size).toBeGreaterThan(5)
    const found: string[] = []
    for (const path of kinds.values()) {
      await page.goto(served + path)
      for (const each of await violations(page)) found.push(`${path}: ${each}`)
    }
    expect(found).toEqual([])
  })

  test.each(['served', 'from files'])('finds entries by name and by words, %s', async (where) => {
    const root = where === 'served' ? served : onDisk
    await page.goto(`${root}index.html`)
    expect(await page.locator('#lists li').count()).toBeGreaterThan(350)
    // The start page shows the chapters of the tutorial and the tasks. All other lists are collapsed.
    const visible = await page.locator('.cards:has(li:visible)').evaluateAll((lists) => lists.map(({ id }) => id))
    expect(visible).toEqual(['tutorial', 'guides'])
    expect(await page.locator('.cards li:visible').count()).toBeLessThan(30)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(3 * 720)
    const find = page.getByRole('searchbox')
    await page.keyboard.press('/')
    await page.keyboard.type('hash_mer')
    expect((await shown())[0]).toBe('hash_merge')
    await find.fill('CURRENT_USER context')
    expect(await shown()).toContain('context.current_user')
    await find.fill('translation key')
    expect(await shown()).toContain('t')
    await find.fill('xylophone quark')
    expect(await shown()).toEqual([])
    expect(await page.getByRole('status').textContent()).toBe('Nothing has all of these words.')
    await find.fill('<img src=x onerror=alert(1)>')
    expect(await shown()).toEqual([])
    await find.fill('how do I lock a row')
    expect((await shown())[0]).toBe('Lock a row')
    // Names are the same with the tutorial and the cookbook, and their pages are found by what they do.
    await find.fill('graphql')
    expect((await shown())[0]).toBe('graphql')
    await find.fill('waiting list')
    expect((await shown()).slice(0, 3)).toContain('5. The waiting list and mails')
    await find.fill('append')
    await find.press('Enter')
    await page.waitForURL(`${root}filters/append.html`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('append')
    // The search on the page of an entry opens the index.
    await page.getByRole('searchbox').fill('cycle')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(`${root}index.html?q=cycle`)
    expect((await shown())[0]).toBe('cycle')
    await page
      .getByRole('link', { name: /^cycle/ })
      .first()
      .click()
    await page.waitForURL(`${root}tags/cycle.html`)
  })

  test.each(['served', 'from files'])('compiles what is written in the playground, %s', async (where) => {
    const root = where === 'served' ? served : onDisk
    await page.goto(`${root}playground.html`)
    const output = page.locator('#output')
    const diagnostics = page.getByRole('list', { name: 'Diagnostics' })
    await expect.poll(() => output.textContent()).toContain('<h1>KITCHEN</h1>')
    await expect.poll(() => page.locator('#typescript').textContent()).toContain('export function')
    await page.getByLabel('Template').fill('a\n{{ name | upcas }}')
    await expect.poll(() => diagnostics.textContent()).toContain('Did you mean `upcase`?')
    expect(await diagnostics.textContent()).toContain('line 2, column 11')
    await page.getByLabel('Template').fill('{{ name | upcase }} <b>')
    await page.getByLabel('Data, as JSON').fill('{ "name": ')
    await expect.poll(() => output.textContent()).toContain('The data are not valid JSON')
    await page.getByLabel('Data, as JSON').fill('{ "name": "ann ‹ü›" }')
    await expect.poll(() => output.textContent()).toBe('ANN ‹Ü› <b>')
    expect(await diagnostics.textContent()).not.toContain('upcas')
    await page.getByLabel('Dialect').selectOption('liquid')
    await page.getByLabel('Syntax').selectOption('strict')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => page.locator('#shared').textContent()).toContain('The link is')
    const link = page.url()
    expect(link).toContain('#')
    await page.goto('about:blank')
    await page.goto(link)
    await expect.poll(() => output.textContent()).toBe('ANN ‹Ü› <b>')
    expect(await page.getByLabel('Dialect').inputValue()).toBe('liquid')
    expect(await page.getByLabel('Syntax').inputValue()).toBe('strict')
    // An endless template or an invalid link does not block the page.
    await page
      .getByLabel('Template')
      .fill('{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}')
    await expect.poll(() => output.getAttribute('class'), LONG).toBe('failed')
    await page.goto('about:blank')
    await page.goto(`${root}playground.html#no-link`)
    await expect.poll(() => output.textContent()).toContain('KITCHEN')
  })

  test('leads to the field that was found', async () => {
    await page.goto(`${served}index.html?q=context.flash`)
    await page.locator('#results a').first().click()
    await page.waitForURL(`${served}objects/context.html#flash`)
    // The header does not cover the row, on wide and on narrow screens.
    for (const width of [1280, 800, 360]) {
      await page.setViewportSize({ width, height: 720 })
      await page.goto('about:blank')
      await page.goto(`${served}objects/context.html#flash`)
      expect(await page.locator('tr:target td').first().textContent()).toBe('flash')
      const top = (await page.locator('tr:target').boundingBox())?.y ?? 0
      const header = await page.locator('.top').boundingBox()
      expect(top, `${width}`).toBeGreaterThanOrEqual(header === null ? 1 : header.y + header.height)
      expect(top, `${width}`).toBeLessThan(360)
    }
  })

  test('shows titles in the font of texts, and names of the language in that of code', async () => {
    const font = (selector: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontFamily`)
    await page.goto(`${served}guides/caching.html`)
    const text = await font('body')
    expect([await font('h1'), await font('.turn a')]).toEqual([text, text])
    for (const path of ['tutorial/start.html', 'cookbook/places.html']) {
      await page.goto(served + path)
      expect(await font('h1'), path).toBe(text)
    }
    await page.goto(`${served}filters/append.html`)
    expect(await font('h1')).toContain('monospace')
  })

  test('fits a telephone, and is readable in the light and in the dark', async () => {
    const samples = [
      'index.html',
      'guides/graphql.html',
      'playground.html',
      'filters/t.html',
      'tags/graphql.html',
      'objects/context.html',
      'settings/page.html',
      'settings/config.html',
      'validations/numericality.html',
      'diagnostics/unknown-filter.html',
    ]
    await page.setViewportSize({ width: 360, height: 700 })
    for (const path of samples) {
      await page.goto(served + path)
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(360)
        const faint: string[] = await page.evaluate(CONTRAST)
        expect(faint, `${path} ${scheme}`).toEqual([])
      }
    }
  })

  test('shows the same page without scripts', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const quiet = await plain.newPage()
    await quiet.goto(`${served}index.html#tags`)
    await quiet.getByRole('link', { name: /^cycle/ }).click()
    expect(await quiet.getByRole('heading', { level: 1 }).textContent()).toBe('cycle')
    await plain.close()
  })
})

/** The source of a function that runs in the page. Returns texts whose contrast with the background is less than 4.5 to 1. */
const CONTRAST = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((each) => {
      const part = each / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      if (channels(colour)[3] > 0) return colour
    }
    return 'white'
  }
  const faint = new Set()
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    if (!own || element.closest('script, .skip') || element.getClientRects().length === 0) continue
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(behind(element))]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (ratio < 4.5) faint.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2))
  }
  return [...faint]
})()`
