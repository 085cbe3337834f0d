/** The tag `cache` on two servers of one database, with real templates, sessions, transactions and translations. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { openCache } from '../../../../server/web/cache/open.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import { jobVisit } from '../../../../server/web/site/job-visit.ts'
import { createRender } from '../../../../server/web/site/render-page.ts'
import { DEFAULT_LIMITS } from '../../../../runtime/page/limits.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'
import { bodyText } from '../../../support/built-site.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'

const SECRET = 'the secret of all servers'
const uuid = "{{ 'x' | append: '' }}{% assign n = '' | uuid %}{{ n }}"

const FILES = {
  'app/config.yml': 'liquid_raise_mode: false\n',
  'app/translations/en.yml': "en:\n  hello: 'Hello'\n",
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
  'app/graphql/add.graphql':
    'mutation add($text: String!) { record_create(record: { table: "note", properties: [{ name: "text", value: $text }] }) { id } }',
  'app/graphql/count.graphql':
    'query count { records(per_page: 1, filter: { table: { value: "note" } }) { total_entries } }',
  'app/views/pages/shared.liquid': `{% cache context.params.key %}${uuid}{% endcache %}`,
  'app/views/pages/brief.liquid': `{% cache 'brief', expire: 1 %}${uuid}{% endcache %}`,
  'app/views/pages/timed.liquid': `{% cache context.params.key, expire: context.params.expire %}${uuid}{% endcache %}`,
  'app/views/pages/blank.liquid': `{% cache '' %}${uuid}{% endcache %}`,
  'app/views/pages/hello.liquid': `{% cache 'hello' %}{{ 'hello' | t }} ${uuid}{% endcache %}`,
  'app/views/pages/token.liquid': `{% cache 'token' %}${uuid} <{{ context.authenticity_token }}>{% endcache %}`,
  'app/views/pages/cookies.liquid': `{% cache 'cookies' %}${uuid} <{{ context.cookies._pos_session }}>{% endcache %}`,
  'app/views/pages/session.liquid': `{% cache 'session' %}${uuid} <{{ context.session.session_id }}>{% endcache %}`,
  'app/views/pages/wrong.liquid': `{% cache 'wrong' %}${uuid} {{ 1 | divided_by: context.params.by }}{% endcache %}`,
  'app/views/pages/undone.liquid': `{% transaction %}{% graphql g = 'add', text: 'never' %}{% cache 'count' %}{% graphql g = 'count' %}{{ g.records.total_entries }}{% endcache %}{% rollback %}{% endtransaction %}`,
  'app/views/pages/count.liquid': `{% cache 'count' %}{% graphql g = 'count' %}{{ g.records.total_entries }}{% endcache %}`,
  'app/views/layouts/application.liquid': "[{% yield 'side' %}|{{ context.params.n }}] {{ content_for_layout }}",
  'app/views/pages/whole.liquid': `---
dynamic_cache:
  key: whole
  expire: 60
---
{% content_for 'side' %}block{% endcontent_for %}{% response_headers '{"X-Kept": "yes"}' %}${uuid}`,
  'app/views/pages/personal.liquid': `---
dynamic_cache:
  key: personal
---
${uuid}{{ context.authenticity_token }}`,
  'app/views/pages/failing.liquid': `---
dynamic_cache:
  key: failing
---
${uuid}{{ 1 | divided_by: context.params.by }}`,
  'app/views/pages/later.liquid': "{% background job = 'in_job' %}",
  'app/views/partials/in_job.liquid': `{% cache 'token' %}job <{{ context.authenticity_token }}>{% endcache %}`,
}

interface Server {
  readonly app: App
  readonly graphql: GraphqlProcess
  readonly get: (url: string, headers?: Record<string, string>) => Promise<string>
  readonly close: () => Promise<void>
}

let database: TestDatabase
let site: LiquidSite
const servers: Server[] = []

/** @param description receives the lines of the server's log */
async function server(loaded = site.loaded, description?: (line: string) => void): Promise<Server> {
  const { sql } = database
  const logger =
    description === undefined ? pino({ level: 'silent' }) : pino({ level: 'error' }, { write: description })
  const ids = await applyData(sql, loaded.site.data)
  const graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: null, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const cache = await openCache({ sql, secret: SECRET, redisUrl: null, logger, chores: false })
  const facts = { environment: 'production', version: '0.1.0', logger, constants: () => ({}) } as const
  const app = createApp(loaded, { ...facts, graphql, accounts, cache }, ids)
  const one: Server = {
    app,
    graphql,
    get: async (url, headers = {}) => {
      const reply = await app.handler(request(url, { headers }))
      return bodyText(reply)
    },
    close: async () => {
      await cache.close()
      await graphql.close()
    },
  }
  servers.push(one)
  return one
}

