/** A reader of the tutorial: does in browsers and on the command line what the pages say. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Action, Part, Step } from '../../compiler/tools/docs/tutorial/step.ts'
import { type Product, type Server, write } from '../support/product.ts'
import { doPart } from '../support/tutorial.ts'
import { LONG, type SuiteBrowser, type Visitor, Visitors } from './visitors.ts'

/** The reader's own PostgreSQL, and jobs, which send the mails. */
const ENVIRONMENT = { DATABASE_URL: '', INGOT_JOB_THREADS: '1' }
/** A page that shows whether the last edit is served. */
const PROBE = 'app/views/pages/probe.liquid'
const DAY = 86_400_000

/** The time that the form of an event is filled with. */
function ahead(days: number, time: string): string {
  return `${new Date(Date.now() + days * DAY).toISOString().slice(0, 10)}T${time}`
}

export class Reader {
  /** The folder of the site. */
  readonly site: string
  readonly #ingot: Product
  readonly #visitors: Visitors
  readonly #people = new Map<string, Visitor>()
  #server: Server | null = null
  #develops = false
  #edits = 0
  /** Whether the development server may not serve the last edit yet. */
  #isStale = false
  /** The release that was pushed last. */
  #release = ''

  constructor(ingot: Product, browser: SuiteBrowser) {
    this.#ingot = ingot
    this.#visitors = new Visitors(browser)
    const home = ingot.folder()
    // PostgreSQL that root starts runs as another user, who must get here.
    chmodSync(home, 0o755)
    this.site = join(home, 'calendar')
  }

  get url(): string {
    return this.#running.url
  }

  /** Does all parts of a step. */
  async follow(step: Step): Promise<void> {
    for (const part of step.parts) {
      if (part.kind === 'visit') await this.#visit(part)
      else if (part.kind === 'mail') await this.#readMail(part)
      else if (part.kind !== 'mistake') await this.#edit(part)
    }
  }

  /** The window of a person. */
  async page(who: string): Promise<Page> {
    const known = this.#people.get(who) ?? (await this.#visitors.come(this.url))
    this.#people.set(who, known)
    return known.page
  }

  get #running(): Server {
    if (this.#server === null) throw new Error('The tutorial has not started the server.')
    return this.#server
  }

  async #edit(part: Part): Promise<void> {
    this.#isStale ||= this.#develops && (part.kind === 'write' || part.kind === 'change' || part.kind === 'run')
    await doPart(this.site, part, (args, prints) => this.#run(args, prints))
  }

  async #run(args: readonly string[], prints: readonly string[]): Promise<void> {
    const options = { cwd: this.site, env: ENVIRONMENT }
    const [name = ''] = args
    if (name === 'dev' || name === 'serve') {
      // The reader stops the development server before.
      await this.#server?.stop()
      this.#develops = name === 'dev'
      this.#server = await this.#ingot.serve(args, options)
      this.#isStale = false
      return
    }
    const from = name === 'init' ? { cwd: join(this.site, '..') } : {}
    const input = name === 'user' ? { input: 'a long password\n' } : {}
    const words = args.map((word) => (word === 'RELEASE' ? this.#release : word))
    const { code, out, err } = await this.#ingot.run(words, { ...options, ...from, ...input })
    expect({ code, problem: code === 0 ? '' : `${out}${err}` }, args.join(' ')).toEqual({ code: 0, problem: '' })
    for (const line of prints) expect(out + err).toContain(line)
    if (name === 'release' && args[1] === 'push') this.#release = out.trim()
  }

  /** Waits until the development server has built what was edited: a page that is written last is built with all edits before it. */
  async #built(): Promise<void> {
    if (!this.#isStale) return
    this.#isStale = false
    const mark = `edit ${++this.#edits}.`
    write(this.site, { [PROBE]: `---\nlayout: ''\nslug: probe\n---\n${mark}` })
    await expect.poll(async () => (await fetch(`${this.url}/probe`)).text(), LONG).toContain(mark)
  }

  async #visit({ who, actions, shows, hides, status }: Part & { kind: 'visit' }): Promise<void> {
    await this.#built()
    const page = await this.page(who)
    const [first, ...rest] = actions
    if (first?.kind === 'open') await this.#open(page, first.path, rest, rest.length === 0 ? shows : [], status)
    for (const action of first?.kind === 'open' ? rest : actions) await act(page, action)
    await expectTexts(page, shows)
    const text = await visibleText(page)
    for (const hidden of hides) expect(text).not.toContain(hidden)
  }

