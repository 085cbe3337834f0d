/** A site without `slug_exact_match`: URLs may continue after slugs, and templates read the rest. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import pino from 'pino'
import { type App, createApp } from '../../../../server/web/app.ts'
import { bodyText } from '../../../support/built-site.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const PARTS =
  '{{ context.params.slug }},{{ context.params.slug2 }},{{ context.params.slug3 }},{{ context.params.slugs }}'
const FILES = {
  'app/views/pages/index.liquid': 'home',
  'app/views/pages/404.liquid': 'nothing here',
  'app/views/pages/list/show.liquid': `show ${PARTS} {{ context.location.pathname }} {{ context.page.slug }}`,
  'app/views/pages/list/index.liquid': `all ${PARTS}`,
  'app/views/pages/near.liquid': '---\nmax_deep_level: 2\n---\nnear {{ context.params.slug2 }}',
  'app/views/pages/alone.liquid': '---\nmax_deep_level: 1\n---\nalone',
  'app/views/pages/far.liquid': '---\nmax_deep_level: null\n---\nfar {{ context.params.slugs }}',
  'app/views/pages/kept.liquid': `---
static_cache:
  expire: 60
---
kept {{ context.params.slug2 }}`,
  'app/views/pages/kept_body.liquid': `---
dynamic_cache:
  expire: 60
---
kept {{ context.params.slug2 }}`,
}

let site: LiquidSite
let app: App

beforeAll(async () => {
  site = await liquidSite(FILES)
  app = createApp(site.loaded, {
    environment: 'production',
    version: '0.1.0',
    constants: () => ({}),
    logger: pino({ level: 'silent' }),
  })
})
afterAll(() => site.close())

async function get(url: string): Promise<string> {
  const reply = await app.handler(request(url))
  return `${reply.status} ${bodyText(reply)}`
}

test.each([
  ['/list/show/1', '200 show list,show,1, /list/show/1 list/show'],
  ['/list/show/1/x/y?slug3=2', '200 show list,show,1,x/y /list/show/1/x/y list/show'],
  ['/list/9', '200 all list,9,,'],
  ['/list/index', '200 all list,index,,'],
  ['/', '200 home'],
  ['/nowhere', '404 nothing here'],
  ['/index/more', '404 nothing here'],
  ['/404/more', '404 nothing here'],
  ['/near/1', '200 near 1'],
  ['/near/1/2', '404 nothing here'],
  ['/alone', '200 alone'],
  ['/alone/1', '404 nothing here'],
  ['/far/a/b/c/d', '200 far c/d'],
])('%s', async (url, answer) => {
  expect(await get(url)).toBe(answer)
})

test('what is kept of one address is not shown at another', async () => {
  for (const page of ['kept', 'kept_body']) {
    expect([await get(`/${page}/1`), await get(`/${page}/2`), await get(`/${page}/1`)]).toEqual([
      '200 kept 1',
      '200 kept 2',
      '200 kept 1',
    ])
  }
})
