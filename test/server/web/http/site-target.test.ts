/** Redirect targets of templates: the author may choose any host, the visitor may not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteTarget } from '../../../../server/web/http/site-target.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { inputsOf, type ServedForms, serveForms } from '../rest/support.ts'

const FROM = { protocol: 'http', host: 'site.test:3000', url: '/go', referer: '', hosts: ['*.site.test'], sent: [] }

describe('a target, whoever wrote it,', () => {
  test.each([
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '\\/evil.test',
    '\t//evil.test',
    '\n//evil.test',
    '\x01//evil.test',
    '/\t/evil.test',
    '/\r\n/evil.test',
    '/a\0b',
    'https:evil.test',
    'https:/evil.test',
    'https:///evil.test',
    'https:\\\\evil.test',
    'https://site.test:3000@evil.test/',
    'https://pay.test\\@evil.test/',
    'http://user:pw@site.test:3000/',
    'javascript:alert(1)',
    'JaVa\nScRiPt:alert(1)',
    ' \x01javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:http://site.test:3000/x',
    'file:///etc/passwd',
    'http://',
    'https://[',
    '',
    ' \t ',
  ])('%j is refused', (target) => expect(siteTarget(target, FROM)).toBe(null))

  test.each([
    ['/orders?to=//evil.test', '/orders?to=//evil.test'],
    ['%2f%2fevil.test', '/%2f%2fevil.test'],
    ['/%5cevil.test', '/%5cevil.test'],
    ['/a\\b', '/a/b'],
    ['https://site.test:3000\\@evil.test/', '/@evil.test/'],
    ['//site.test:3000/a?b#c', '/a?b#c'],
    ['https://site.test:3000/a', 'https://site.test:3000/a'],
    ['https://shop.site.test/a', 'https://shop.site.test/a'],
    [' https://pay.test/a ', 'https://pay.test/a'],
    ['mailto:ann@site.test', 'mailto:ann@site.test'],
    ['app://done?code=1', 'app://done?code=1'],
    ['?page=2', '?page=2'],
    ['evil.test', '/evil.test'],
  ])('%j leads to %j', (target, to) => expect(siteTarget(target, FROM)).toBe(to))
})

describe('a target on another host', () => {
  const asked = (target: string, ...sent: unknown[]): string | null => siteTarget(target, { ...FROM, sent })

  test.each<[string, unknown]>([
    ['https://evil.test/a', { to: 'https://evil.test/a' }],
    ['https://evil.test/a', { to: ' HTTPS://EVIL.TEST/A' }],
    ['https://evil.test/a', { to: 'evil.test' }],
    ['https://evil.test/a', { a: [{ b: { c: '//evil.test' } }] }],
    ['https://evil.test/a', { 'https://evil.test': 'x' }],
    ['https://evil.test/a', { to: 'https%3A%2F%2Fevil.test%2Fa' }],
    ['https://evil.test/a', { to: '%65%76%69%6c%2e%74%65%73%74' }],
    ['https://evil.test/a', { to: '%2565vil.test' }],
    ['https://evil.test/a', { to: Buffer.from('https://evil.test/a').toString('base64') }],
    ['https://evil.test/a', { to: 'https://evil。test/a' }],
    ['https://evil。test/a', { to: 'https://evil。test/a' }],
    ['https://evil.test/a', { to: 'e\u200bvil.test' }],
    ['https://ｅvil.test/', { to: 'https://ｅvil.test/' }],
    ['https://żółw.test/', { to: 'https://żółw.test/' }],
    ['https://xn--w-uga1v8h.test/', { to: 'https://żółw.test/' }],
    ['https://evil.test./', { to: 'evil.test' }],
    ['https://2130706433/', { to: '2130706433' }],
    ['https://0x7f.1/', { to: 'https://0x7f.1/' }],
    ['https://[::1]/', { to: 'http://[0:0:0:0:0:0:0:1]' }],
    ['https://pay.test.evil.test/', { to: '.evil.test/' }],
    ['https://payevil.test/', { to: 'evil.test' }],
    ['https://evil.test/.shop.test/', { shop: 'evil.test/' }],
    ['https://evil.test#.shop.test/', { shop: 'evil.test#' }],
    ['app://steal', { scheme: 'app:' }],
  ])('%j is refused when the visitor sent %j', (target, sent) => expect(asked(target, sent)).toBe(null))

  test.each<[string, unknown]>([
    ['https://pay.test/a', { email: 'ann@pay.test.example', note: 'repay.test', order: 7, none: null }],
    ['https://pay.test/?back=http%3A%2F%2Fsite.test', { back: 'http://site.test:3000/orders' }],
    ['https://mail.pay.test/', { email: 'ann@mail.test', to: 'the ay.test' }],
  ])('%j is followed when the visitor sent %j', (target, sent) => expect(asked(target, sent)).toBe(target))

  test('is refused where the visitor says to come from there', () => {
    const referer = 'https://evil.test/page'
    expect(siteTarget(referer, { ...FROM, referer })).toBe(null)
    expect(siteTarget('https://evil.test/other', { ...FROM, referer })).toBe('https://evil.test/other')
  })

  test('cannot be hidden below a thousand levels', () => {
    let deep: unknown = 'https://evil.test/a'
    for (let level = 0; level < 90; level++) deep = [deep]
    expect(asked('https://evil.test/a', deep)).toBe(null)
  })
})

const FILES = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: title\n    type: string\n',
  'app/views/pages/tag.liquid': '{% redirect_to context.params.to, status: 303 %}',
  'app/views/pages/json.liquid': '---\nmethod: post\n---\n{% redirect_to context.params.deep.to %}',
  'app/views/pages/setting.liquid': '---\nredirect_to: "{{ context.params.to }}"\n---\n',
  'app/views/pages/joined.liquid':
    "{% assign url = 'https://pay.test' | append: context.params.to %}{% redirect_to url %}",
  'app/views/pages/pay.liquid': "{% redirect_to 'https://pay.test/checkout?order=5' %}",
  'app/views/pages/header.liquid':
    '---\nresponse_headers: \'{ "Location": {{ context.params.to | json }} }\'\n---\n{% response_status 302 %}moved',
  'app/views/pages/header_tag.liquid':
    '{% assign all = {} %}{% hash_assign all["Refresh"] = "0; url=" | append: context.params.to %}{% response_headers all %}moved',
  'app/views/pages/remember.liquid': '{% session back = context.params.to %}kept',
  'app/views/pages/back.liquid': '{% redirect_to context.session.back %}',
  'app/views/pages/referer.liquid': '{% redirect_to context.headers.HTTP_REFERER %}',
  'app/views/pages/guarded.liquid': '---\nauthorization_policies: [away]\n---\nin',
  'app/views/pages/policy_tag.liquid': '---\nauthorization_policies: [tag]\n---\nin',
  'app/authorization_policies/away.liquid': '---\nname: away\nredirect_to: "{{ context.params.to }}"\n---\nfalse',
  'app/authorization_policies/tag.liquid': '---\nname: tag\n---\n{% redirect_to context.params.to %}false',
  'app/forms/note.liquid':
    '---\nname: note\nresource: note\nredirect_to: "{{ context.params.to }}"\nfields:\n  properties:\n    title:\n---\n{% form %}{% endform %}',
  'app/views/pages/note.liquid': "{% include_form 'note' %}",
}

describe('a visitor', () => {
  let database: TestDatabase
  let built: LiquidSite
  let served: ServedForms

  beforeAll(async () => {
    database = await testDatabase()
    built = await liquidSite(FILES)
    served = await serveForms(built.loaded.site, database, { loaded: built.loaded, redirectHosts: ['ours.test'] })
  })
  afterAll(async () => {
    await served?.close()
    built?.close()
    await database?.close()
  })

  const AWAY = [
    '//evil.test',
    '/\\evil.test',
    'https:evil.test',
    'https://evil.test/a',
    'javascript:alert(1)',
    'data:text/html,x',
    '\t//evil.test',
    '/\t/evil.test',
    '\x01//evil.test',
    'https://127.0.0.1@evil.test',
    'https://evil。test/',
  ]
  const locationOf = async (path: string): Promise<string | null> =>
    (await served.browser().get(path)).headers.get('location')

  describe.each(['/tag', '/setting', '/header'])('of %s', (path) => {
    test.each(AWAY)('is not sent to %j', async (to) => {
      const location = await locationOf(`${path}?to=${encodeURIComponent(to)}`)
      // A text that is invalid in a header fails the whole page.
      expect(location).toBe(path === '/header' && /[^\t -~]/.test(to) ? null : '/')
    })
    test('is sent to pages and hosts of ours', async () => {
      expect(await locationOf(`${path}?to=/orders%3Fa=1`)).toBe('/orders?a=1')
      expect(await locationOf(`${path}?to=${served.url}/orders`)).toBe(`${served.url}/orders`)
      expect(await locationOf(`${path}?to=https://ours.test/orders`)).toBe('https://ours.test/orders')
    })
  })

  test.each(AWAY)('whom a policy turns away is not sent to %j', async (to) => {
    const query = `?to=${encodeURIComponent(to)}`
    expect(await locationOf(`/guarded${query}`)).toBe(`/?return_to=${encodeURIComponent(`/guarded${query}`)}`)
    expect(await locationOf(`/policy_tag${query}`)).toBe('/')
  })

  test.each(AWAY)('who sends a form is not sent to %j', async (to) => {
    const browser = served.browser()
    const fields = inputsOf((await browser.get('/note')).text)
    const answer = await browser.post('/api/customizations', { ...fields, to, redirect_to: to, return_to: to })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/note'])
    const script = { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' }
    const told = await browser.post('/api/customizations.html', { ...fields, to, redirect_to: to }, script)
    expect(told.text).not.toContain('evil')
  })

  test('of JSON, of a session and of a refresh is kept here too', async () => {
    const browser = served.browser()
    const json = await served.send('POST', '/json', { deep: { to: 'https://evil.test' } }, { token: null })
    expect(json.status).not.toBe(200)
    await browser.get('/remember?to=https://evil.test/a')
    expect((await browser.get('/back')).headers.get('location')).toBe('/')
    await browser.get('/remember?to=/orders')
    expect((await browser.get('/back')).headers.get('location')).toBe('/orders')
    expect((await browser.get('/header_tag?to=https://evil.test/a')).headers.get('refresh')).toBe(null)
    expect((await browser.get('/header_tag?to=/orders')).headers.get('refresh')).toBe('0; url=/orders')
    expect(await locationOf('/joined?to=.evil.test')).toBe('/')
    expect(await locationOf('/joined?to=@evil.test')).toBe('/')
    expect(await locationOf('/joined?to=/orders/5')).toBe('https://pay.test/orders/5')
  })

  test('is sent on to where the developer says', async () => {
    expect(await locationOf('/pay')).toBe('https://pay.test/checkout?order=5')
    expect(await locationOf('/pay?utm=https://ads.test')).toBe('https://pay.test/checkout?order=5')
  })

  test('is not sent back to a page of others that it names', async () => {
    const answer = await served.browser().get('/referer', { referer: 'https://evil.test/page' })
    expect(answer.headers.get('location')).toBe('/')
    const own = await served.browser().get('/referer', { referer: `${served.url}/orders` })
    expect(own.headers.get('location')).toBe(`${served.url}/orders`)
    expect(served.logged.some(({ msg }) => String(msg).startsWith('No redirect to "https://evil.test/page"'))).toBe(
      true,
    )
  })
})