beforeAll(async () => {
  database = await testDatabase()
  site = await liquidSite(FILES)
})

afterAll(async () => {
  await Promise.all(servers.map((one) => one.close()))
  site?.close()
  await database?.close()
})

test('a fragment of one server is shown by the other, until its time is over', async () => {
  const [a, b] = [await server(), await server()]
  const first = await a.get('/shared?key=one')
  expect(await b.get('/shared?key=one')).toBe(first)
  expect(await b.get('/shared?key=two')).not.toBe(first)
  const brief = await a.get('/brief')
  expect(await b.get('/brief')).toBe(brief)
  await expect.poll(() => b.get('/brief')).not.toBe(brief)
  expect(await a.get('/brief')).toBe(await b.get('/brief'))
  expect(await a.get('/blank')).not.toBe(await a.get('/blank'))
})

test('a time that is no number, or negative, is an error with its line, and keeps nothing', async () => {
  const logged: string[] = []
  const a = await server(site.loaded, (line) => void logged.push(line))
  for (const [expire, wrong] of [
    ['soon', 'a number'],
    ['1x', 'a number'],
    ['', 'a number'],
    ['-1', '0 or more'],
    ['-0.5', '0 or more'],
  ]) {
    logged.length = 0
    expect(await a.get(`/timed?key=timed&expire=${expire}`)).not.toMatch(/[\da-f]{8}-/)
    const said = `app/views/pages/timed.liquid:1): cache tag - expire must be ${wrong}, not '${expire}'`
    expect(logged.join('')).toContain(said)
  }
  const first = await a.get('/timed?key=timed&expire=60')
  expect(first).toMatch(/[\da-f]{8}-/)
  expect(await a.get('/timed?key=timed&expire=0')).toBe(first)
  const fragment = `%${/[\da-f-]{36}/.exec(first)?.[0]}%`
  const kept = await database.sql`select 1 from ingot.cache where fragment like ${fragment} and until is not null`
  expect(kept).toHaveLength(1)
})

test('each visitor gets a token of their own in a fragment that another server has made; no token is in the database', async () => {
  const [a, b] = [await server(), await server()]
  const texts = [await a.get('/token'), await b.get('/token'), await b.get('/token')]
  expect(new Set(texts.map((text) => text.replace(/<.*>/, ''))).size).toBe(1)
  const tokens = texts.map((text) => /<(.*)>/.exec(text)?.[1] ?? '')
  expect(new Set(tokens).size).toBe(3)
  for (const token of tokens) expect(token).toMatch(/^[\w-]{60,}$/)
  const rows = await database.sql`select fragment from ingot.cache where fragment is not null`
  const kept = rows.map(({ fragment }) => String(fragment)).join()
  expect(kept).toContain('\u{f8ff}csrf-')
  for (const token of tokens) expect(kept).not.toContain(token)
})

test('a job has neither tokens nor marks of them, and leaves none to visitors without', async () => {
  const a = await server()
  const host = a.app.host()
  const context = { location: { host: 'example.com' } }
  const origin = { host: 'example.com', language: 'en', user: null, depth: 1 }
  const visit = jobVisit(host, { origin, context: () => ({ ...context }), limits: DEFAULT_LIMITS })
  const text = await host.loadedSite.site.jobs['in_job']?.render?.(createRender(host, visit, null), {})
  expect(text).toBe('job <>')
  expect(await a.get('/token')).toMatch(/<[\w-]{60,}>$/)
})

