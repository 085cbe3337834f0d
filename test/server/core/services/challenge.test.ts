/** Spam protection against a provider that answers over HTTP. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundle } from '../../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../../compiler/compile.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import * as runtime from '../../../../runtime/index.ts'
import type { ChallengePort, Protection } from '../../../../runtime/page/services.ts'
import { createApp } from '../../../../server/web/app.ts'
import type { Handler } from '../../../../server/web/http/message.ts'
import { createSlots, SharedCapacity } from '../../../../server/web/http/shared-capacity.ts'
import { createChallenge } from '../../../../server/core/services/challenge.ts'
import type { Environment } from '../../../../server/core/settings.ts'
import { loadSite } from '../../../../server/web/site/load.ts'
import { bodyOf, folder, request } from '../../../support/server/site.ts'
import { type Provider, startProvider } from './provider.ts'

const KEYS = {
  RECAPTCHA_V2_SITE_KEY: 'site-2',
  RECAPTCHA_V2_SECRET_KEY: 'secret-2',
  RECAPTCHA_V3_SITE_KEY: 'site-3',
  RECAPTCHA_V3_SECRET_KEY: 'secret-3',
  HCAPTCHA_SITE_KEY: 'site-h',
  HCAPTCHA_SECRET_KEY: 'secret-h',
}
const V2: Protection = { provider: 'recaptcha_v2', action: null, minimumScore: 0.5 }
const V3: Protection = { provider: 'recaptcha_v3', action: 'sign/up', minimumScore: 0.5 }
const H: Protection = { provider: 'hcaptcha', action: null, minimumScore: 0.5 }

let provider: Provider
let log: string[] = []
let now = 1_000_000

interface Made {
  readonly environment?: Environment
  readonly constants?: Readonly<Record<string, string>>
  readonly url?: string | null
  readonly timeout?: number
}

function made({
  environment = 'production',
  constants = KEYS,
  url = provider.url,
  timeout = 2_000,
}: Made = {}): ChallengePort {
  const logger = pino(
    { level: 'warn' },
    { write: (line) => void log.push(String((JSON.parse(line) as { msg: string }).msg)) },
  )
  return createChallenge({
    environment,
    constants: () => constants,
    urls: { recaptcha: url, hcaptcha: url },
    logger,
    clock: { now: () => now, timeZone: 'Etc/UTC' },
    begin: createSlots(new SharedCapacity(100)),
    timeout,
  })
}

/** Sets the provider's response to this JSON. */
function description(body: object): void {
  provider.answer((response) => response.end(JSON.stringify(body)))
}

let count = 0
const token = (): string => `token-${++count}`

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  log = []
  provider.asked.length = 0
  description({ success: true })
})

