/** Caches of responses, and assets, without a socket. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Render } from '../../../../runtime/page/render.ts'
import type { Setting } from '../../../../runtime/page/site.ts'
import { plain } from '../../../../runtime/page/values/text.ts'
import { isFile } from '../../../../server/web/http/message.ts'
import {
  app,
  bodyOf,
  folder,
  templateSetting,
  liveAssets,
  page,
  site,
  textSetting,
} from '../../../support/server/site.ts'

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
      metadata: textSetting(''),
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
      templateSetting((r) => plain((r.context.params as Record<string, unknown>).k)),
      null,
      false,
    )
    expect(await get('/a?k=1')).toBe('1:head 1:body 1 1')
    expect(await get('/a?k=1&other')).toBe('2:head 1:body 1 1')
    expect(await get('/a?k=2')).toBe('3:head 2:body 2 2')
  })

  test('dynamic: with the layout, and by the address where the key is blank', async () => {
    const get = cached(textSetting(' '), 60, true)
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
