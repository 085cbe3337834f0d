/**
 * Tests password resets of the demo site, in a browser without scripts and in two languages. Responses do not reveal who has an
 * account. A link expires, and works only once, even for two concurrent users. The mails are read in the outbox.
 * `INGOT_SCREENSHOTS=<folder>` saves screenshots.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Product, product, type Server } from '../support/product.ts'
import { builtSite, wordsOf } from './hobnail.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type Visitor, Visitors, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''
const TOKEN = 'token-of-the-tests-of-passwords'
const OLD = 'Zange & Zwirn 7'

describe.skipIf(program === null)(`a forgotten password${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let visitors: Visitors
  let database: TestDatabase
  let server: Server
  /** Another server with the same build and database. It listens on a public address. */
  let open: Server

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
    visitors = new Visitors(browser)
    const site = builtSite(ingot)
    database = await testDatabase()
    const env = { DATABASE_URL: database.url, INGOT_DATA: ingot.folder(), INGOT_API_TOKEN: TOKEN, INGOT_PROXIES: '1' }
    expect(await ingot.run(['data', 'seed', site], { env })).toMatchObject({ code: 0 })
    server = await ingot.serve(['serve', site], { env: { ...env, INGOT_ENV: 'development', INGOT_JOB_THREADS: '2' } })
    open = await ingot.serve(['serve', site], { env })
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
    await database?.close()
  })

  let came = 0
  /** Returns headers with a new IP address for each visitor. */
  const from = (): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${++came}` })
  const visitor = (language: string): Promise<Visitor> => visitors.come(`${server.url}/?language=${language}`, from())

  async function graph<T>(query: string, variables: Readonly<Record<string, unknown>>): Promise<T> {
    const reply = await fetch(`${server.url}/api/graph`, {
      method: 'POST',
      headers: { authorization: `Token token=${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await reply.json()) as { data: T; errors?: unknown }
    expect(errors).toBeUndefined()
    return data
  }

  /** Creates an account and returns its id. */
  async function account(email: string): Promise<string> {
    const made = await graph<{ user: { id: string } }>(
      'mutation make($email: String!, $password: String!) { user: user_create(user: { email: $email, password: $password, first_name: "Ada" }) { id } }',
      { email, password: OLD },
    )
    return made.user.id
  }

  /** Returns a link as in the mail. Its token is valid for the given number of hours. */
  async function link(id: string, hours = 1): Promise<string> {
    const found = await graph<{ users: { results: [{ temporary_token: string }] } }>(
      'query token($id: ID!, $hours: Float!) { users(per_page: 1, filter: { id: { value: $id } }) { results { temporary_token(expires_in: $hours) } } }',
      { id, hours },
    )
    return `/password/new?account=${id}&token=${encodeURIComponent(found.users.results[0].temporary_token)}`
  }

  /** Returns whether the log-in form accepts a password from a visitor without a session. */
  async function logsIn(email: string, password: string): Promise<boolean> {
    const { page, leave } = await visitor('en')
    await page.goto(`${server.url}/log-in`)
    await page.locator('main input[type=email]').fill(email)
    await page.locator('main input[type=password]').fill(password)
    await page.locator('main button[type=submit]').click()
    const isIn = new URL(page.url()).pathname === '/account'
    await leave()
    return isIn
  }

  async function shot(page: Page, name: string): Promise<void> {
    const folder = process.env['INGOT_SCREENSHOTS']
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }

  /** Returns the number of mails with a link for an address, including the ones that are not yet sent. */
  async function mails(email: string): Promise<number> {
    const rows = await database.sql`
      select 1 from ingot.records r join ingot.tables t on t.id = r.table_id
      join ingot.users u on u.id::text = r.properties->>'account'
      where t.name = 'password_request' and u.email = ${email}`
    return rows.length
  }

  /** Returns the number of password requests whose jobs have not ended. */
  async function waiting(): Promise<number> {
    return (await database.sql`select 1 from ingot.jobs where unit = 'passwords/send' and state <> 'DEAD'`).length
  }

  /** Requests a link as the form does, without opening a page first. */
  async function ask(email: string, from: string): Promise<Response> {
    return fetch(`${server.url}/password`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from },
      body: new URLSearchParams({ email }),
      redirect: 'manual',
    })
  }

  describe.each(['en', 'de'])('in %s', (language) => {
    const word = wordsOf(language)
    const email = `ada.${language}@mail.example`

    test('from the log-in to a mail, and from its link to a new password', async () => {
      const id = await account(email)
      const before = await visitor(language)
      await before.page.goto(`${server.url}/log-in`)
      await before.page.getByLabel(word('forms.email')).fill(email)
      await before.page.getByLabel(word('forms.password')).fill(OLD)
      await before.page.getByRole('button', { name: word('account.log_in'), exact: true }).click()
      expect(new URL(before.page.url()).pathname).toBe('/account')

      const { page, leave } = await visitor(language)
      const says = (): Promise<string> => page.locator('main .flash').first().innerText()
      const wrong = (): Promise<string[]> => page.locator('.form-wrong').allInnerTexts()
      await page.goto(`${server.url}/log-in?language=${language}`)
      await page.getByRole('link', { name: word('account.forgot') }).click()
      expect(new URL(page.url()).pathname).toBe('/password')
      const send = async (address: string): Promise<void> => {
        await page.getByLabel(word('forms.email')).fill(address)
        await page.getByRole('button', { name: word('passwords.send'), exact: true }).click()
      }
      for (const [address, message] of [
        ['', word('errors.messages.blank')],
        ['Ada "<b>"', word('passwords.errors.address')],
        [`${'a'.repeat(190)}@mail.example`, word('errors.messages.too_long.other').replace('%{count}', '200')],
      ] as const) {
        await send(address)
        expect(new URL(page.url()).pathname).toBe('/password')
        expect(await wrong()).toEqual([message])
        expect(await page.getByLabel(word('forms.email')).inputValue()).toBe(address)
      }
      await shot(page, `${language}-password-wrong`)

      // An address without an account gets the same response as an address with one.
      await send(`nobody.${language}@mail.example`)
      const [address, answer] = [page.url(), await page.locator('main').innerText()]
      expect(await says()).toBe(word('account.password_asked'))
      await page.goto(`${server.url}/password?language=${language}`)
      await send(email.toUpperCase())
      expect([page.url(), await page.locator('main').innerText()]).toEqual([address, answer])

      // The outbox is shown only on the same machine.
      const desk = await browser.newPage()
      const outbox = async (): Promise<string> => {
        await desk.goto(`${server.url}/_ingot/outbox`)
        return desk.locator('body').innerText()
      }
      await expect.poll(outbox, LONG).toContain(email)
      expect(await outbox()).not.toContain(`nobody.${language}`)
      await desk
        .getByRole('row', { name: email })
        .getByRole('link', { name: word('mails.new_password.subject') })
        .click()
      const mail = desk.frameLocator('iframe')
      expect(await mail.locator('html').getAttribute('lang')).toBe(language)
      expect(await mail.locator('body').innerText()).toContain(word('mails.new_password.text'))
      const href =
        (await mail.getByRole('link', { name: word('mails.new_password.choose') }).getAttribute('href')) ?? ''
      expect(href).toContain(`${server.url}/password/new?account=${id}&token=`)

      await desk.close()
      await page.goto(href)
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      expect(await page.locator('main').innerText()).toContain(email)
      const chosen = `Neu & anders ${language}`
      const save = async (first: string, second: string): Promise<void> => {
        await page.getByLabel(word('forms.password'), { exact: true }).fill(first)
        await page.getByLabel(word('forms.password_confirmation')).fill(second)
        await page.getByRole('button', { name: word('passwords.save'), exact: true }).click()
      }
      for (const [first, second, message] of [
        ['', '', word('errors.messages.blank')],
        ['short', 'short', word('errors.messages.too_short.other').replace('%{count}', '6')],
        ['x'.repeat(201), 'x'.repeat(201), word('errors.messages.too_long.other').replace('%{count}', '200')],
        [chosen, OLD, word('errors.messages.confirmation')],
      ] as const) {
        await save(first, second)
        expect(await wrong()).toEqual([message])
        expect(await page.locator('main input[type=password]').first().inputValue()).toBe('')
      }
      await shot(page, `${language}-new-password-wrong`)
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
      await save(chosen, chosen)
      expect(new URL(page.url()).pathname).toBe('/log-in')
      expect(await says()).toBe(word('account.password_changed'))

      // The link has been used, all sessions of the account have ended, and only the new password is accepted.
      await page.goto(href)
      expect(await says()).toBe(word('passwords.errors.link'))
      expect(await page.locator('main input[type=password]').count()).toBe(0)
      await shot(page, `${language}-link-used`)
      await before.page.goto(`${server.url}/account`)
      expect(new URL(before.page.url()).pathname).toBe('/log-in')
      expect(await logsIn(email, OLD)).toBe(false)
      expect(await logsIn(email, chosen)).toBe(true)
      await before.leave()
      await leave()
    })
  })

  test('no link but one of the account that still holds shows the form, or changes anything', async () => {
    // Runs in one language only. The other language has the same messages as for a link that was already used.
    const language = 'de'
    const word = wordsOf(language)
    const id = await account(`eve.${language}@mail.example`)
    const victim = await account(`victim.${language}@mail.example`)
    const { page, leave } = await visitor(language)
    const own = await link(id)
    const token = new URL(own, server.url).searchParams.get('token') ?? ''
    const links = [
      await link(id, -1),
      own.replace(`account=${id}`, `account=${victim}`),
      `/password/new?account=${id}&token=${token.slice(0, -1)}`,
      `/password/new?account=${id}`,
      '/password/new',
      `/password/new?account[]=${id}&token[]=${token}`,
      `/password/new?account=0&token=${token}`,
    ]
    for (const address of links) {
      await page.goto(`${server.url}${address}`)
      expect(await page.locator('main .flash[role=alert]').innerText(), address).toBe(word('passwords.errors.link'))
      const fields = new URL(address, server.url).searchParams
      fields.set('language', language)
      fields.set('password', 'Mine now')
      fields.set('password_confirmation', 'Mine now')
      const reply = await page.request.post(`${server.url}/password/new`, {
        form: Object.fromEntries(fields),
        maxRedirects: 0,
      })
      expect(reply.status(), address).toBe(422)
      expect(await reply.text()).toContain(word('passwords.errors.link'))
    }
    for (const name of ['eve', 'victim']) expect(await logsIn(`${name}.${language}@mail.example`, OLD)).toBe(true)
    await leave()
  })

  test('of two who use a link at the same time, one does', async () => {
    const email = 'twice@mail.example'
    const address = await link(await account(email))
    const choices = ['first choice', 'second choice', 'third choice', 'fourth choice']
    const replies = await Promise.all(
      choices.map((password) => {
        const fields = new URL(address, server.url).searchParams
        fields.set('password', password)
        fields.set('password_confirmation', password)
        return fetch(`${server.url}/password/new`, { method: 'POST', body: fields, redirect: 'manual' })
      }),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 422, 422, 422])
    const used = replies.findIndex(({ status }) => status === 302)
    for (const [at, password] of choices.entries()) expect(await logsIn(email, password)).toBe(at === used)
  })

  test('an account gets three mails an hour, whoever asks, and answers do not tell', async () => {
    const email = 'flooded@mail.example'
    await account(email)
    const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(email, `198.51.100.${at + 1}`)))
    expect(new Set(replies.map((each) => `${each.status} ${each.headers.get('location')}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(302)
    await expect.poll(waiting, LONG).toBe(0)
    expect(await mails(email)).toBe(3)
  })

  test('a visitor asks ten times an hour, also all at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, at) => ask(`somebody.${at}@mail.example`, '192.0.2.77')),
    )
    const taken = replies.filter(({ status }) => status === 302).length
    expect(taken).toBeLessThanOrEqual(10)
    const refused = await ask('somebody@mail.example', '192.0.2.77')
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain(wordsOf('en')('passwords.errors.often'))
    expect((await ask('somebody@mail.example', '192.0.2.78')).status).toBe(302)
    // After an hour, more requests are allowed. Each request also removes entries that are older than a day.
    await database.sql`
      update ingot.records r set created_at = r.created_at - interval '25 hours'
      from ingot.tables t where t.id = r.table_id and t.name = 'password_request'`
    expect((await ask('somebody@mail.example', '192.0.2.77')).status).toBe(302)
    const kept = async (): Promise<number> => {
      const rows = await database.sql`
        select 1 from ingot.records r join ingot.tables t on t.id = r.table_id
        where t.name = 'password_request' and r.deleted_at is null`
      return rows.length
    }
    await expect.poll(kept, LONG).toBe(1)
  })

  test.each(['en', 'de'])(
    'the foot of a page leads to the desk and the outbox in development only, in %s',
    async (language) => {
      const word = wordsOf(language)
      const foot = async (url: string): Promise<string> => {
        const text = await (await fetch(`${url}/about?language=${language}`)).text()
        return text.slice(text.indexOf('<footer'))
      }
      // Both servers store the cached footer in the same database.
      for (let round = 0; round < 2; round++) {
        const [inDevelopment, inProduction] = [await foot(server.url), await foot(open.url)]
        for (const part of ['/_ingot/outbox', '/admin', word('footer.desk'), word('footer.outbox')]) {
          expect(inDevelopment).toContain(part)
          expect(inProduction).not.toContain(part)
        }
        expect(inProduction).toContain(word('footer.note').slice(0, 20))
      }
    },
  )

  test('the server had nothing to complain of', () => {
    const lines = server.output().split('\n')
    expect(lines.filter((line) => /"level":[56]0|\berror\b/i.test(line))).toEqual([])
  })
})
