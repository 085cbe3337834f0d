/** Pages that depend on their URL only are rendered twice; all others are rendered for every request. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../../server/web/app.ts'
import type { Reply } from '../../../../server/web/http/message.ts'
import { liquidSite, type LiquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const PAGES = {
  fixed: '<p>Hello</p>',
  named: "<p>Hello {{ context.params.name | default: 'you' }}, at {{ context.location.host }}</p>",
  words: "{{ 'hello' | t }} {{ context.page.slug }} {{ 'a.css' | asset_url }} {{ context.environment }}",
  marked: '# {{ context.params.name }}',
  agent: '{{ context.useragent }}',
  address: '{{ context.visitor.ip }}',
  scripted: '{{ context.is_xhr }}',
  header: '{{ context.headers.HTTP_X_MINE }}',
  cookie: '{{ context.cookies.mine }}',
  device: '{{ context.device.device_type }}',
  constant: '{{ context.constants.KEY }}',
  user: '{{ context.current_user.name }}',
  whole: '{{ context | json }}',
  key: "{% assign name = 'useragent' %}{{ context[name] }}",
  inner: '{% assign whole = context %}{{ whole.useragent }}',
  partial: "{% render 'agent' %}",
  clock: "{{ 'now' | date: '%L' }}",
  random: '{{ 8 | random_string }}',
  logged: "{% log 'seen' %}",
  cached: "{% cache 'key' %}text{% endcache %}",
  status: '{% response_status 404 %}none',
  faulty: "{{ 'x' | date_add: 'nonsense' }}",
} as const

let site: LiquidSite
let app: App
let renders = 0
let constants = { KEY: 'one' }

beforeAll(async () => {
  const pages = Object.entries(PAGES).map(([slug, body]) => {
    const ending = slug === 'marked' ? '.md.liquid' : '.liquid'
    return [
      `app/views/pages/${slug}${ending}`,
      `---\nslug: ${slug}\n${slug === 'words' ? '' : "layout: ''\n"}---\n${body}`,
    ]
  })
  site = await liquidSite({
    ...Object.fromEntries(pages),
    'app/views/layouts/application.liquid': '<main>{{ content_for_layout }}</main>',
    'app/views/partials/agent.liquid': '{{ context.useragent }}',
    'app/translations/en.yml': 'en:\n  hello: Hello\n',
    'app/translations/pl.yml': 'pl:\n  hello: Cześć\n',
    'app/assets/a.css': 'a {}',
  })
  app = createApp(countedSite(site), {
    environment: 'production',
    version: '0.1.0',
    constants: () => constants,
    logger: pino({ level: 'silent' }),
  })
})
afterAll(() => site.close())

/** Returns a site with pages that count their renders. */
function countedSite({ loaded }: LiquidSite): LiquidSite['loaded'] {
  const pages = loaded.site.pages.map((page) => ({
    ...page,
    render: (...given: Parameters<typeof page.render>) => {
      renders++
      return page.render(...given)
    },
  }))
  return { ...loaded, site: { ...loaded.site, pages } }
}

async function get(url: string, headers: Record<string, string> = {}, ip = '10.0.0.1'): Promise<Reply> {
  return app.handler(request(url, { headers, ip }))
}

/** Returns how often a page is rendered for five requests. */
async function rendersOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const before = renders
  for (let n = 0; n < 5; n++) await get(url, headers, `10.0.0.${n}`)
  return renders - before
}

test.each(['fixed', 'named', 'words', 'marked'])('%s is rendered until it is asked for again', async (slug) => {
  expect(await rendersOf(`/${slug}?one=${slug}`)).toBe(2)
})

test.each(Object.keys(PAGES).filter((slug) => !['fixed', 'named', 'words', 'marked'].includes(slug)))(
  '%s is rendered for every request',
  async (slug) => {
    expect(await rendersOf(`/${slug}`)).toBe(5)
  },
)

test('an address has its own answer: query, host and language', async () => {
  for (let n = 0; n < 3; n++) {
    expect((await get('/named?name=Ann')).body).toContain('Hello Ann, at')
    expect((await get('/named?name=Bob')).body).toContain('Hello Bob, at')
    expect((await get('/named')).body).toContain('Hello you, at')
    expect((await get('/words', { 'accept-language': 'pl' })).body).toContain('Cześć')
    expect((await get('/words', { 'accept-language': 'en' })).body).toContain('Hello')
    expect((await get('/words?language=pl')).body).toContain('Cześć')
    const other = await app.handler(request('/named', { host: 'other.example' }))
    expect(other.body).toContain('at other.example')
  }
})

test('who sends the cookie of a session or a token has the page rendered', async () => {
  await rendersOf('/fixed')
  expect(await rendersOf('/fixed')).toBe(0)
  expect(await rendersOf('/fixed', { cookie: 'a=b; _pos_session=c' })).toBe(5)
  expect(await rendersOf('/fixed', { authorization: 'Token token=x' })).toBe(5)
})

test('other cookies change nothing of what reads none, and are read where a page reads one', async () => {
  await rendersOf('/named?of=others', { cookie: 'a=b' })
  expect(await rendersOf('/named?of=others', { cookie: 'c=d' })).toBe(0)
  expect(await rendersOf('/named?of=others')).toBe(0)
  for (const mine of ['one', 'two', 'one'])
    expect((await get('/cookie', { cookie: `mine=${mine}` })).body).toContain(mine)
})

test('answers of a changed site or changed constants are new ones', async () => {
  await rendersOf('/fixed')
  app.swap(countedSite(site))
  expect(await rendersOf('/fixed')).toBe(2)
  expect((await get('/constant')).body).toContain('one')
  constants = { KEY: 'two' }
  expect((await get('/constant')).body).toContain('two')
})

test('of addresses that are asked for once none is kept', async () => {
  const before = renders
  for (let n = 0; n < 50; n++) await get(`/named?name=${n}`)
  expect(renders - before).toBe(50)
  expect(await rendersOf('/named?name=49')).toBe(1)
})
