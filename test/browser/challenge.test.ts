/** Tests spam challenges in a browser: the widgets fill in their forms, and the server verifies the submitted values. */
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Render } from '../../runtime/page/render.ts'
import type { Protection } from '../../runtime/page/services.ts'
import { createApp } from '../../server/web/app.ts'
import { listen } from '../../server/web/http/listen.ts'
import type { Listening } from '../../server/web/http/listening.ts'
import { createLoadedSite } from '../../server/web/site/load.ts'
import { page, site } from '../support/server/site.ts'
import { type Provider, startProvider } from '../server/core/services/provider.ts'
import { browserProgram } from './program.ts'
import { launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

const KEYS = {
  RECAPTCHA_V2_SITE_KEY: 'site-2',
  RECAPTCHA_V2_SECRET_KEY: 'secret-2',
  RECAPTCHA_V3_SITE_KEY: 'site-3',
  RECAPTCHA_V3_SECRET_KEY: 'secret-3',
  HCAPTCHA_SITE_KEY: 'site-h',
  HCAPTCHA_SECRET_KEY: 'secret-h',
}

/** Replacements for the scripts of the providers. They affect a form in the same way. */
const SCRIPTS = {
  '/api.js': `for (const box of document.querySelectorAll('.g-recaptcha'))
    box.innerHTML = '<textarea name="g-recaptcha-response">ticked ' + box.dataset.sitekey + '</textarea>'`,
  '/api.js?render=site-3': `let count = 0
    window.grecaptcha = {
      ready: (done) => setTimeout(done, 20),
      execute: async (key, { action }) => 'scored ' + key + ' ' + action + ' ' + ++count,
    }`,
  '/1/api.js': `for (const box of document.querySelectorAll('.h-captcha'))
    box.innerHTML = '<textarea name="h-captcha-response">solved ' + box.dataset.sitekey + '</textarea>'`,
}

const form = (r: Render, strategy: string, action: string | null): string =>
  `<form method="post" action="/send/${strategy}">${r.port('challenge', 'spam_protection').html(strategy, action)}<button>Send</button></form>`

const PROTECTIONS: Readonly<Record<string, Protection>> = {
  captcha_v2: { provider: 'recaptcha_v2', action: null, minimumScore: 0.5 },
  captcha_v3: { provider: 'recaptcha_v3', action: 'sign/up', minimumScore: 0.5 },
  captcha_alt: { provider: 'hcaptcha', action: null, minimumScore: 0.5 },
}

const PAGES = [
  page('one/:kind', {
    render: (r) => {
      const { kind } = r.context['params'] as { kind: string }
      return form(r, kind, kind === 'captcha_v3' ? 'sign/up' : null)
    },
  }),
  page('two', { render: (r) => form(r, 'captcha_v3', 'sign/up') + form(r, 'captcha_v3', 'ask') }),
  page('send/:kind', {
    method: 'post',
    render: async (r) => {
      const params = r.context['params'] as Record<string, unknown>
      const protection = PROTECTIONS[String(params['kind'])]!
      return `passed: ${await r.services.challenge?.verify(protection, params, '::1')}`
    },
  }),
]

describe.skipIf(program === null)(`spam protection${reason}`, () => {
  let provider: Provider
  let listening: Listening
  let browser: SuiteBrowser
  let url: string

  beforeAll(async () => {
    provider = await startProvider()
    provider.answer((response, { path }) => {
      const script = Object.hasOwn(SCRIPTS, path) ? SCRIPTS[path as keyof typeof SCRIPTS] : null
      if (script !== null) response.setHeader('content-type', 'text/javascript').end(script)
      else response.end(JSON.stringify({ success: true, score: 0.9, action: 'sign/up' }))
    })
    const logger = pino({ level: 'silent' })
    const app = createApp(createLoadedSite(site(PAGES), '/nowhere', '/nowhere/.ingot', false), {
      environment: 'production',
      version: '0.1.0',
      constants: () => KEYS,
      challenges: { recaptcha: provider.url, hcaptcha: provider.url },
      logger,
    })
    listening = await listen(app.handler, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 65_536, log: logger })
    url = `http://127.0.0.1:${listening.port}`
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await listening?.stop(200, 0)
    await provider?.close()
  })

  test.each([
    ['captcha_v2', 'g-recaptcha-response', 'ticked site-2'],
    ['captcha_v3', 'g-recaptcha-response-data-sign/up', 'scored site-3 sign/up 1'],
    ['captcha_alt', 'h-captcha-response', 'solved site-h'],
  ])('%s fills its form, and passes', async (kind, name, token) => {
    provider.asked.length = 0
    const tab = await browser.newPage()
    const troubles: string[] = []
    tab.on('pageerror', (error) => troubles.push(error.message))
    await tab.goto(`${url}/one/${kind}`)
    await expect.poll(() => tab.locator(`[name="${name}"]`).inputValue()).toBe(token)
    await tab.getByRole('button', { name: 'Send' }).click()
    expect(await tab.textContent('body')).toContain('passed: true')
    expect(provider.asked.at(-1)?.form).toMatchObject({ response: token })
    expect(troubles).toEqual([])
    await tab.close()
  })

  test('two forms load the script once, and each has its own token', async () => {
    provider.asked.length = 0
    const tab = await browser.newPage()
    await tab.goto(`${url}/two`)
    const inputs = tab.locator('input')
    const values = async () => Promise.all((await inputs.all()).map((input) => input.inputValue()))
    await expect.poll(async () => (await values()).every((value) => value !== '')).toBe(true)
    expect((await values()).map((value) => value.replace(/ \d$/, '')).toSorted()).toEqual([
      'scored site-3 ask',
      'scored site-3 sign/up',
    ])
    expect(provider.asked.map(({ path }) => path)).toEqual(['/api.js?render=site-3'])
    await tab.close()
  })
})
