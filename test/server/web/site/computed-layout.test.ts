/** Layouts whose names Liquid computes: in a page, and as the default of all pages. */
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../../server/web/app.ts'
import { bodyText } from '../../../support/built-site.ts'
import { liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

async function site(files: Readonly<Record<string, string>>): Promise<App> {
  const built = await liquidSite(files)
  closing.push(built.close)
  const logger = pino({ level: 'silent' })
  return createApp(built.loaded, { environment: 'production', version: '0.1.0', constants: () => ({}), logger })
}

async function get(app: App, url: string): Promise<string> {
  const reply = await app.handler(request(url))
  return `${reply.status} ${bodyText(reply).trim()}`
}

const LAYOUTS = {
  'app/views/layouts/application.liquid': 'app({{ content_for_layout }})',
  'app/views/layouts/wide.liquid': "wide({{ content_for_layout }}{% include 'layouts/_foot' %})",
  'app/views/layouts/wide.json.liquid': '{"wide": [{{ content_for_layout }}]}',
  'app/views/layouts/_foot.liquid': '-foot',
}

test('a page computes the name of its layout, blank for none; one that does not exist is an error', async () => {
  const head = (more = ''): string => `---\nlayout: '{{ context.params.in }}'\n${more}---\n`
  const app = await site({
    ...LAYOUTS,
    'app/views/pages/one.liquid': `${head()}one`,
    'app/views/pages/two.json.liquid': `${head()}2`,
    'app/views/pages/plain.liquid': 'plain',
  })
  expect(await get(app, '/one?in=wide')).toBe('200 wide(one-foot)')
  expect(await get(app, '/one?in=application')).toBe('200 app(one)')
  expect(await get(app, '/one')).toBe('200 one')
  expect(await get(app, '/one?in=none')).toMatch(/^500 /)
  expect(await get(app, '/one?in=__proto__')).toMatch(/^500 /)
  expect(await get(app, '/two.json?in=wide')).toBe('200 {"wide": [2]}')
  expect(await get(app, '/plain')).toBe('200 app(plain)')
  // No response is reused for another request.
  expect(await get(app, '/one?in=wide')).toBe('200 wide(one-foot)')
})

test('the default layout is computed for pages that name none', async () => {
  const app = await site({
    ...LAYOUTS,
    'app/config.yml': "default_layout: '{% if context.params.in %}{{ context.params.in }}{% else %}wide{% endif %}'\n",
    'app/views/pages/one.liquid': 'one',
    'app/views/pages/named.liquid': '---\nlayout: application\n---\nnamed',
    'app/views/pages/bare.liquid': "---\nlayout: ''\n---\nbare",
    'app/views/pages/data.json.liquid': '1',
  })
  expect(await get(app, '/one')).toBe('200 wide(one-foot)')
  expect(await get(app, '/one?in=application')).toBe('200 app(one)')
  // The same as with a missing default layout.
  expect(await get(app, '/one?in=none')).toBe('200 one')
  expect(await get(app, '/named')).toBe('200 app(named)')
  expect(await get(app, '/bare')).toBe('200 bare')
  expect(await get(app, '/data.json')).toBe('200 1')
})