  /** Opens a page, again while it is not the one of the last edit. */
  async #open(
    page: Page,
    path: string,
    next: readonly Action[],
    shows: readonly string[],
    status: number,
  ): Promise<void> {
    await expect
      .poll(async () => {
        const reply = await page.goto(this.url + path)
        const text = await visibleText(page)
        const fields = next.slice(
          0,
          Math.max(0, next.findIndex(({ kind }) => kind === 'press' || kind === 'follow') + 1),
        )
        const missing = [
          ...shows.filter((each) => !text.includes(each)),
          ...(await Promise.all(fields.map(async (field) => ((await isThere(page, field)) ? [] : [field])))).flat(),
        ]
        return { status: reply?.status(), missing, text: missing.length > 0 ? text : '' }
      }, LONG)
      .toEqual({ status, missing: [], text: '' })
  }

  async #readMail({ to, subject, link, who, shows }: Part & { kind: 'mail' }): Promise<void> {
    const page = await this.page(who === '' ? 'You' : who)
    const row = page.locator('tr', { hasText: to }).filter({ hasText: subject }).first()
    await expect
      .poll(async () => {
        await page.goto(`${this.url}/_ingot/outbox`)
        return row.count()
      }, LONG)
      .toBe(1)
    if (link === null) return
    await row.getByRole('link').click()
    const address = await page
      .frameLocator('iframe')
      .getByRole('link', { name: link, exact: true })
      .getAttribute('href')
    await page.goto(address ?? '')
    await expectTexts(page, shows)
  }
}

function visibleText(page: Page): Promise<string> {
  return page.locator('body').innerText()
}

/** Waits until the page shows the texts: a click may still be on its way. */
async function expectTexts(page: Page, texts: readonly string[]): Promise<void> {
  const missing = async (): Promise<readonly string[]> => {
    const text = await visibleText(page)
    return texts.filter((each) => !text.includes(each))
  }
  await expect.poll(missing, LONG).toEqual([])
}

function locate(page: Page, action: Action) {
  switch (action.kind) {
    case 'press':
      return page.getByRole('button', { name: action.button, exact: true }).first()
    case 'follow':
      return page.getByRole('link', { name: action.link, exact: true }).first()
    case 'open':
      return page.locator('body')
    default:
      return page.getByLabel(action.label, { exact: true })
  }
}

async function isThere(page: Page, action: Action): Promise<boolean> {
  return (await locate(page, action).count()) === 1
}

async function act(page: Page, action: Action): Promise<void> {
  const found = locate(page, action)
  switch (action.kind) {
    case 'open':
      await page.goto(new URL(action.path, page.url()).href)
      return
    case 'enter':
      await found.fill(action.value)
      return
    case 'date':
      await found.fill(ahead(action.days, action.time))
      return
    case 'choose':
      await found.selectOption({ label: action.option })
      return
    case 'photo':
      await found.setInputFiles({ name: 'river.jpg', mimeType: 'image/jpeg', buffer: await river() })
      return
    case 'press':
    case 'follow':
      await found.click()
  }
}

/** A photo: water below a sky. */
async function river(): Promise<Buffer> {
  const water = {
    input: Buffer.from('<svg width="1500" height="500"><rect width="1500" height="500" fill="#2f6f78"/></svg>'),
  }
  return sharp({ create: { width: 1500, height: 1000, channels: 3, background: '#9cc7d8' } })
    .composite([{ ...water, gravity: 'south' }])
    .jpeg()
    .toBuffer()
}
