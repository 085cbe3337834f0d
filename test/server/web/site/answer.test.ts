/** Requests to a site without a socket: headers, status and redirects of pages, and failures. */
import { describe, expect, test, vi } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import type { Setting } from '../../../../runtime/page/site.ts'
import { plain } from '../../../../runtime/page/values/text.ts'
import { finish } from '../../../../server/web/http/finish.ts'
import { app, bodyOf, folder, templateSetting, page, request, site, textSetting } from '../../../support/server/site.ts'

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
              metadata: { kind: 'map', entries: { width: textSetting('wide') } },
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
        metadata: textSetting(''),
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
          responseHeaders: templateSetting(
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
    const it = app(site([page('a', { responseHeaders: textSetting(setting), render })]))
    expect((await it.get('/a')).status).toBe(500)
    expect(it.logged.at(-1)?.msg).toContain('response_headers')
  })

  test('redirects by its setting, after its policies, or by the tag', async () => {
    const redirectTo = (target: Setting) => ({ target, code: 301 as const })
    const it = app(
      site([
        page('setting', { redirect: redirectTo(templateSetting(() => '  /łódź?a=1 \n')) }),
        page('blank', { redirect: redirectTo(templateSetting(() => '  ')) }),
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

  test('in development, a refusal names its policy on the page and in the log', async () => {
    const refusing = site([guarded], { policies: { p: policy('false') } })
    const named = 'the authorization policy p refused (app/authorization_policies/p.liquid)'
    const reply = await app(refusing, { environment: 'development' }).get('/a')
    expect(bodyOf(reply)).toContain(`<p>${named}</p>`)
    expect(reply.reason).toBe(named)
    const json = site([page('a', { policies: ['p'], format: 'json' })], { policies: { p: policy('false') } })
    expect(bodyOf(await app(json, { environment: 'development' }).get('/a.json'))).toContain(named)
    const own = site([guarded, page('403')], { policies: { p: policy('false') } })
    expect(await app(own, { environment: 'development' }).get('/a')).toMatchObject({ body: 'page 403', reason: named })
    const production = await app(refusing).get('/a')
    expect(bodyOf(production)).not.toContain('policy')
    expect(production.reason).toBeUndefined()
  })

  test('a redirect remembers where the visitor was', async () => {
    const policies = { p: policy('', { redirectTo: templateSetting(() => ' /login?x=1#top ') }) }
    const reply = await app(site([guarded], { policies })).get('/a?b=1&c=2')
    expect([reply.status, reply.headers.location]).toEqual([302, '/login?x=1&return_to=%2Fa%3Fb%3D1%26c%3D2#top'])
    const posted = app(site([page('a', { policies: ['p'], method: 'post' })], { policies }))
    const from = async (referer: string): Promise<string> =>
      (await posted.post('/a?b=1', '', 'text/plain', { referer })).headers.location ?? ''
    expect(await from('http://site.test:3000/list?x=1')).toBe('/login?x=1&return_to=%2Flist%3Fx%3D1#top')
    expect(await from('https://evil.test/list')).toBe('/login?x=1&return_to=%2F#top')
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
        page('/'),
        page('index', { file: page('/').file }),
      ]),
      { environment: 'development' },
    )
    const failed = bodyOf(await it.get('/fails'))
    expect(failed).toMatch(/internal error: x is not a function[\s\S]*answer\.test\.ts/)
    // Nothing is recorded here.
    expect(failed).not.toMatch(/Queries so far|requests\/request/)
    const missing = bodyOf(await it.get('/none'))
    expect(missing).toContain('No page answers GET /none')
    expect(missing).toContain('app/views/pages/fails.liquid')
    expect(missing).toContain('<a href="/">/</a>')
    expect(missing).not.toContain('/index"')
    const [, address = ''] = /<a href="([^"]+)">[^<]*<\/a><\/td><td class="short">json/.exec(missing) ?? []
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
      for (;;) if (++r.pace >= 0) r.tick(0)
    },
  })

  test('a loop without end is 500 by its steps, 504 by its time; the site goes on', async () => {
    const limits = { steps: 1_000_000, output: 1000, depth: 100, time: 9000 }
    const it = app(site([looping, page('a')]), { limits })
    expect((await it.get('/loop')).status).toBe(500)
    expect(it.logged.at(-1)?.msg).toContain('more than 1000000 steps of loops, calls and text')
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
      finish(request('/', { ...more, headers: { 'if-none-match': tag } }), reply)
    expect(again(etag!)).toMatchObject({ status: 304, body: null, headers: { etag } })
    expect(again(`"x", ${etag!.slice(2)}`).status).toBe(304)
    expect(again('*').status).toBe(304)
    expect(again('"x"').status).toBe(200)
    expect(again(etag!, { method: 'POST' }).status).toBe(200)
    expect(finish(request('/'), { ...reply, status: 201 }).headers.etag).toBeUndefined()
  })
})
