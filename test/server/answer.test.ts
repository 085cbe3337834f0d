/** Requests to a site, without a socket: what a page sees, what it may ask of the answer, and what happens when it fails. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { LiquidFault } from '../../runtime/page/fault.ts'
import type { Render } from '../../runtime/page/render.ts'
import type { Setting } from '../../runtime/page/site.ts'
import { plain } from '../../runtime/page/values/text.ts'
import { finish } from '../../server/http/finish.ts'
import { isFile } from '../../server/http/message.ts'
import { app, bodyOf, folder, liveAssets, page, request, site } from './support.ts'

const text = (value: string): Setting => ({ kind: 'plain', value })
const liquid = (render: (r: Render) => string): Setting => ({ kind: 'liquid', render })

/** A page that prints what `read` gives, as JSON. */
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
        list: { kind: 'list', items: [text('x'), liquid(() => 'y')] },
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
    const own = liquid((r) => plain((r.context.page as { metadata: Record<string, unknown> }).metadata.title))
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

describe('a page', () => {
  test('stands in its layout, which prints it unescaped and sees its blocks', async () => {
    const it = app(
      site(
        [
          page('a', {
            layout: 'application',
            render: (r) => {
              r.blocks.set('head', '<title>A</title>')
              return '<h1>A</h1>'
            },
          }),
        ],
        {
          layouts: {
            application: {
              file: 'app/views/layouts/application.liquid',
              name: 'application',
              metadata: { kind: 'map', entries: { width: text('wide') } },
              render: (r, scope) =>
                `<html>${r.blocks.get('head')}${r.escape(scope.content_for_layout)}${JSON.stringify(r.context.layout)}</html>`,
            },
          },
        },
      ),
    )
    const reply = await it.get('/a')
    expect(bodyOf(reply)).toBe('<html><title>A</title><h1>A</h1>{"metadata":{"width":"wide"}}</html>')
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  test('of markdown becomes HTML, or stays as it is for .md', async () => {
    const layouts = {
      application: {
        file: 'l',
        name: 'application',
        metadata: text(''),
        render: (r: Render, scope: Record<string, unknown>) => `<main>${r.escape(scope.content_for_layout)}</main>`,
      },
    }
    const docs = page('docs', { markdown: true, layout: 'application', render: () => '# Title\n\n<b>own</b> & text' })
    const it = app(site([docs], { layouts }))
    expect(bodyOf(await it.get('/docs'))).toBe('<main><h1>Title</h1>\n<p><b>own</b> &amp; text</p>\n</main>')
    const source = await it.get('/docs.md')
    expect(bodyOf(source)).toBe('# Title\n\n<b>own</b> & text')
    expect(source.headers['content-type']).toBe('text/markdown; charset=utf-8')
  })

  test('answers with the type of its format', async () => {
    const it = app(site([page('f', { format: 'rss' }), page('j', { format: 'js' })]))
    expect((await it.get('/f.rss')).headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect((await it.get('/j.js')).headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  test('sets status and headers by tags and settings, within bounds', async () => {
    const it = app(
      site([
        page('a', {
          responseHeaders: liquid(
            () => '{"X-Own": "setting", "X-Frame-Options": "", "Set-Cookie": "a=1", "Content-Length": 1}',
          ),
          render: (r) => {
            r.response.status = 201
            r.response.headers = { 'x-own': 'tag', 'Content-Type': 'application/atom+xml' }
            return 'x'
          },
        }),
      ]),
    )
    const reply = await it.get('/a')
    expect(reply.status).toBe(201)
    expect(reply.headers).toEqual({ 'content-type': 'application/atom+xml', 'x-own': 'tag' })
  })

  test.each([
    ['not JSON', 'x', {}],
    ['a line break in a value', '{}', { 'x-a': 'a\r\nset-cookie: b' }],
    ['a name that is none', '{}', { 'x a': 'b' }],
  ])('response headers with %s are an error', async (_what, setting, headers) => {
    const render = (r: Render): string => {
      r.response.headers = headers
      return ''
    }
    const it = app(site([page('a', { responseHeaders: text(setting), render })]))
    expect((await it.get('/a')).status).toBe(500)
    expect(it.logged.at(-1)?.msg).toContain('response_headers')
  })

  test('redirects by its setting, after its policies, or by the tag', async () => {
    const redirectTo = (target: Setting) => ({ target, code: 301 as const })
    const it = app(
      site([
        page('setting', { redirect: redirectTo(liquid(() => '  /łódź?a=1 \n')) }),
        page('blank', { redirect: redirectTo(liquid(() => '  ')) }),
        page('tag', {
          layout: 'gone',
          render: (r) => {
            r.response.redirect = { target: '/there\r\nx: y', status: 307 }
            return 'text'
          },
        }),
      ]),
    )
    const setting = await it.get('/setting')
    expect([setting.status, setting.headers.location]).toEqual([301, '/%C5%82%C3%B3d%C5%BA?a=1'])
    expect(bodyOf(await it.get('/blank'))).toBe('page blank')
    const tag = await it.get('/tag')
    expect([tag.status, tag.headers.location, tag.body]).toEqual([307, '/there%0D%0Ax:%20y', ''])
  })

  test('a form names the method it means', async () => {
    const it = app(site([page('a', { method: 'delete', render: () => 'deleted' }), page('a', { method: 'post' })]))
    const form = 'application/x-www-form-urlencoded'
    expect(bodyOf(await it.post('/a', '_method=delete', form))).toBe('deleted')
    expect(bodyOf(await it.post('/a', '_method=GET', form))).toBe('page a')
    expect(bodyOf(await it.post('/a?_method=delete', '', form))).toBe('page a')
  })
})

describe('policies', () => {
  const policy = (answer: string, more: object = {}) => ({
    file: 'app/authorization_policies/p.liquid',
    name: 'p',
    render: () => answer,
    redirectTo: null,
    flashAlert: null,
    status: 403 as const,
    ...more,
  })
  const guarded = page('a', { policies: ['p'] })

  test('true lets pass, anything else forbids', async () => {
    expect((await app(site([guarded], { policies: { p: policy(' true\n') } })).get('/a')).status).toBe(200)
    expect((await app(site([guarded], { policies: { p: policy('false') } })).get('/a')).status).toBe(403)
    expect((await app(site([guarded], { policies: { p: policy('', { status: 404 }) } })).get('/a')).status).toBe(404)
  })

  test('a redirect remembers where the visitor was', async () => {
    const policies = { p: policy('', { redirectTo: liquid(() => ' /login?x=1#top ') }) }
    const reply = await app(site([guarded], { policies })).get('/a?b=1&c=2')
    expect([reply.status, reply.headers.location]).toEqual([302, '/login?x=1&return_to=%2Fa%3Fb%3D1%26c%3D2#top'])
    const quiet = site([guarded], { policies })
    const plainly = await app({ ...quiet, options: { ...quiet.options, policyReturnTo: false } }).get('/a')
    expect(plainly.headers.location).toBe('/login?x=1#top')
  })

  test('the first violation ends, the page does not run', async () => {
    const render = vi.fn(() => 'secret')
    const second = vi.fn(() => 'true')
    const it = app(
      site([page('a', { policies: ['p', 'q'], render })], {
        policies: { p: policy('no'), q: policy('', { render: second }) },
      }),
    )
    await it.get('/a')
    expect(render).not.toHaveBeenCalled()
    expect(second).not.toHaveBeenCalled()
  })
})

describe('errors', () => {
  const fails = page('fails', {
    render: () => {
      throw new LiquidFault('the secret is 42')
    },
  })

  test('visitors see nothing of the inside, the log does', async () => {
    for (const environment of ['production', 'staging'] as const) {
      const it = app(site([fails]), { environment })
      const reply = await it.get('/fails')
      expect(reply.status).toBe(500)
      expect(bodyOf(reply)).not.toMatch(/42|secret|liquid|stack/i)
      expect(it.logged.at(-1)).toMatchObject({ level: 50, msg: 'GET /fails: the secret is 42' })
    }
  })

  test('the site answers with its own pages, in the format of the request', async () => {
    const own = [
      page('404', {
        render: ({ context }) => `own 404 for ${plain((context.location as { pathname: string }).pathname)}`,
      }),
      page('404', { format: 'json', render: () => '{"own":404}' }),
      page('500', { render: () => 'own 500' }),
    ]
    const it = app(site([fails, ...own]))
    const missing = await it.get('/none')
    expect([missing.status, bodyOf(missing)]).toEqual([404, 'own 404 for /none'])
    const json = await it.get('/none.json')
    expect([json.status, bodyOf(json), json.headers['content-type']]).toEqual([
      404,
      '{"own":404}',
      'application/json; charset=utf-8',
    ])
    const failed = await it.get('/fails')
    expect([failed.status, bodyOf(failed)]).toEqual([500, 'own 500'])
    expect((await it.get('/404')).status).toBe(404)
    expect((await it.post('/fails', '', 'text/plain')).status).toBe(404)
  })

  test('an error page that fails leaves the plain one', async () => {
    const it = app(site([fails, page('500', { render: fails.render })]))
    const reply = await it.get('/fails')
    expect(reply.status).toBe(500)
    expect(bodyOf(reply)).toContain('Something went wrong')
  })

  test('without a page of the site the answer is plain, in the format of the request', async () => {
    const it = app(site([]))
    expect(bodyOf(await it.get('/none'))).toContain('There is no such page')
    expect(JSON.parse(bodyOf(await it.get('/none.json')))).toEqual({ error: 'There is no such page' })
    expect(bodyOf(await it.get('/none.csv'))).toBe('There is no such page.\n')
  })

  test('what cannot be read is 400', async () => {
    const it = app(site([page('*all'), page('a', { method: 'post' })]))
    expect((await it.get('/%ff')).status).toBe(400)
    const reply = await it.post('/a', '{', 'application/json')
    expect([reply.status, JSON.parse(bodyOf(reply)).detail]).toEqual([400, 'the body is not valid JSON'])
  })

  test('in development the page shows the template, the line and the way there', async () => {
    const source = Array.from({ length: 20 }, (_, i) => `line ${i + 1} <b>`).join('\n')
    const root = folder({ 'app/views/pages/fails.liquid': source, 'app/views/partials/p.liquid': '{{ x }}' })
    const located = page('fails', {
      render: () => {
        const fault = new LiquidFault('no <such> thing')
        fault.file = 'app/views/pages/fails.liquid'
        fault.line = 10
        fault.frames = [
          { file: 'app/views/pages/fails.liquid', line: 10 },
          { file: 'app/views/partials/p.liquid', line: 1 },
        ]
        throw fault
      },
    })
    const it = app(site([located]), { environment: 'development', root })
    const reply = await it.get('/fails')
    const body = bodyOf(reply)
    expect(reply.status).toBe(500)
    expect(body).toContain('no &#60;such&#62; thing')
    expect(body).toContain('app/views/pages/fails.liquid:10')
    expect(body).toContain('<mark>10 | line 10 &#60;b&#62;</mark>')
    expect(body).toContain(' 6 | line 6')
    expect(body).toContain('14 | line 14')
    expect(body).not.toMatch(/line 5 |line 15 /)
    expect(body).toContain('app/views/partials/p.liquid:1')
    const json = await it.get('/fails.json', { accept: 'application/json' })
    expect(json.headers['content-type']).toContain('text/html')
  })

  test('in development an error of JavaScript shows its stack, and a missing page what there is', async () => {
    const it = app(
      site([
        page('fails', {
          render: () => {
            throw new TypeError('x is not a function')
          },
        }),
        page('api/dishes', { format: 'json' }),
      ]),
      { environment: 'development' },
    )
    expect(bodyOf(await it.get('/fails'))).toMatch(/internal error: x is not a function[\s\S]*answer\.test\.ts/)
    const missing = bodyOf(await it.get('/none'))
    expect(missing).toContain('No page answers GET /none')
    expect(missing).toContain('app/views/pages/fails.liquid')
    const [, address = ''] = /<a href="([^"]+)">[^<]*<\/a><\/td><td>json/.exec(missing) ?? []
    expect(address).toBe('/api/dishes.json')
    expect((await it.get(address)).status).toBe(200)
  })

  test('errors printed in place are logged with their template', async () => {
    const it = app(
      site([page('a', { render: (r) => r.fault(new LiquidFault('divided by 0'), 'app/views/pages/a.liquid', 3) })], {
        options: { ...site([]).options, raise: false },
      }),
    )
    expect(bodyOf(await it.get('/a'))).toBe('Liquid error (app/views/pages/a.liquid:3): divided by 0')
    expect(it.logged.at(-1)).toMatchObject({ template: 'app/views/pages/a.liquid:3' })
  })
})

describe('limits', () => {
  const looping = page('loop', {
    render: (r) => {
      for (;;) if ((++r.steps & 1023) === 0) r.tick(0)
    },
  })

  test('a loop without end is 500 by its steps, 504 by its time; the site goes on', async () => {
    const limits = { steps: 1_000_000, output: 1000, depth: 100, time: 9000 }
    const it = app(site([looping, page('a')]), { limits })
    expect((await it.get('/loop')).status).toBe(500)
    expect(it.logged.at(-1)?.msg).toContain('more than 1000000 steps')
    expect((await it.get('/a')).status).toBe(200)
    const slow = app(site([looping, page('504', { render: () => 'own' })]), {
      limits: { ...limits, steps: 1e12, time: 50 },
    })
    const reply = await slow.get('/loop')
    expect(reply.status).toBe(504)
    expect(bodyOf(reply)).toContain('took too long')
  })

  test('the default ends a loop within a second or so', async () => {
    const started = performance.now()
    expect((await app(site([looping])).get('/loop')).status).toBe(500)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('a recursion without end is an error of its own', async () => {
    const render = (r: Render): string => {
      r.enter()
      return render(r)
    }
    const it = app(site([page('deep', { render })]), { environment: 'development' })
    expect(bodyOf(await it.get('/deep'))).toContain('calls itself')
  })

  test('a stack that overflows in JavaScript is the same error', async () => {
    const render = (r: Render): string => `${render(r)} `
    const it = app(site([page('deep', { render })]), { environment: 'development' })
    expect(bodyOf(await it.get('/deep'))).toContain('Nesting too deep')
  })
})

describe('caches', () => {
  test('static: the whole answer by its address, before the policies', async () => {
    let n = 0
    const render = (): string => `run ${++n}`
    const it = app(site([page('a', { staticCache: 60, render }), page('b', { staticCache: null, render })]))
    expect(bodyOf(await it.get('/a'))).toBe('run 1')
    expect(bodyOf(await it.get('/a'))).toBe('run 1')
    expect(bodyOf(await it.get('/a?x'))).toBe('run 2')
    expect(bodyOf(await it.get('/b'))).toBe('run 3')
    expect(bodyOf(await it.get('/b'))).toBe('run 4')
  })

  test('static: an answer that is no success is not kept, and time ends what is', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      let n = 0
      const render = (r: Render): string => {
        r.response.status = n++ === 0 ? 500 : 200
        return `run ${n}`
      }
      const it = app(site([page('a', { staticCache: 60, render })]))
      expect(bodyOf(await it.get('/a'))).toBe('run 1')
      expect(bodyOf(await it.get('/a'))).toBe('run 2')
      expect(bodyOf(await it.get('/a'))).toBe('run 2')
      vi.advanceTimersByTime(61_000)
      expect(bodyOf(await it.get('/a'))).toBe('run 3')
    } finally {
      vi.useRealTimers()
    }
  })

  const layouts = {
    l: {
      file: 'l',
      name: 'l',
      metadata: text(''),
      render: (r: Render, scope: Record<string, unknown>) =>
        `${++layoutRuns}:${r.blocks.get('head') ?? ''}:${r.escape(scope.content_for_layout)}`,
    },
  }
  let layoutRuns = 0
  const cached = (key: Setting | null, expire: number | null, layout: boolean) => {
    let n = 0
    layoutRuns = 0
    const render = (r: Render): string => {
      r.blocks.set('head', `head ${++n}`)
      r.response.headers['x-run'] = String(n)
      return `body ${n}`
    }
    const it = app(site([page('a', { layout: 'l', dynamicCache: { key, expire, layout }, render })], { layouts }))
    return async (url: string) => {
      const reply = await it.get(url)
      return `${bodyOf(reply)} ${reply.headers['x-run']}`
    }
  }

  test('dynamic: the body by its key, with its blocks and headers; the layout runs again', async () => {
    const get = cached(
      liquid((r) => plain((r.context.params as Record<string, unknown>).k)),
      null,
      false,
    )
    expect(await get('/a?k=1')).toBe('1:head 1:body 1 1')
    expect(await get('/a?k=1&other')).toBe('2:head 1:body 1 1')
    expect(await get('/a?k=2')).toBe('3:head 2:body 2 2')
  })

  test('dynamic: with the layout, and by the address where the key is blank', async () => {
    const get = cached(text(' '), 60, true)
    expect(await get('/a')).toBe('1:head 1:body 1 1')
    expect(await get('/a')).toBe('1:head 1:body 1 1')
    expect(await get('/a?x')).toBe('2:head 2:body 2 2')
  })

  test('dynamic: neither key nor time is no cache', async () => {
    const get = cached(null, 0, false)
    await get('/a')
    expect(await get('/a')).toBe('2:head 2:body 2 2')
  })
})

describe('assets', () => {
  const root = folder({
    'app/assets/css/app.css': 'body {}',
    'app/assets/sw.js': '// worker',
    'app/assets/a b.txt': 'spaced',
    'app/config.yml': 'secret: 1',
  })
  symlinkSync('/etc/passwd', join(root, 'app/assets/passwd'))
  const assets = liveAssets({
    'css/app.css': 'app/assets/css/app.css',
    'sw.js': 'app/assets/sw.js',
    'a b.txt': 'app/assets/a b.txt',
    passwd: 'app/assets/passwd',
    outside: '../../../../../../etc/passwd',
    gone: 'app/assets/gone',
  })
  const it = app(site([page('*all', { render: () => 'a page' })], { assets }), { root })
  const file = async (url: string): Promise<unknown> => {
    const { body } = await it.get(url)
    return isFile(body) ? body.path : body
  }

  test('listed files answer, with headers that fit their address', async () => {
    expect(await file('/assets/css/app.css')).toBe('app/assets/css/app.css')
    expect(await file('/assets/a%20b.txt')).toBe('app/assets/a b.txt')
    expect((await it.get('/assets/css/app.css?updated=aa17')).headers['cache-control']).toBe('no-cache')
  })

  test('a service worker answers at the root', async () => {
    expect(await file('/sw.js')).toBe('app/assets/sw.js')
    expect(await file('/serviceworker-1.js')).toBe('a page')
  })

  test.each([
    '/assets/../config.yml',
    '/assets/%2e%2e/config.yml',
    '/assets/..%2fconfig.yml',
    '/assets/css/../../config.yml',
    '/assets/passwd',
    '/assets/outside',
    '/assets/gone',
    '/assets/',
    '/assets/css',
    '/assets/__proto__',
    '/assets/constructor',
    '/assets/%00',
  ])('%s is no asset', async (url) => {
    expect(await file(url)).not.toMatchObject({ kind: 'file' })
    expect(await file(url)).toBe('a page')
  })

  test('the URL of an asset carries its stamp', async () => {
    const urls = app(
      site(
        [
          page('a', {
            render: (r) =>
              ['css/app.css', '/a b.txt', 'none.css', 'sw.js?v=1#x', 'no?v=1']
                .map((path) => r.services.assets.url(path))
                .join(' '),
          }),
        ],
        { assets },
      ),
    )
    expect(bodyOf(await urls.get('/a'))).toBe(
      '/assets/css/app.css?updated=aa17 /assets/a%20b.txt?updated=aa17 /assets/none.css /assets/sw.js?v=1&updated=aa17#x /assets/no%3Fv%3D1',
    )
  })
})

describe('the last touches', () => {
  const reply = { status: 200, headers: { 'content-type': 'text/html' }, body: 'text' }

  test('every answer gets the default headers', () => {
    expect(finish(request('/'), reply).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-xss-protection': '0',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'max-age=0, private, must-revalidate',
      'x-request-id': 'test',
    })
  })

  test('the same body is 304 for who has it', () => {
    const { etag } = finish(request('/'), reply).headers
    expect(etag).toMatch(/^W\/"/)
    const again = (tag: string, more: object = {}) =>
      finish({ ...request('/', more), headers: { 'if-none-match': tag } }, reply)
    expect(again(etag!)).toMatchObject({ status: 304, body: null, headers: { etag } })
    expect(again(`"x", ${etag!.slice(2)}`).status).toBe(304)
    expect(again('*').status).toBe(304)
    expect(again('"x"').status).toBe(200)
    expect(again(etag!, { method: 'POST' }).status).toBe(200)
    expect(finish(request('/'), { ...reply, status: 201 }).headers.etag).toBeUndefined()
  })
})
