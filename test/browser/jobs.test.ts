/**
 * Tests jobs of the demo site in a browser without scripts: the mail after sign-up, the check of photos, imports, the weekly mail, and the
 * page that shows the jobs. An import adds all rows or none. The SMTP server and the photo service are local. `INGOT_SCREENSHOTS=<folder>`
 * saves screenshots.
 */
import { mkdirSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Product, product, type Server } from '../support/product.ts'
import { smtp } from '../server/web/notifications/ground.ts'
import { builtSite, photo, type ReadMail, readMail, wordsOf } from './hobnail.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type Visitor, Visitors, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''
const TOKEN = 'token-of-the-tests-of-jobs'
const PASSWORD = 'Zange & Zwirn 7'

describe.skipIf(program === null)(`work beside the pages${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let visitors: Visitors
  let server: Server
  let database: TestDatabase
  let post: Awaited<ReturnType<typeof smtp>>
  let service: HttpServer
  let address: string
  /** The photo service responds when this promise has resolved. */
  let gate: Promise<void> = Promise.resolve()
  let asked = 0

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
    visitors = new Visitors(browser)
    post = await smtp()
    service = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      asked++
      await gate
      response.end(await verdict(Buffer.concat(chunks), request.headers['content-type'] ?? ''))
    })
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
    database = await testDatabase()
    const env = {
      DATABASE_URL: database.url,
      INGOT_DATA: ingot.folder(),
      INGOT_SMTP_URL: post.url,
      INGOT_JOB_THREADS: '2',
      INGOT_OUTGOING: '127.0.0.1',
      INGOT_API_TOKEN: TOKEN,
    }
    const site = builtSite(ingot)
    expect(await ingot.run(['data', 'seed', site], { env })).toMatchObject({ code: 0 })
    server = await ingot.serve(['serve', site], { env })
    await constant('SHOP_URL', server.url)
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
    await post?.close()
    service?.closeAllConnections()
    service?.close()
    await database?.close()
  })

  /** Returns the response of the photo service, which refuses black photos. */
  async function verdict(body: Buffer, type: string): Promise<string> {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    const file = form.get('photo')
    if (file === null || typeof file === 'string') return 'there is no photo'
    const { channels } = await sharp(Buffer.from(await file.arrayBuffer())).stats()
    return channels.slice(0, 3).every(({ mean }) => mean < 40) ? 'refused' : 'approved'
  }

  async function constant(name: string, value: string): Promise<void> {
    const reply = await fetch(`${server.url}/api/graph`, {
      method: 'POST',
      headers: { authorization: `Token token=${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation set($name: String!, $value: String!) { constant_set(name: $name, value: $value) { name } }',
        variables: { name, value },
      }),
    })
    expect(await reply.json()).toEqual({ data: { constant_set: { name } } })
  }

  /** Returns the mails sent to an address so far. */
  function mailsTo(email: string): readonly ReadMail[] {
    return post.received.filter(({ to }) => to.includes(email)).map(({ raw }) => readMail(raw))
  }

  async function mailTo(email: string, subject: string): Promise<ReadMail> {
    await expect.poll(() => mailsTo(email).map((mail) => mail.subject), LONG).toContain(subject)
    const found = mailsTo(email).filter((mail) => mail.subject === subject)
    expect(found).toHaveLength(1)
    return found[0] as ReadMail
  }

  const visitor = (language: string, url = server.url): Promise<Visitor> =>
    visitors.come(`${url}/?language=${language}`)

  async function signUp(page: Page, language: string, email: string, newsletter: boolean): Promise<void> {
    const word = wordsOf(language)
    await page.goto(`${new URL(page.url()).origin}/sign-up`)
    await page.getByLabel(word('forms.first_name')).fill('Ada & Co')
    await page.getByLabel(word('forms.email')).fill(email)
    await page.getByLabel(word('forms.password'), { exact: true }).fill(PASSWORD)
    await page.getByLabel(word('forms.password_confirmation')).fill(PASSWORD)
    if (newsletter) await page.getByLabel(word('forms.newsletter')).check()
    await page.getByLabel(word('forms.rules')).check()
    await page.getByRole('button', { name: word('account.sign_up'), exact: true }).click()
    expect(new URL(page.url()).pathname).toBe('/account')
  }

  async function gone(page: Page, url: string): Promise<Page> {
    await page.goto(url)
    return page
  }

  async function shot(page: Page, name: string): Promise<void> {
    const folder = process.env['INGOT_SCREENSHOTS']
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }

  describe.each(['en', 'de'])('in %s', (language) => {
    const word = wordsOf(language)
    const email = `ada.${language}@mail.example`
    let context: BrowserContext
    let page: Page

    beforeAll(async () => {
      ;({ context, page } = await visitor(language))
    })

    afterAll(() => context?.close())

    test('whoever signs up gets one mail, in the language of the page', async () => {
      await signUp(page, language, email, true)
      const { parts } = await mailTo(email, word('mails.welcome.subject').replace('%{name}', 'Ada & Co'))
      expect(parts['text/html']).toContain('Ada &amp; Co')
      expect(parts['text/html']).toContain(`<html lang="${language}">`)
      expect(parts['text/html']).toContain(`${server.url}/listings?language=${language}`)
      expect(parts['text/plain']).toContain(word('mails.welcome.text').slice(0, 40))
    })

    async function sell(title: string, colour: string): Promise<string> {
      await page.goto(`${server.url}/listings/new`)
      await page.getByLabel(word('forms.title')).first().fill(title)
      await page.getByLabel(word('forms.summary')).first().fill('A thing for the tests.')
      await page.getByLabel(word('forms.price')).fill('12')
      await page.getByLabel(word('forms.stock')).fill('1')
      await page.getByLabel(word('forms.shelf')).selectOption({ index: 2 })
      const file = { name: 'thing.jpg', mimeType: 'image/jpeg', buffer: await photo(colour) }
      await page.getByLabel(word('forms.photo')).setInputFiles(file)
      await page.getByRole('button', { name: word('account.publish'), exact: true }).click()
      expect(await page.locator('h1').innerText()).toBe(title)
      return new URL(page.url()).pathname
    }

    test('a photo is seen by its seller at once, by others when a job has looked at it', async () => {
      // While the service does not respond, the photo waits.
      await constant('PHOTO_CHECK_URL', 'http://127.0.0.1:9/')
      const path = await sell(`Blue thing ${language}`, '#4c6b92')
      expect(await page.locator('.listing-picture img').getAttribute('src')).toMatch(/^\/uploads\/private\//)
      expect(await page.locator('.photo-state').innerText()).toContain(word('photos.review'))
      await shot(page, `${language}-photo-in-review`)
      const other = await visitor(language)
      await other.page.goto(server.url + path)
      expect(await other.page.locator('.listing-picture img').count()).toBe(0)
      expect(await other.page.locator('.photo-state').count()).toBe(0)
      expect(await other.page.content()).not.toContain('/uploads/private/')
      const id = /\d+/.exec(path)?.[0] ?? ''
      const waits = (): Promise<readonly unknown[]> => database.sql`
        select 1 from ingot.jobs where unit = 'photos/moderate' and arguments->>'id' = ${id} and state = 'SCHEDULED'`
      await expect.poll(async () => (await waits()).length, LONG).toBe(1)

      // The service responds again. Saving the listing again sends the request immediately.
      await constant('PHOTO_CHECK_URL', address)
      await page.goto(`${server.url}/listings/${id}/edit`)
      await page.getByRole('button', { name: word('forms.save'), exact: true }).click()
      const src = async (): Promise<string | null> => {
        await other.page.goto(server.url + path)
        const image = other.page.locator('.listing-picture img')
        return (await image.count()) === 0 ? null : image.getAttribute('src')
      }
      await expect.poll(src, LONG).toMatch(/^\/uploads\/(?!private)/)
      const reply = await other.page.request.get(server.url + ((await src()) ?? ''))
      expect(await sharp(await reply.body()).metadata()).toMatchObject({ format: 'webp', width: 1280, height: 1280 })
      await page.goto(server.url + path)
      expect(await page.locator('.photo-state').count()).toBe(0)
      await other.leave()
    })

    test('a photo that is refused is shown to nobody, and its seller is told', async () => {
      const path = await sell(`Black thing ${language}`, '#000000')
      await page.goto(`${server.url}/listings/${/\d+/.exec(path)?.[0]}/edit`)
      await page
        .getByLabel(word('forms.photo'))
        .first()
        .setInputFiles({
          name: 'night.png',
          mimeType: 'image/png',
          buffer: await sharp({ create: { width: 700, height: 700, channels: 3, background: '#000000' } })
            .png()
            .toBuffer(),
        })
      await page.getByRole('button', { name: word('forms.save'), exact: true }).click()
      const { parts } = await mailTo(email, word('mails.photo_refused.subject'))
      expect(parts['text/html']).toMatch(/\/listings\/\d+\/edit\?language=/)
      await expect
        .poll(async () => (await gone(page, server.url + path)).locator('.photo-state').allInnerTexts(), LONG)
        .toEqual([expect.stringContaining(word('photos.refused'))])
      await shot(page, `${language}-photo-refused`)
    })

    // Runs in one language only, because the behaviour does not depend on the language.
    if (language === 'en') {
      test('a photo that is replaced while it is looked at is never shown', async () => {
        let open: () => void = () => undefined
        gate = new Promise((done) => {
          open = done
        })
        const before = asked
        const path = await sell(`Thing of two colours ${language}`, '#204060')
        await expect.poll(() => asked, LONG).toBe(before + 1)
        await page.goto(`${server.url}/listings/${/\d+/.exec(path)?.[0]}/edit`)
        const file = { name: 'second.jpg', mimeType: 'image/jpeg', buffer: await photo('#c04020') }
        await page.getByLabel(word('forms.photo')).first().setInputFiles(file)
        await page.getByRole('button', { name: word('forms.save'), exact: true }).click()
        open()
        const states = async (): Promise<number> =>
          (await gone(page, server.url + path)).locator('.photo-state').count()
        await expect.poll(states, LONG).toBe(0)
        const src = (await page.locator('.listing-picture img').getAttribute('src')) ?? ''
        expect(src).toMatch(/^\/uploads\/(?!private).*second/)
        const { dominant } = await sharp(await (await page.request.get(server.url + src)).body())
          .extract({ left: 0, top: 0, width: 80, height: 80 })
          .stats()
        expect(dominant.r).toBeGreaterThan(dominant.b + 60)
      })
    }

    // Runs in one language only. The messages in the other language are tested with other forms.
    if (language === 'de') {
      test('an import with a mistake leaves nothing, and says where it is', async () => {
        await page.goto(`${server.url}/account/import`)
        const send = async (csv: string): Promise<void> => {
          await page.getByLabel(word('imports.text')).fill(csv)
          await page.getByRole('button', { name: word('imports.send'), exact: true }).click()
        }
        const alert = (): Promise<string> => page.locator('.flash[role=alert]').innerText()
        const before = await rows()
        await send(
          `${HEAD}\nGood bowl,Gute Schale,A bowl.,"34,50",3,mugs-and-cups\n"No price",,A bowl.,cheap,x,nowhere`,
        )
        expect(await alert()).toContain(word('imports.line').replace('%{line}', '3'))
        for (const key of ['price', 'stock', 'shelf']) expect(await alert()).toContain(word(`imports.errors.${key}`))
        expect(await alert()).not.toContain(word('imports.line').replace('%{line}', '2'))
        expect(await page.getByLabel(word('imports.text')).inputValue()).toContain('Good bowl')
        await shot(page, `${language}-import-wrong`)
        for (const [csv, key] of [
          ['title_en,price\n"never closed', 'imports.errors.csv'],
          [HEAD, 'imports.errors.empty'],
          [`${HEAD}\n${'Bowl,,A bowl.,1,1,mugs-and-cups\n'.repeat(201)}`, 'imports.errors.rows'],
        ] as const) {
          await send(csv)
          expect(await alert()).toContain(word(key))
        }
        await send(`${HEAD},__proto__,owner\nBowl,,A bowl.,1,1,mugs-and-cups,x,1`)
        expect(await alert()).toContain(word('imports.errors.columns').replace('%{columns}', '__proto__, owner'))
        // A repeated name is found only after all rows are in the table. Everything is rolled back, and no mail is sent.
        await send(
          `${HEAD}\nTwin,,A bowl.,1,1,mugs-and-cups\nTwin,,A bowl.,1,1,mugs-and-cups\nOther,,A bowl.,1,1,mugs-and-cups`,
        )
        expect(await alert()).toContain(word('imports.errors.twice').replace('%{name}', 'twin'))
        expect(await rows()).toBe(before)
      })
    }

    test('an import without mistakes is on the shelf as a whole, and a mail says so', async () => {
      const before = await rows()
      const names = Array.from({ length: 30 }, (_, at) => `Bowl ${language} ${at + 1}`)
      const lines = names.map(
        (name, at) => `"${name}","Schale ${at + 1}","A bowl, <b>""turned""</b>.","1${at},50",${at},mugs-and-cups`,
      )
      await page.goto(`${server.url}/account/import`)
      await page.getByLabel(word('imports.text')).fill([HEAD, ...lines].join('\r\n'))
      await page.getByRole('button', { name: word('imports.send'), exact: true }).click()
      expect(new URL(page.url()).pathname).toBe('/account/listings')
      expect(await page.locator('.flash[role=status]').innerText()).toBe(
        word('imports.done.other').replace('%{count}', '30'),
      )
      expect(await rows()).toBe(before + 30)
      await shot(page, `${language}-imported`)
      await page
        .getByRole('link', { name: language === 'de' ? /^Schale \d/ : /^Bowl en \d/ })
        .first()
        .click()
      expect(await page.locator('main').innerText()).toContain('A bowl, <b>"turned"</b>.')
      await mailTo(email, word('mails.imported.subject.other').replace('%{count}', '30'))
    })
  })

  const HEAD = 'title_en,title_de,summary_en,price,stock,shelf'

  async function rows(): Promise<number> {
    const [row] = await database.sql<{ count: number }[]>`
      select count(*)::int from ingot.records r join ingot.tables t on t.id = r.table_id
      where t.name = 'listing' and r.deleted_at is null`
    return row?.count ?? 0
  }

  test('the weekly mail waits for Monday; each reader gets it once, in the own language', async () => {
    const waiting = () => database.sql<{ id: string; run_at: Date }[]>`
      select id::text, run_at from ingot.jobs where unit = 'digest/send' and state = 'SCHEDULED' order by id`
    const [job, ...others] = await waiting()
    expect(others).toEqual([])
    expect([job?.run_at.getUTCDay(), job?.run_at.getUTCHours()]).toEqual([1, 8])
    await database.sql`select 1 from graphile_worker.reschedule_jobs(array[${job?.id ?? ''}::bigint], run_at => now())`
    const readers = await database.sql<{ email: string }[]>`
      select email from ingot.users where properties->>'newsletter' = 'true' and deleted_at is null`
    expect(readers.length).toBeGreaterThan(20)
    const digests = () =>
      post.received.filter(({ raw }) => /new things this week|neue Dinge in dieser Woche/.test(readMail(raw).subject))
    await expect.poll(() => digests().length, LONG).toBe(readers.length)
    expect(
      digests()
        .map(({ to }) => to.join())
        .sort(),
    ).toEqual(readers.map(({ email }) => email).sort())
    const [english] = mailsTo('ada.en@mail.example').filter(({ subject }) => subject.includes('this week'))
    const [german] = mailsTo('ada.de@mail.example').filter(({ subject }) => subject.includes('dieser Woche'))
    expect(english?.parts['text/html']).toContain('Good morning, Ada &amp; Co.')
    expect(german?.parts['text/html']).toContain('Guten Morgen, Ada &amp; Co.')
    expect(german?.parts['text/html']).toContain('10,50&nbsp;€'.slice(0, 5))
    // The next job is already in the queue.
    const [next, ...more] = await waiting()
    expect(more).toEqual([])
    expect(next?.id).not.toBe(job?.id)
    expect(next?.run_at.getTime()).toBeGreaterThan(Date.now())
  })

  test('the desk shows what was sent and what is to do, to those who work there only', async () => {
    const word = wordsOf('en')
    const stranger = await visitor('en')
    await signUp(stranger.page, 'en', 'eve@mail.example', false)
    expect((await stranger.page.goto(`${server.url}/admin`))?.status()).toBe(404)
    await stranger.leave()

    const { page, leave } = await visitor('en')
    await page.goto(`${server.url}/log-in`)
    await page.getByLabel(word('forms.email')).fill('desk@hobnail.example')
    await page.getByLabel(word('forms.password')).fill('hobnail')
    await page.getByRole('button', { name: word('account.log_in'), exact: true }).click()
    expect((await page.goto(`${server.url}/admin`))?.status()).toBe(200)
    const jobs = page.getByRole('region', { name: /to do/ })
    expect(await jobs.innerText()).toContain('weekly digest')
    const mails = page.getByRole('region', { name: /sent/ })
    expect(await mails.getByRole('row').count()).toBe(21)
    expect(await mails.innerText()).toContain('new things this week')
    await shot(page, 'desk')
    // On a phone, the tables scroll sideways, but the page does not.
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 }
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.setViewportSize({ width, height })
    const count = await jobs.getByRole('row', { name: /photo/ }).count()
    expect(count).toBe(2)
    await jobs
      .getByRole('row', { name: /photo/ })
      .first()
      .getByRole('button', { name: /Give up/ })
      .click()
    expect(new URL(page.url()).pathname).toBe('/admin')
    expect(await jobs.getByRole('row', { name: /photo/ }).count()).toBe(1)
    await leave()
  })

  test('in production there is no outbox', async () => {
    expect((await fetch(`${server.url}/_ingot/outbox`)).status).toBe(404)
  })

  // `ingot demo` runs `serve` in development mode, so only `serve` is tested.
  test('without a mail server, `serve` shows the mails in the outbox', async () => {
    const env = { INGOT_DATA: ingot.folder(), INGOT_ENV: 'development', INGOT_JOB_THREADS: '2' }
    const serving = await ingot.serve(['serve', builtSite(ingot)], { env })
    const { page, leave } = await visitor('de', serving.url)
    await signUp(page, 'de', 'serve@mail.example', false)
    await showsMail(page, serving.url, wordsOf('de')('mails.welcome.subject').replace('%{name}', 'Ada & Co'))
    await leave()
    await serving.stop()
  })

  // Uses a small site, because a build of the demo site would not test more of the mails.
  test('without a mail server, `dev` shows the mails in the outbox', async () => {
    const site = ingot.folder({
      'app/emails/hello.liquid':
        "---\nto: ann@mail.example\nfrom: shop@mail.example\nsubject: Grüße & Küsse\n---\n<h1>{{ 'Grüße & Küsse' | escape }}</h1>",
      'app/graphql/send.graphql':
        'mutation send { email_send(template: { name: "hello" }, data: {}) { is_scheduled_to_send } }',
      'app/views/pages/index.liquid': "{% graphql sent = 'send' %}{{ sent.email_send.is_scheduled_to_send }}",
    })
    const env = { INGOT_DATA: ingot.folder(), INGOT_JOB_THREADS: '2' }
    const dev = await ingot.serve(['dev', site], { env })
    await expect.poll(async () => (await fetch(dev.url)).text(), LONG).toContain('true')
    const { page, leave } = await visitor('de', dev.url)
    await showsMail(page, dev.url, 'Grüße & Küsse')
    await leave()
    await dev.stop()
  })

  async function showsMail(page: Page, url: string, subject: string): Promise<void> {
    await expect
      .poll(async () => (await gone(page, `${url}/_ingot/outbox`)).locator('body').innerText(), LONG)
      .toContain(subject)
    await page.getByRole('link', { name: subject }).first().click()
    expect(await page.frameLocator('iframe').locator('h1').innerText()).toBe(subject)
    await shot(page, 'outbox')
  }
})
