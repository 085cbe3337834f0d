/** Tests the page that developers see for an unknown path: that it fits the screen of a phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { app, bodyOf, page, site } from '../support/server/site.ts'
import { browserProgram } from './program.ts'
import { launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''
const LONG_PATH = 'a-folder-with-a-long-name/'.repeat(4)

describe.skipIf(program === null)(`the page of an unknown path${reason}`, () => {
  let browser: SuiteBrowser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  test('is not wider than a phone', async () => {
    const pages = [page('/'), page(`${LONG_PATH}:id`), page('api/dishes', { format: 'json' })]
    const reply = await app(site(pages), { environment: 'development' }).get(`/other-${LONG_PATH}`)
    const phone = await browser.newPage({ viewport: { width: 360, height: 640 } })
    await phone.setContent(bodyOf(reply))
    expect(await phone.title()).toBe('No such page')
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})
