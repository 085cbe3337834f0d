/**
 * Tests accounts of the demo site in a browser without scripts, in two languages: sign up, log in, sell with a photo, and log out.
 * Each form is also sent with mistakes. `INGOT_SCREENSHOTS=<folder>` saves screenshots.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, product, type Server } from '../support/product.ts'
import { smtp } from '../server/web/notifications/ground.ts'
import { builtSite, photo, tooLarge, wordsOf } from './hobnail.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type Visitor, Visitors, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

describe.skipIf(program === null)(`accounts in a browser${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let visitors: Visitors
  let server: Server
  let post: Awaited<ReturnType<typeof smtp>>

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
    visitors = new Visitors(browser)
    const site = builtSite(ingot)
    expect(await ingot.run(['data', 'seed', site])).toMatchObject({ code: 0 })
    post = await smtp()
    server = await ingot.serve(['serve', site], {
      env: { INGOT_DATA: ingot.folder(), INGOT_SMTP_URL: post.url, INGOT_JOB_THREADS: '2' },
    })
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
    await post?.close()
  })

  /** Opens a session for a separate visitor, whose browser runs no scripts. */
  const visitor = (language: string): Promise<Visitor> => visitors.come(`${server.url}/?language=${language}`)

  /** Returns the message for a field, from the element that the field refers to. */
  async function wrong(page: Page, field: Locator): Promise<string> {
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const ids = (await field.getAttribute('aria-describedby')) ?? ''
    const own = ids.split(' ').filter((id) => id.endsWith('-wrong'))
    expect(own).toHaveLength(1)
    return (await page.locator(`[id="${own[0]}"]`).innerText()).trim()
  }

  describe.each(['en', 'de'])('in %s', (language) => {
    const word = wordsOf(language)
    const email = `ada.${language}@mail.example`
    const password = 'Zange & Zwirn 7'
    let context: BrowserContext
    let page: Page
    /** The path of the created listing. */
    let listing: string

    beforeAll(async () => {
      ;({ context, page } = await visitor(language))
    })

    afterAll(() => context?.close())

    const label = (key: string): Locator => page.getByLabel(word(key), { exact: false })
    const press = (key: string): Promise<void> => page.getByRole('button', { name: word(key), exact: true }).click()
    const path = (): string => new URL(page.url()).pathname
    const main = async (): Promise<string> => (await page.locator('main').innerText()).replaceAll('\u00a0', ' ')
    const says = (role: 'status' | 'alert'): Promise<string> => page.locator(`.flash[role=${role}]`).first().innerText()
    async function shot(name: string): Promise<void> {
      const folder = process.env['INGOT_SCREENSHOTS']
      if (folder === undefined) return
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${language}-${name}.png`), fullPage: true })
    }

    test('a page for those who are logged in leads to the log-in', async () => {
      const reply = await page.goto(`${server.url}/account/listings?language=${language}`)
      expect(reply?.status()).toBe(200)
      expect(path()).toBe('/log-in')
      expect(new URL(page.url()).searchParams.get('return_to')).toMatch(/^\/account\/listings/)
      expect(await page.locator('.flash[role=alert]').count()).toBe(0)
      expect(await says('status')).toBe(word('account.log_in_first'))
      await shot('log-in-first')
    })

    test('sign up: mistakes are told beside their fields, and what was typed stays', async () => {
      await page
        .locator('main')
        .getByRole('link', { name: word('account.sign_up') })
        .click()
      expect(path()).toBe('/sign-up')
      await label('forms.first_name').fill('Ada "<b>" & Co')
      await label('forms.last_name').fill('Löwenherz')
      await label('forms.email').fill('no address')
      await page.getByLabel(word('forms.password'), { exact: true }).fill(password)
      await label('forms.password_confirmation').fill('another')
      await label('forms.newsletter').check()
      await press('account.sign_up')
      await shot('sign-up-wrong')
      expect(path()).toBe('/sign-up')
      expect(new URL(page.url()).searchParams.get('return_to')).toMatch(/^\/account\/listings/)
      expect(await says('alert')).toContain(word('forms.not_saved'))
      expect(await wrong(page, label('forms.email'))).toBe(word('errors.messages.invalid'))
      expect(await wrong(page, label('forms.password_confirmation'))).toBe(word('errors.messages.confirmation'))
      expect(await wrong(page, label('forms.rules'))).toBe(word('forms.errors.rules'))
      expect(await label('forms.first_name').inputValue()).toBe('Ada "<b>" & Co')
      expect(await label('forms.last_name').inputValue()).toBe('Löwenherz')
      expect(await label('forms.email').inputValue()).toBe('no address')
      expect(await label('forms.newsletter').isChecked()).toBe(true)
      expect(await page.content()).not.toContain(password.replace('&', '&amp;'))
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      expect(await context.cookies()).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: '_pos_session', httpOnly: true, sameSite: 'Lax' })]),
      )
    })

    test('sign up, then where the visitor wanted to go', async () => {
      const before = (await context.cookies()).find(({ name }) => name === '_pos_session')?.value
      await label('forms.first_name').fill('Ada')
      await label('forms.email').fill(email)
      await page.getByLabel(word('forms.password'), { exact: true }).fill(password)
      await label('forms.password_confirmation').fill(password)
      await label('forms.rules').check()
      await press('account.sign_up')
      expect(path()).toBe('/account/listings')
      expect(await says('status')).toBe(word('account.welcome').replace('%{name}', 'Ada'))
      expect(await page.locator('.site-account').innerText()).toContain('Ada')
      const after = (await context.cookies()).find(({ name }) => name === '_pos_session')?.value
      expect(after).not.toBe(before)
      await shot('no-listings')
      await page.reload()
      expect(await page.locator('.flash').count()).toBe(0)
    })

    test('log out, a wrong password, and in again', async () => {
      await press('account.log_out')
      expect(path()).toBe('/')
      expect(await says('status')).toBe(word('account.logged_out'))
      await page
        .locator('.site-account')
        .getByRole('link', { name: word('account.log_in') })
        .click()
      await press('account.log_in')
      expect(await says('alert')).toBe(word('account.fill_in'))
      for (const key of ['forms.email', 'forms.password'])
        expect(await wrong(page, label(key))).toBe(word('errors.messages.blank'))
      await label('forms.email').fill(email)
      await label('forms.password').fill('wrong wrong')
      await press('account.log_in')
      expect(await says('alert')).toBe(word('account.not_logged_in'))
      expect(await wrong(page, label('forms.password'))).toBe(word('errors.messages.invalid'))
      expect(await label('forms.email').inputValue()).toBe(email)
      expect(await label('forms.password').inputValue()).toBe('')
      await shot('wrong-password')
      // A reload does not send the form again, and the message is shown only once.
      expect(path()).toBe('/log-in')
      await page.reload()
      expect(path()).toBe('/log-in')
      expect(await page.locator('.flash[role=alert]').count()).toBe(0)
      expect(await label('forms.email').inputValue()).toBe('')
      await page.goto(`${server.url}/account`)
      expect(path()).toBe('/log-in')
      await label('forms.email').fill(email.toUpperCase())
      await label('forms.password').fill(password)
      await press('account.log_in')
      expect(path()).toBe('/account')
      expect(await says('status')).toBe(word('account.logged_in'))
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
    })

    test('an address that is taken is refused, whatever its capitals', async () => {
      const other = await visitor(language)
      await other.page.goto(`${server.url}/sign-up?language=${language}`)
      await other.page.getByLabel(word('forms.first_name')).fill('Eve')
      await other.page.getByLabel(word('forms.email')).fill(email.toUpperCase())
      await other.page.getByLabel(word('forms.password'), { exact: true }).fill(password)
      await other.page.getByLabel(word('forms.password_confirmation')).fill(password)
      await other.page.getByLabel(word('forms.rules')).check()
      await other.page.getByRole('button', { name: word('account.sign_up'), exact: true }).click()
      expect(await wrong(other.page, other.page.getByLabel(word('forms.email')))).toBe(word('errors.messages.taken'))
      await other.leave()
    })

    test('the profile: what others see', async () => {
      await page.goto(`${server.url}/account`)
      await label('forms.name').fill('Ada L.')
      await label('forms.town').fill('Görlitz')
      await label('forms.about').fill('I bind books.\nSlowly.')
      await label('forms.days_to_ship').fill('ninety')
      await press('forms.save')
      expect(await wrong(page, label('forms.days_to_ship'))).toBe(word('errors.messages.not_a_number'))
      expect(await label('forms.days_to_ship').inputValue()).toBe('ninety')
      expect(await label('forms.town').inputValue()).toBe('Görlitz')
      await shot('profile-wrong')
      await label('forms.days_to_ship').fill('4')
      await press('forms.save')
      expect(path()).toBe('/account')
      expect(await says('status')).toBe(word('account.saved'))
      expect(await label('forms.name').inputValue()).toBe('Ada L.')
      expect(await label('forms.about').inputValue()).toBe('I bind books.\nSlowly.')
      expect(await label('forms.days_to_ship').inputValue()).toBe('4')
      await shot('profile')
    })

    test('a new listing: mistakes keep what was typed', async () => {
      await page
        .locator('.tabs')
        .getByRole('link', { name: word('account.tabs.new') })
        .click()
      expect(path()).toBe('/listings/new')
      await label('forms.title').first().fill('Notebook "Fern" <1>')
      await label('forms.story').first().fill('One\n\nTwo & three')
      await label('forms.price').fill('cheap')
      await label('forms.stock').fill('-2')
      await page.getByLabel(word('tags.gift')).check()
      await label('forms.photo').setInputFiles({
        name: 'fern.html',
        mimeType: 'text/html',
        buffer: Buffer.from('<script>alert(1)</script>'),
      })
      await press('account.publish')
      await shot('listing-wrong')
      expect(await says('alert')).toContain(word('forms.not_saved'))
      expect(await wrong(page, label('forms.summary').first())).toBe(word('errors.messages.blank'))
      expect(await wrong(page, label('forms.price'))).toBe(word('forms.errors.price'))
      expect(await wrong(page, label('forms.shelf'))).toBe(word('forms.errors.shelf'))
      expect(await wrong(page, label('forms.stock'))).toBe(
        word('errors.messages.greater_than_or_equal_to').replace('%{count}', '0'),
      )
      expect(await wrong(page, label('forms.photo'))).toBe(word('forms.errors.photo'))
      expect(await label('forms.title').first().inputValue()).toBe('Notebook "Fern" <1>')
      expect(await label('forms.story').first().inputValue()).toBe('One\n\nTwo & three')
      expect(await label('forms.price').inputValue()).toBe('cheap')
      expect(await label('forms.stock').inputValue()).toBe('-2')
      expect(await page.getByLabel(word('tags.gift')).isChecked()).toBe(true)
      expect(await page.getByLabel(word('tags.home')).isChecked()).toBe(false)
    })

    test('a page that calls itself a photo is refused, and the rest of the form stays', async () => {
      await label('forms.summary').first().fill('Sewn by hand, with a fern in its cover.')
      await label('forms.price').fill('34,50')
      await label('forms.stock').fill('3')
      await label('forms.shelf').selectOption({ index: 3 })
      await label('forms.photo').setInputFiles({
        name: 'fern.png',
        mimeType: 'image/png',
        buffer: Buffer.from('<!doctype html><script>alert(1)</script>'),
      })
      await press('account.publish')
      expect(await wrong(page, label('forms.photo'))).toBe(word('forms.errors.photo'))
      expect(await page.locator('.form-wrong').count()).toBe(1)
      expect(await label('forms.price').inputValue()).toBe('34,50')
    })

    test('a new listing with a photo', async () => {
      await label('forms.photo').setInputFiles({
        name: '../../fern ü.jpg',
        mimeType: 'image/jpeg',
        buffer: await photo('#4c6b52'),
      })
      await press('account.publish')
      expect(path()).toMatch(/^\/listings\/\d+-notebook-fern/)
      listing = path()
      await shot('listing')
      expect(await says('status')).toBe(word('account.listing_saved'))
      expect(await page.locator('h1').innerText()).toBe('Notebook "Fern" <1>')
      const text = await main()
      expect(text).toContain(language === 'de' ? '34,50 €' : '€34.50')
      expect(text).toContain('One\n\nTwo & three')
      for (const part of ['Ada L.', 'Görlitz', 'I bind books.']) expect(text).toContain(part)
      await expectPicture(page.locator('.listing-picture img'))
      expect(JSON.parse(await page.locator('script[type="application/ld+json"]').innerText())).toMatchObject({
        name: 'Notebook "Fern" <1>',
        brand: { name: 'Ada L.' },
      })
    })

    /** Checks that a picture is served in an image format, at a useful size, and without the place where it was taken. */
    async function expectPicture(picture: Locator): Promise<void> {
      const address = new URL((await picture.getAttribute('src')) ?? '', page.url()).href
      const reply = await page.request.get(address)
      expect(reply.status()).toBe(200)
      expect(reply.headers()['x-content-type-options']).toBe('nosniff')
      const { format, width, exif } = await sharp(await reply.body()).metadata()
      expect(format).toMatch(/^(?:webp|jpeg)$/)
      expect(width).toBeGreaterThan(100)
      expect(exif).toBeUndefined()
    }

    // Runs in one language only, because the test also opens the page in the other language.
    if (language === 'en') {
      test('it stands with its photo in the lists, in the other language too', async () => {
        // The photo is shown to others only after a job has checked it.
        const waiting = async (): Promise<number> => {
          await page.goto(server.url + listing)
          return page.locator('.photo-state').count()
        }
        await expect.poll(waiting, LONG).toBe(0)
        await expectPicture(page.locator('.listing-picture img'))
        for (const list of ['/account/listings', '/listings', '/']) {
          await page.goto(server.url + list)
          const card = page.locator('article.card, li.own-listing', { hasText: 'Notebook "Fern" <1>' })
          await expectPicture(card.first().locator('img'))
          if (list === '/account/listings') await shot('own-listings')
        }
        const other = await visitor('de')
        await other.page.goto(`${server.url}${listing}?language=de`)
        expect(await other.page.locator('h1').innerText()).toBe('Notebook "Fern" <1>')
        expect(await other.page.locator('main').innerText()).toContain('Ada L.')
        await other.leave()
      })
    }

    test('edit: the photo stays, texts change in both languages, a price that is wrong is told', async () => {
      await page.goto(server.url + listing)
      await page
        .locator('main')
        .getByRole('link', { name: word('account.edit'), exact: true })
        .click()
      expect(path()).toBe(`/listings/${/\d+/.exec(listing)?.[0]}/edit`)
      expect(await label('forms.price').inputValue()).toBe(language === 'de' ? '34,50' : '34.50')
      expect(await label('forms.title').first().inputValue()).toBe('Notebook "Fern" <1>')
      expect(await page.getByLabel(word('tags.gift')).isChecked()).toBe(true)
      await label('forms.title').first().fill('Notebook Heath')
      await label('forms.price').fill('1.000.000')
      await press('forms.save')
      expect(await wrong(page, label('forms.price'))).toBe(word('forms.errors.price'))
      expect(await label('forms.price').inputValue()).toBe('1.000.000')
      expect(await label('forms.title').first().inputValue()).toBe('Notebook Heath')
      await label('forms.price').fill('40')
      await page.getByLabel(word('tags.gift')).uncheck()
      await page.getByLabel(word('tags.home')).check()
      await press('forms.save')
      expect(path()).toMatch(/^\/listings\/\d+-notebook-heath$/)
      listing = path()
      expect(await page.locator('h1').innerText()).toBe('Notebook Heath')
      expect(await main()).toContain(language === 'de' ? '40 €' : '€40')
      expect(await page.locator('.tags').innerText()).toBe(word('tags.home'))
      await expectPicture(page.locator('.listing-picture img'))
    })

    if (language === 'en') {
      test('both languages on their own, and the photo goes', async () => {
        const number = /\d+/.exec(listing)?.[0]
        await page.goto(`${server.url}/listings/${number}/edit`)
        await page.locator('summary', { hasText: word('forms.other_language') }).click()
        expect(await label('forms.title').nth(1).inputValue()).toBe('')
        await label('forms.title').nth(1).fill('Translated title')
        await label('forms.photo')
          .first()
          .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: await tooLarge() })
        await press('forms.save')
        await shot('photo-too-large')
        expect(await wrong(page, label('forms.photo').first())).toBe(word('forms.errors.photo'))
        expect(await label('forms.title').nth(1).inputValue()).toBe('Translated title')
        await label('forms.remove_photo').check()
        await press('forms.save')
        listing = path()
        expect(await page.locator('h1').innerText()).toBe('Notebook Heath')
        expect(await page.locator('.listing-picture img').count()).toBe(0)
        expect(await page.locator('.listing-picture svg').count()).toBe(1)
        const other = await visitor('de')
        await other.page.goto(`${server.url}/listings/${number}`)
        expect(await other.page.locator('h1').innerText()).toBe('Translated title')
        await other.leave()
      })
    }

    test('a question: too short, then asked, and nothing in it is markup', async () => {
      await page.goto(`${server.url}/listings/101-tide-mug`)
      await label('comments.body').fill('?')
      await press('comments.send')
      expect(await wrong(page, label('comments.body'))).toBe(
        word('errors.messages.too_short.other').replace('%{count}', '3'),
      )
      expect(await label('comments.body').inputValue()).toBe('?')
      await shot('question-wrong')
      const question = `Is it <b>dishwasher</b> safe? (${language})`
      await label('comments.body').fill(question)
      await press('comments.send')
      expect(path()).toBe('/listings/101-tide-mug')
      expect(await says('status')).toBe(word('comments.thanks'))
      const first = page.locator('.question').first()
      expect(await first.innerText()).toContain(question)
      expect(await first.innerText()).toContain('Ada L.')
      await shot('question')
    })

    // Runs in one language only, because permissions and deleted data do not depend on the language.
    if (language === 'en') {
      test("another visitor's hands stay off", async () => {
        const other = await visitor(language)
        await other.page.goto(`${server.url}/sign-up?language=${language}`)
        await other.page.getByLabel(word('forms.first_name')).fill('Eve')
        await other.page.getByLabel(word('forms.email')).fill(`eve.${language}@mail.example`)
        await other.page.getByLabel(word('forms.password'), { exact: true }).fill(password)
        await other.page.getByLabel(word('forms.password_confirmation')).fill(password)
        await other.page.getByLabel(word('forms.rules')).check()
        await other.page.getByRole('button', { name: word('account.sign_up'), exact: true }).click()
        expect(new URL(other.page.url()).pathname).toBe('/account')
        await other.page.goto(server.url + listing)
        expect(await other.page.getByRole('link', { name: word('account.edit'), exact: true }).count()).toBe(0)
        const number = /\d+/.exec(listing)?.[0]
        expect((await other.page.goto(`${server.url}/listings/${number}/edit`))?.status()).toBe(404)
        await other.page.goto(`${server.url}/listings/new`)
        const token = await other.page.locator('main input[name=authenticity_token]').first().inputValue()
        for (const [name, method] of [
          ['listings/edit', 'put'],
          ['listings/remove', 'delete'],
        ]) {
          const reply = await other.page.request.post(`${server.url}/api/customizations/${number}`, {
            form: {
              authenticity_token: token,
              _method: method ?? '',
              form_name: name ?? '',
              'form[properties_attributes][title_en]': 'Mine now',
            },
            maxRedirects: 0,
          })
          expect(reply.status(), name).toBe(404)
        }
        await page.goto(server.url + listing)
        expect(await page.locator('h1').innerText()).toBe('Notebook Heath')
        await other.leave()
      })

      test('without the token of the form nobody is logged in', async () => {
        const number = /\d+/.exec(listing)?.[0]
        const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
        const reply = await fetch(`${server.url}/api/customizations/${number}`, {
          method: 'POST',
          headers: { cookie },
          body: new URLSearchParams({
            _method: 'delete',
            form_name: 'listings/remove',
            page_slug: `listings/${number}/edit`,
          }),
          redirect: 'manual',
        })
        expect(reply.status).toBe(302)
        const target = new URL(reply.headers.get('location') ?? '', server.url)
        expect(target.pathname).toBe('/log-in')
        expect(target.searchParams.get('return_to') ?? '').not.toContain('/api/')
        expect((await page.goto(server.url + listing))?.status()).toBe(200)
        // The sender of such a request is still logged in.
        await page.goto(`${server.url}/account?language=${language}`)
        expect(path()).toBe('/account')
      })

      test('delete', async () => {
        await page.goto(`${server.url}/listings/${/\d+/.exec(listing)?.[0]}/edit`)
        await page.locator('summary', { hasText: word('account.remove') }).click()
        await shot('edit')
        await press('account.remove_sure')
        expect(path()).toBe('/account/listings')
        expect(await says('status')).toBe(word('account.listing_removed'))
        expect(await main()).not.toContain('Notebook Heath')
        expect((await page.goto(server.url + listing))?.status()).toBe(404)
      })
    }

    test('room on a phone', async () => {
      await page.setViewportSize({ width: 360, height: 740 })
      for (const [at, address] of ['/listings/new', '/account', '/listings/101-tide-mug'].entries()) {
        await page.goto(server.url + address)
        expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBeLessThanOrEqual(360)
        await shot(`phone-${at}`)
      }
      await page.setViewportSize({ width: 1280, height: 720 })
    })

    test('log out', async () => {
      await press('account.log_out')
      expect(await page.locator('.site-account').innerText()).not.toContain('Ada')
      await page.goto(`${server.url}/account`)
      expect(path()).toBe('/log-in')
    })
  })

  test('the server had nothing to complain of', () => {
    const lines = server.output().split('\n')
    expect(lines.filter((line) => /"level":[56]0|\berror\b/i.test(line))).toEqual([])
  })
})
