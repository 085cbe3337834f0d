/** Public facts about a server: its build, its installation, and whether search engines may index it. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../server/web/app.ts'
import type { Reply } from '../../../server/web/http/message.ts'
import { bodyText } from '../../support/built-site.ts'
import { type LiquidSite, liquidSite } from '../../support/server/liquid-site.ts'
import { request } from '../../support/server/site.ts'

let built: LiquidSite
const FILES = {
  'app/assets/a b/logo.svg': '<svg/>',
  'app/views/pages/index.liquid':
    "{{ 'a b/logo.svg' | asset_url }} {{ 'a b/logo.svg' | asset_path }} {{ context.instance.id }}",
  'app/views/pages/hash.liquid':
    "{{ asset_url['a b/logo.svg'] }}|{{ asset_url.none }}|{% assign path = 'a b/logo.svg' %}{{ asset_url[path] }}|{% include 'part' %}|{% assign asset_url = 'own' %}{{ asset_url }}|{% render 'part', asset_url: 'given' %}",
  'app/views/partials/part.liquid': "{{ asset_url['a b/logo.svg'] | default: asset_url }}",
  'app/views/pages/listed.liquid': '---\nresponse_headers: \'{"X-Robots-Tag": "all"}\'\n---\nlisted',
}
beforeAll(async () => {
  built = await liquidSite(FILES)
})
afterAll(() => built?.close())

function ask(url: string, more: object = {}, sent: Parameters<typeof request>[1] = {}): Promise<Reply> {
  const facts = {
    environment: 'production',
    version: '9.8.7',
    constants: () => ({}),
    logger: pino({ level: 'silent' }),
  }
  const app = createApp(built.loaded, { ...facts, ...more } as Parameters<typeof createApp>[1])
  return Promise.resolve(app.handler(request(url, sent)))
}

test('the build and the installation have an address each, which say nothing of the software', async () => {
  const version = await ask('/_version?x=1')
  expect(version.status).toBe(200)
  expect(bodyText(version)).toBe(`${built.loaded.site.fingerprint}\n`)
  expect(bodyText(version)).not.toContain('9.8.7')
  expect(version.headers).toEqual({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  expect(bodyText(await ask('/__instance_id'))).toBe('1\n')
  expect((await ask('/_version', {}, { method: 'POST' })).status).toBe(404)
  expect((await ask('/_versions')).status).toBe(404)
})

test('a hidden site tells search engines so on every page, unless the page says otherwise', async () => {
  expect((await ask('/')).headers['x-robots-tag']).toBeUndefined()
  expect((await ask('/', { hidden: true })).headers['x-robots-tag']).toBe('noindex, nofollow')
  expect((await ask('/listed', { hidden: true })).headers['x-robots-tag']).toBe('all')
})

test('addresses of assets have the host of the setting, and never that of the request', async () => {
  const plain = await ask('/', {}, { host: 'evil.example', headers: { 'x-forwarded-host': 'evil.example' } })
  expect(bodyText(plain)).toBe('/assets/a%20b/logo.svg /assets/a%20b/logo.svg 1')
  expect((await ask('/hash').then(bodyText)).split('|')).toEqual([
    '/assets/a%20b/logo.svg',
    '',
    '/assets/a%20b/logo.svg',
    '/assets/a%20b/logo.svg',
    'own',
    'given',
  ])
  const cdn = await ask('/', { assetsUrl: 'https://cdn.shop.example' }, { host: 'evil.example' })
  expect(bodyText(cdn)).toMatch(/^https:\/\/cdn\.shop\.example\/assets\/a%20b\/logo\.svg \/assets\//)
})
