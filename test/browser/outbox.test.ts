/** Tests the outbox in a browser: mails are shown, and cannot run code. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboxPage, OUTBOX } from '../../server/tools/dev/outbox.ts'
import { listen } from '../../server/web/http/listen.ts'
import type { Listening } from '../../server/web/http/listening.ts'
import { plainReply } from '../../server/web/http/plain-reply.ts'
import type { Mail } from '../../server/web/notifications/model.ts'
import { createOutbox } from '../../server/web/notifications/outbox.ts'
import { lookingAt } from './axe.ts'
import { browserProgram } from './program.ts'
import { launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''
/** A picture of a red square. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

const mail: Mail = {
  from: { name: 'Shop', address: 'shop@example.com' },
  to: [{ name: 'Ann', address: 'ann@example.com' }],
  cc: [],
  bcc: [{ name: '', address: 'hidden@example.com' }],
  replyTo: [],
  subject: 'Welcome <b>Ann</b>',
  html: '<h1>Welcome</h1><img src="cid:logo.png" alt="logo"><script>document.title = "taken"; top.location = "/taken"</script><a href="/confirm">Confirm</a><form action="/taken"><button>Go</button></form>',
  text: 'Welcome',
  attachments: [{ name: 'logo.png', type: 'image/png', bytes: PIXEL, cid: 'logo.png' }],
  headers: {},
  messageId: 'one@example.com',
}

describe.skipIf(program === null)(`the outbox${reason}`, () => {
  const home = mkdtempSync(join(tmpdir(), 'ingot-outbox-'))
  const asked: string[] = []
  let browser: SuiteBrowser
  let server: Listening
  let url = ''

  beforeAll(async () => {
    const folder = join(home, 'outbox')
    await createOutbox(folder).mail(mail)
    const page = createOutboxPage(folder)
    server = await listen(
      async (request) => {
        asked.push(request.url)
        return (await page.answer(request)) ?? plainReply(200, 'html', 'a page of the site')
      },
      {
        host: 'localhost',
        port: 0,
        proxies: 0,
        bodyLimit: 1_000_000,
        uploads: { folder: home, limit: 1_000 },
        log: pino({ level: 'silent' }),
      },
    )
    url = `http://localhost:${server.port}`
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop(0, 0)
    rmSync(home, { recursive: true, force: true })
  })

  test('shows a mail with its pictures and its text, and its links open beside it', async () => {
    const page = await browser.newPage()
    await page.goto(`${url}${OUTBOX}`)
    await page.getByRole('link', { name: 'Welcome <b>Ann</b>' }).click()
    await page.getByRole('heading', { name: 'Welcome <b>Ann</b>' }).waitFor()
    expect(await page.locator('table').first().innerText()).toContain('hidden@example.com')
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Welcome' }).waitFor()
    const picture = frame.getByAltText('logo')
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1)

    const opened = page.context().waitForEvent('page')
    await frame.getByRole('link', { name: 'Confirm' }).click()
    const beside = await opened
    await beside.waitForLoadState()
    expect(new URL(beside.url()).pathname).toBe('/confirm')
    // Neither the script of the mail nor its form has run.
    await frame.getByRole('button', { name: 'Go' }).click()
    await page.waitForTimeout(300)
    expect([await page.title(), new URL(page.url()).pathname.startsWith(OUTBOX)]).toEqual(['Welcome <b>Ann</b>', true])
    expect(asked.filter((path) => path.startsWith('/taken'))).toEqual([])
  })

  test('gives its files', async () => {
    const page = await browser.newPage()
    await page.goto(`${url}${OUTBOX}`)
    await page.locator('table a').first().click()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'as a file' }).click()
    expect((await saved).suggestedFilename()).toBe('message.eml')
  })

  test('breaks no rule of axe-core, whatever lies in it', async () => {
    const { context, page, found, open, look } = await lookingAt(browser, url)
    const folder = join(home, 'outbox')
    await createOutbox(folder).sms({ to: '+49 170 1', content: 'Your code is 12' })
    const more = {
      cc: [{ name: '', address: 'cy@example.com' }],
      headers: { 'X-Kind': 'welcome' },
      subject: '',
      messageId: 'two',
    }
    await createOutbox(folder).mail({ ...mail, ...more })
    await open(OUTBOX)
    const links = page.locator('td a')
    expect(await links.count()).toBe(3)
    for (const at of [0, 1, 2]) {
      await page.goto(url + OUTBOX)
      await links.nth(at).click()
      await page.locator('pre').waitFor()
      await look(await page.title())
    }
    await open(`${OUTBOX}/nothing`, 404)
    rmSync(folder, { recursive: true })
    await open(OUTBOX)
    expect(found).toEqual([])
    await context.close()
  })
})