describe('the widget', () => {
  it.each(['recaptcha_v2', 'captcha_v2'])('%s is a box with the site key', (strategy) => {
    const html = made({ url: null }).html(strategy, null)
    expect(html).toContain('<script src="https://www.google.com/recaptcha/api.js" async defer></script>')
    expect(html).toContain('<div class="g-recaptcha" data-sitekey="site-2"></div>')
  })

  it.each(['recaptcha_v3', 'captcha_v3'])('%s is a hidden input named by its action, and what fills it', (strategy) => {
    const html = made({ url: null }).html(strategy, 'sign/up')
    expect(html).toContain('<input type="hidden" name="g-recaptcha-response-data-sign/up" data-action="sign/up"')
    expect(html).toContain('data-script="https://www.google.com/recaptcha/api.js?render=site-3"')
    expect(html).toContain('grecaptcha.execute')
  })

  it.each(['hcaptcha', 'captcha_alt'])('%s is that of hCaptcha', (strategy) => {
    const html = made({ url: null }).html(strategy, null)
    expect(html).toContain('<script src="https://js.hcaptcha.com/1/api.js" async defer></script>')
    expect(html).toContain('<div class="h-captcha" data-sitekey="site-h"></div>')
  })

  it('takes the script from where the provider is reached', () => {
    expect(made({ url: 'https://mirror.example/r' }).html('captcha_v2', null)).toContain(
      '"https://mirror.example/r/api.js"',
    )
    expect(made({ url: 'https://mirror.example' }).html('hcaptcha', null)).toContain(
      '"https://mirror.example/1/api.js"',
    )
  })

  it('never shows a secret, and escapes what a constant holds', () => {
    const constants = { ...KEYS, HCAPTCHA_SITE_KEY: '"><script>alert(1)</script>' }
    const port = made({ constants })
    const html = port.html('hcaptcha', null) + port.html('captcha_v2', null) + port.html('captcha_v3', 'a')
    expect(html).not.toContain('secret-')
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('data-sitekey="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  })

  it.each([
    ['turnstile', null, "unknown strategy 'turnstile'"],
    ['__proto__', null, "unknown strategy '__proto__'"],
    ['captcha_v3', null, 'captcha_v3 needs an action'],
    ['captcha_v3', '', 'letters, digits and slashes'],
    ['captcha_v3', 'a"onload=', 'letters, digits and slashes'],
    ['captcha_v2', '<b>', 'letters, digits and slashes'],
  ])('refuses %s with the action %s', (strategy, action, message) => {
    expect(() => made().html(strategy, action)).toThrow(message)
  })

  it('says in development that keys are missing, and prints nothing elsewhere', () => {
    const bare = { constants: { HCAPTCHA_SITE_KEY: 'site-h', HCAPTCHA_SECRET_KEY: ' ' } }
    expect(made({ ...bare, environment: 'development' }).html('hcaptcha', null)).toBe(
      '<p class="spam-protection-note">hcaptcha has no keys: set the constants HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY. In development, forms are accepted without them.</p>',
    )
    const port = made(bare)
    expect(port.html('hcaptcha', null) + port.html('hcaptcha', null)).toBe('')
    expect(log).toEqual([
      'hcaptcha has no keys: set the constants HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY. Until then, the forms that it protects cannot be sent.',
    ])
  })
})

describe('the question to the provider', () => {
  it.each([
    [V2, 'g-recaptcha-response', '/api/siteverify', 'secret-2'],
    [V3, 'g-recaptcha-response-data-sign/up', '/api/siteverify', 'secret-3'],
    [H, 'h-captcha-response', '/siteverify', 'secret-h'],
  ] as const)('sends secret, token and address: $provider', async (protection, field, path, secret) => {
    description({ success: true, score: 0.9, action: 'sign/up' })
    const response = token()
    expect(await made().verify(protection, { [field]: response }, '203.0.113.7')).toBe(true)
    expect(provider.asked).toMatchObject([{ path, form: { secret, response, remoteip: '203.0.113.7' } }])
    expect(log).toEqual([])
  })

  it('is not put without a token that can be one', async () => {
    const port = made()
    const field = 'h-captcha-response'
    const wrong: unknown[] = [undefined, null, '', 5, true, ['a'], { a: 'b' }, 'x'.repeat(32_769)]
    for (const value of wrong) expect(await port.verify(H, { [field]: value }, '::1')).toBe(false)
    expect(await port.verify(H, {}, '::1')).toBe(false)
    expect(await port.verify(H, Object.create({ [field]: token() }) as Record<string, unknown>, '::1')).toBe(false)
    // The field of another provider does not count.
    expect(await port.verify(H, { 'g-recaptcha-response': token() }, '::1')).toBe(false)
    expect(provider.asked).toEqual([])
  })

  it('is put once for a token, also when it comes twice at once', async () => {
    provider.answer((response) => setTimeout(() => response.end('{"success":true}'), 50))
    const port = made()
    const params = { 'h-captcha-response': token() }
    const both = await Promise.all([port.verify(H, params, '::1'), port.verify(H, params, '::1')])
    expect(both.toSorted()).toEqual([false, true])
    expect(await port.verify(H, params, '::1')).toBe(false)
    expect(provider.asked.length).toBe(1)
    // The check is repeated long after the provider has discarded the token.
    now += 601_000
    expect(await port.verify(H, params, '::1')).toBe(true)
  })

  it('believes a refusal, and names keys that are wrong', async () => {
    description({ success: false, 'error-codes': ['timeout-or-duplicate'] })
    expect(await made().verify(V2, { 'g-recaptcha-response': token() }, '::1')).toBe(false)
    expect(log).toEqual([])
    description({ success: false, 'error-codes': ['invalid-input-secret'] })
    expect(await made().verify(V2, { 'g-recaptcha-response': token() }, '::1')).toBe(false)
    expect(log).toEqual([
      'recaptcha_v2 does not accept the keys of the site (invalid-input-secret): correct the constant RECAPTCHA_V2_SECRET_KEY',
    ])
  })

  it.each([
    [{ score: 0.5, action: 'sign/up' }, true],
    [{ score: 0.9, action: 'sign/up' }, true],
    [{ score: 0.49, action: 'sign/up' }, false],
    [{ score: 0.9, action: 'login' }, false],
    [{ score: 0.9 }, false],
    [{ action: 'sign/up' }, false],
    [{ score: 5, action: 'sign/up' }, false],
    [{ score: '0.9', action: 'sign/up' }, false],
  ])('holds score and action against version 3: %j', async (more, passes) => {
    description({ success: true, ...more })
    expect(await made().verify(V3, { 'g-recaptcha-response-data-sign/up': token() }, '::1')).toBe(passes)
  })

  it('looks at no score of the others', async () => {
    description({ success: true, score: 0.1 })
    expect(await made().verify(H, { 'h-captcha-response': token() }, '::1')).toBe(true)
  })
})

describe('a provider that fails', () => {
  const params = () => ({ 'h-captcha-response': token() })
  const sentence = 'hcaptcha could not verify a form, so the form was refused: '

  it.each<[string, (url: string) => Parameters<Provider['answer']>[0], string]>([
    ['an error', () => (response) => response.writeHead(500).end('{"success":true}'), 'it responded with status 500'],
    ['no JSON', () => (response) => response.end('<html>'), 'the response has an unknown format'],
    ['another JSON', () => (response) => response.end('{"success":"true"}'), 'the response has an unknown format'],
    ['an empty answer', () => (response) => response.end(), 'the response has an unknown format'],
    ['an endless answer', () => (response) => void response.end(' '.repeat(200_000)), 'the response is too large'],
    ['silence', () => () => undefined, 'no answer within 0.3 s'],
    ['half an answer', () => (response) => void response.write('{"succ'), 'no answer within 0.3 s'],
    ['a closed connection', () => (response) => void response.destroy(), 'other side closed'],
    [
      'a redirect, which would carry the secret along',
      (url) => (response) => response.writeHead(307, { location: `${url}/elsewhere` }).end(),
      'unexpected redirect',
    ],
  ])('refuses, and says why: %s', async (_, reply, reason) => {
    provider.answer(reply(provider.url))
    expect(await made({ timeout: 300 }).verify(H, params(), '::1')).toBe(false)
    expect(log).toEqual([sentence + reason])
    expect(provider.asked.length).toBe(1)
  })

  it('that is not there refuses, and the token counts when it is back', async () => {
    const gone = await startProvider()
    await gone.close()
    let url = gone.url
    const port = createChallenge({
      environment: 'production',
      constants: () => KEYS,
      urls: {
        recaptcha: null,
        get hcaptcha() {
          return url
        },
      },
      logger: pino({ level: 'silent' }),
      clock: { now: () => now, timeZone: 'Etc/UTC' },
      begin: () => () => undefined,
    })
    const sent = params()
    expect(await port.verify(H, sent, '::1')).toBe(false)
    url = provider.url
    expect(await port.verify(H, sent, '::1')).toBe(true)
    expect(await port.verify(H, sent, '::1')).toBe(false)
  })

  it('is asked no more at once than there are places, of which one visitor gets half', async () => {
    const open: (() => void)[] = []
    provider.answer((response) => void open.push(() => response.end('{"success":true}')))
    const port = made({ timeout: 10_000 })
    const ask = (length: number, ip: (n: number) => string): Promise<boolean>[] =>
      Array.from({ length }, (_, n) => port.verify(H, params(), ip(n)))
    const one = ask(60, () => '198.51.100.1')
    const others = ask(70, (n) => `203.0.${n}.1`)
    await expect.poll(() => open.length).toBe(100)
    const over = (await Promise.all([...one.slice(50), ...others.slice(50)])).filter((passed) => passed)
    expect(over).toEqual([])
    for (const finish of open) finish()
    expect((await Promise.all([...one.slice(0, 50), ...others.slice(0, 50)])).every((passed) => passed)).toBe(true)
    expect(provider.asked.length).toBe(100)
  })
})

describe('without keys', () => {
  const bare = { constants: { HCAPTCHA_SITE_KEY: 'site-h' } }
  const sentence = 'hcaptcha has no keys: set the constants HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY.'

  it.each(['production', 'staging'] as const)('nothing passes in %s', async (environment) => {
    expect(await made({ ...bare, environment }).verify(H, { 'h-captcha-response': token() }, '::1')).toBe(false)
    expect(log).toEqual([`${sentence} A form with this protection was refused.`])
    expect(provider.asked).toEqual([])
  })

  it('development lets pass, and says so', async () => {
    expect(await made({ ...bare, environment: 'development' }).verify(H, {}, '::1')).toBe(true)
    expect(log).toEqual([`${sentence} In development, forms are accepted without them.`])
  })

  it('keys of the prototype are none', async () => {
    const constants = Object.create(KEYS) as Record<string, string>
    expect(await made({ constants }).verify(H, { 'h-captcha-response': token() }, '::1')).toBe(false)
    expect(provider.asked).toEqual([])
  })
})

describe('in a site', () => {
  const pages = {
    'app/views/pages/sign_up.liquid': `{% spam_protection 'captcha_v3', action: 'sign/up' %}|{{ context.hcaptcha_site_key }}`,
    'app/views/pages/check.liquid': `---\nmethod: post\n---\n{{ context.params | hcaptcha }}`,
    'app/views/pages/wrong.liquid': `{% try %}{% spam_protection context.params.kind %}{% catch e %}{{ e.message }}{% endtry %}`,
  }
  let home: string
  let handler: Handler

  beforeAll(async () => {
    home = folder(pages)
    const { files } = await discover(home)
    const { modules, operations, diagnostics } = compile(files, {
      dialect: 'platform',
      syntax: 'lax',
      keepGoing: false,
      openEntries: false,
    })
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
    await bundle({ modules, files, operations, out: join(home, '.ingot') })
    const loaded = await loadSite({ root: home, folder: join(home, '.ingot') }, runtime)
    handler = createApp(loaded, {
      environment: 'production',
      version: '0.1.0',
      constants: () => KEYS,
      challenges: { recaptcha: null, hcaptcha: provider.url },
      logger: pino({ level: 'silent' }),
    }).handler
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it('stands in the page', async () => {
    const page = bodyOf(await handler(request('/sign_up')))
    expect(page).toContain('name="g-recaptcha-response-data-sign/up"')
    expect(page).toContain('|site-h')
  })

  it('is asked about by the filter hcaptcha', async () => {
    const send = async (body: string): Promise<string> => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const more = { method: 'POST', headers, body: Buffer.from(body), ip: '203.0.113.9' }
      return bodyOf(await handler(request('/check', more)))
    }
    expect(await send('h-captcha-response=right')).toBe('true')
    expect(provider.asked).toMatchObject([
      { path: '/siteverify', form: { response: 'right', remoteip: '203.0.113.9' } },
    ])
    expect(await send('h-captcha-response=right')).toBe('false')
    expect(await send('h-captcha-response[]=right')).toBe('false')
    expect(await send('')).toBe('false')
    description({ success: false })
    expect(await send('h-captcha-response=wrong')).toBe('false')
  })

  it('refuses a kind that a visitor makes up', async () => {
    expect(bodyOf(await handler(request('/wrong?kind=__proto__')))).toContain('unknown strategy')
  })
})