test('a fragment that names the session of its visitor is not kept', async () => {
  const [a, b] = [await server(), await server()]
  const cookie = { cookie: `_pos_session=${'s'.repeat(40)}` }
  expect(await a.get('/cookies', cookie)).toContain('s'.repeat(40))
  expect(await b.get('/cookies')).not.toContain('s'.repeat(40))
  const own = await a.get('/session')
  expect(own).toMatch(/<[0-9a-f]{32}>/)
  expect(await b.get('/session')).not.toBe(own)
  expect(await a.get('/session')).not.toBe(own)
})

test('an error that was printed is kept nowhere', async () => {
  const [a, b] = [await server(), await server()]
  expect(await a.get('/wrong?by=0')).toContain('Liquid error')
  const right = await b.get('/wrong?by=1')
  expect(right).not.toContain('Liquid error')
  expect(await a.get('/wrong?by=0')).toBe(right)
})

test('what a transaction shows that is undone is kept nowhere', async () => {
  const [a, b] = [await server(), await server()]
  expect(await a.get('/undone')).toContain('1')
  expect(await b.get('/count')).toContain('0')
  expect(await a.get('/count')).toContain('0')
})

test('a dynamic page is shared by servers, with its blocks and headers, under a layout of each request', async () => {
  const [a, b] = [await server(), await server()]
  const first = await a.get('/whole?n=1')
  expect(first).toContain('[block|1]')
  expect(await b.get('/whole?n=2')).toBe(first.replace('[block|1]', '[block|2]'))
  const reply = await b.app.handler(request('/whole'))
  expect(reply.headers['x-kept']).toBe('yes')
  expect(await a.get('/personal')).not.toBe(await b.get('/personal'))
  expect(await a.get('/failing?by=0')).toContain('Liquid error')
  const right = await b.get('/failing?by=1')
  expect(right).not.toContain('Liquid error')
  expect(await a.get('/failing?by=0')).toBe(right)
})

test('many requests for a dynamic page on two servers make it once', async () => {
  const [a, b] = [await server(), await server()]
  await database.sql`delete from ingot.cache`
  const texts = await Promise.all(Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? a : b).get('/whole?n=x')))
  expect(new Set(texts).size).toBe(1)
})

test('what stands in the place of a page and is none is made anew', async () => {
  const a = await server()
  await a.get('/whole')
  for (const text of ['no JSON', '{}', '{"text":1}', 'null']) {
    await database.sql`update ingot.cache set fragment = ${text}`
    const b = await server()
    expect(await b.get('/whole?n=3')).toContain('[block|3]')
  }
})

test('a translation that is set while they run, and a changed template, begin a new cache on all servers', async () => {
  const [a, b] = [await server(), await server()]
  const first = await a.get('/hello')
  expect(first).toContain('Hello')
  expect(await b.get('/hello')).toBe(first)
  await database.sql`insert into ingot.translations (locale, key, value) values ('en', 'hello', '"Welcome"')`
  await expect.poll(() => b.get('/hello')).toContain('Welcome')
  await expect.poll(() => a.get('/hello')).toContain('Welcome')
  await database.sql`delete from ingot.translations`
  await expect.poll(() => a.get('/hello')).toBe(first)
  const shared = await a.get('/shared?key=swap')
  const other = await liquidSite({ ...FILES, 'app/views/partials/other.liquid': 'more' })
  const c = await server(other.loaded)
  expect(await c.get('/shared?key=swap')).not.toBe(shared)
  a.app.swap(other.loaded)
  expect(await a.get('/shared?key=swap')).toBe(await c.get('/shared?key=swap'))
  expect(await b.get('/shared?key=swap')).toBe(shared)
  other.close()
})
