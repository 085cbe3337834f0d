/** The request as pages see it, without a socket. */
import { describe, expect, test, vi } from 'vitest'
import type { Render } from '../../../../runtime/page/render.ts'
import type { Setting } from '../../../../runtime/page/site.ts'
import { plain } from '../../../../runtime/page/values/text.ts'
import { app, bodyOf, templateSetting, page, site, textSetting } from '../../../support/server/site.ts'

/** Returns a page that prints the result of `read` as JSON. */
function shows(slug: string, read: (context: Record<string, unknown>) => unknown, more: object = {}) {
  return page(slug, { format: 'json', render: (r) => JSON.stringify(read(r.context)), ...more })
}

describe('context', () => {
  test('parameters: query, then body, then path', async () => {
    const it = app(site([shows('a/:id', (context) => context.params, { method: 'post' })]))
    const reply = await it.post('/a/path?id=query&q=1&b=query', 'id=body&b=body', 'application/x-www-form-urlencoded', {
      accept: 'application/json',
    })
    expect(
      JSON.parse(bodyOf(await it.post('/a/path.json?id=q&q=1&b=q', '{"id":1,"b":2}', 'application/json'))),
    ).toEqual({
      id: 'path',
      q: '1',
      b: 2,
      slug: 'a',
      slug2: 'path',
      slug3: null,
      slugs: null,
      format: 'json',
    })
    expect(JSON.parse(bodyOf(reply))).toMatchObject({ id: 'path', q: '1', b: 'body' })
  })

  test('location, headers, cookies and visitor', async () => {
    const it = app(
      site([
        shows('a', ({ location, headers, cookies, visitor, is_xhr, useragent }) => ({
          location,
          headers,
          cookies,
          visitor,
          is_xhr,
          useragent,
        })),
      ]),
    )
    const headers = {
      accept: 'application/json',
      cookie: 'a=1; b=%C5%82; a=2; __proto__=x; broken; q="quoted"',
      'user-agent': 'Test/1.0',
      'x-requested-with': 'XMLHttpRequest',
      'x-forwarded-for': '1.2.3.4',
      authorization: 'Token secret',
      'stripe-signature': 's',
    }
    expect(JSON.parse(bodyOf(await it.get('/a?q=1', headers)))).toEqual({
      location: {
        href: 'http://site.test:3000/a?q=1',
        url: '/a?q=1',
        host: 'site.test:3000',
        pathname: '/a',
        search: { q: '1' },
      },
      headers: {
        HTTP_HOST: 'site.test:3000',
        SERVER_NAME: 'site.test',
        SERVER_PORT: '3000',
        REQUEST_METHOD: 'GET',
        PATH_INFO: '/a',
        REQUEST_URI: '/a?q=1',
        QUERY_STRING: 'q=1',
        HTTP_ACCEPT: 'application/json',
        HTTP_USER_AGENT: 'Test/1.0',
        HTTP_X_REQUESTED_WITH: 'XMLHttpRequest',
        HTTP_X_FORWARDED_FOR: '1.2.3.4',
        'X-FORWARDED-FOR': '1.2.3.4',
        HTTP_STRIPE_SIGNATURE: 's',
      },
      cookies: { a: '1', b: 'ł', q: 'quoted' },
      visitor: { ip: '127.0.0.1' },
      is_xhr: true,
      useragent: 'Test/1.0',
    })
  })

  test('constants, cookies, the token and the authorization header answer by name but are not printed', async () => {
    const it = app(
      site([
        page('a', {
          render: ({ whole: context }) => {
            const headers = context.headers as Record<string, unknown>
            const constants = context.constants as Record<string, unknown>
            expect(headers.HTTP_AUTHORIZATION).toBe('Token hush')
            expect(constants.SECRET).toBe('hidden')
            return JSON.stringify(context)
          },
        }),
      ]),
    )
    const printed = bodyOf(await it.get('/a', { cookie: '_pos_session=cookie-value', authorization: 'Token hush' }))
    expect(printed).not.toMatch(/hidden|cookie-value|hush|authenticity_token|constants/)
    expect(Object.keys(JSON.parse(printed))).toEqual(
      expect.arrayContaining([
        'params',
        'session',
        'location',
        'headers',
        'page',
        'device',
        'environment',
        'language',
        'exports',
      ]),
    )
  })

  test('is the same hash whichever of its parts were read or set before', async () => {
    const printed = async (render: (r: Render) => string): Promise<unknown> =>
      JSON.parse(bodyOf(await app(site([page('a', { render })])).get('/a')))
    const untouched = await printed(({ whole }) => JSON.stringify([Object.keys(whole), whole]))
    const touched = await printed((r) => {
      expect([r.request.page?.['slug'], r.request.location?.pathname]).toEqual(['a', '/a'])
      r.context['language'] = 'de'
      r.context['language'] = 'en'
      return JSON.stringify([Object.keys(r.whole), r.whole])
    })
    expect(touched).toEqual(untouched)
    const set = await printed((r) => {
      r.context['device'] = 'mine'
      expect(r.whole).toBe(r.wholeRequest)
      return JSON.stringify(r.whole)
    })
    expect(set).toMatchObject({ device: 'mine', environment: 'production' })
  })

  test('every field of the language is there', async () => {
    let keys: string[] = []
    const render = ({ whole }: Render): string => {
      keys = Object.getOwnPropertyNames(whole)
      return ''
    }
    const it = app(site([page('a', { render })]))
    await it.get('/a')
    const fields =
      'params post_params current_user session flash exports page layout location headers cookies constants environment language authenticity_token csrf_request_valid is_xhr useragent device visitor instance version hcaptcha_site_key globals modules'
    expect(keys.sort()).toEqual(fields.split(' ').sort())
  })

  test('the raw body is post_params', async () => {
    const it = app(
      site([
        shows('a', ({ post_params, csrf_request_valid }) => [post_params, csrf_request_valid], { method: 'post' }),
      ]),
    )
    expect(bodyOf(await it.post('/a', '{"a": 1}', 'application/json'))).toBe('["{\\"a\\": 1}",false]')
  })

  test.each([
    ['/a', '', 'en'],
    ['/a?language=de', 'pl', 'de'],
    ['/a?language=%3Cscript%3E', 'pl', 'pl'],
    ['/a', 'pl-PL,pl;q=0.9,en;q=0.8', 'pl'],
    ['/a', 'fr,pt-BR;q=0.9', 'pt-BR'],
    ['/a', 'fr;q=0.9,de;q=0.8', 'en'],
    ['/a', 'en;q=0.1,pl', 'pl'],
    ['/a', '*', 'en'],
  ])('the language of %s with Accept-Language %j is %s', async (url, accept, language) => {
    const translations = { en: {}, pl: {}, 'pt-BR': {} }
    const it = app(site([page('a', { render: (r) => plain(r.context.language) })], { translations }))
    expect(bodyOf(await it.get(url, { 'accept-language': accept }))).toBe(language)
  })

  test('metadata renders when it is read, and a change of it stays in its request', async () => {
    const render = vi.fn((r: Render) => `title for ${plain((r.context.params as Record<string, unknown>).slug)}`)
    const metadata: Setting = {
      kind: 'map',
      entries: {
        title: { kind: 'liquid', render },
        tags: { kind: 'plain', value: ['a', { b: 1 }] },
        list: { kind: 'list', items: [textSetting('x'), templateSetting(() => 'y')] },
      },
    }
    const it = app(
      site([
        page('quiet', { metadata }),
        page('loud', {
          metadata,
          render: ({ context }) => {
            const { metadata } = context.page as { metadata: Record<string, unknown> }
            const printed = JSON.stringify([metadata, metadata.title])
            ;(metadata.tags as unknown[]).push('changed')
            return printed
          },
        }),
      ]),
    )
    await it.get('/quiet')
    expect(render).not.toHaveBeenCalled()
    const once = '[{"title":"title for loud","tags":["a",{"b":1}],"list":["x","y"]},"title for loud"]'
    expect(bodyOf(await it.get('/loud'))).toBe(once)
    expect(render).toHaveBeenCalledTimes(1)
    expect(bodyOf(await it.get('/loud'))).toBe(once)
  })

  test('metadata that needs itself is an error, not an endless loop', async () => {
    const own = templateSetting((r) => plain((r.context.page as { metadata: Record<string, unknown> }).metadata.title))
    const metadata: Setting = { kind: 'map', entries: { title: own } }
    const it = app(
      site([page('a', { metadata, render: (r) => (own.kind === 'liquid' ? (own.render(r, {}) as string) : '') })]),
    )
    expect((await it.get('/a')).status).toBe(500)
    expect(it.logged.at(-1)?.msg).toContain("the setting 'title' needs its own value")
  })

  test('the device is told from the user agent', async () => {
    const it = app(site([shows('a', ({ device }) => device)]))
    const device = async (agent: string) =>
      JSON.parse(bodyOf(await it.get('/a', { accept: 'application/json', 'user-agent': agent })))
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1'
    expect(await device(phone)).toMatchObject({
      device_type: 'smartphone',
      os_name: 'iOS',
      os_full_version: '17.1',
      name: 'Safari',
      bot: false,
      known: true,
    })
    expect(await device('Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0')).toMatchObject({
      device_type: 'desktop',
      name: 'Firefox',
      full_version: '120.0',
    })
    expect(await device('Mozilla/5.0 (compatible; Examplebot/2.1)')).toMatchObject({
      bot: true,
      bot_name: 'Examplebot',
      device_type: null,
    })
    expect(await device('')).toMatchObject({ device_type: null, known: false })
  })
})
