/** The log of a site: entries of templates and of errors are stored as rows, each with its place. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../../../runtime/page/limits.ts'
import type { App } from '../../../../server/web/app.ts'
import { jobVisit } from '../../../../server/web/site/job-visit.ts'
import { createRender } from '../../../../server/web/site/render-page.ts'
import { type LoggedSite, loggedSite } from '../../../support/server/logged-site.ts'
import { request } from '../../../support/server/site.ts'

const FILES = {
  'app/views/pages/index.liquid': "{% log 'at home' %}",
  'app/views/pages/blog.liquid': `---
slug: blog/:id
---
{% assign message = null | hash_merge: a: context.params.id %}{% log message, type: 'debug', env: 'all' %}
{% log false, 'flag' %}{% log 'not here', env: 'staging' %}{% render 'inner' %}`,
  'app/views/pages/later.liquid': "{% background job = 'inner' %}",
  'app/views/pages/signed.liquid': "{% sign_in user_id: context.params.id %}{% log 'in' %}",
  'app/views/pages/deep.liquid': "first\n{% render 'broken', by: 0 %}",
  'app/views/pages/often.liquid': '{% for i in (1..3) %}{{ 1 | divided_by: 0 }}{% endfor %}\n{{ 1 | modulo: 0 }}',
  'app/views/pages/rolled.liquid': "{% transaction %}{% log 'said all the same' %}{% rollback %}{% endtransaction %}",
  'app/views/partials/inner.liquid': "\n{% log 'inside' %}",
  'app/views/partials/broken.liquid': '\n\n{{ 1 | divided_by: by }}',
}

let site: LoggedSite
beforeAll(async () => {
  site = await loggedSite(FILES)
})
afterAll(() => site?.close())
beforeEach(() => site.clearLog())

const get = (from: App, url: string) => from.handler(request(url, { host: 'shop.example' }))

test('entries have the page, the template, and the address without its query', async () => {
  await get(site.raising, '/blog/7?token=secret')
  const place = { url: 'shop.example/blog/7', page: 'blog/:id' }
  const file = 'app/views/pages/blog.liquid'
  expect(await site.waitForEntries(3)).toEqual([
    { type: 'debug', message: '{"a":"7"}', data: { ...place, partial: file, line: 4 } },
    { type: 'flag', message: 'false', data: { ...place, partial: file, line: 5 } },
    { type: 'info', message: 'inside', data: { ...place, partial: 'app/views/partials/inner.liquid', line: 2 } },
  ])
})

test('they name the user who is signed in at that moment', async () => {
  const [user] =
    await site.sql`insert into ingot.users (email, slug) values ('a@example.com', 'a') returning id::text as id`
  await get(site.raising, `/signed?id=${user?.['id']}`)
  const [entry] = await site.waitForEntries(1)
  expect(entry?.data['user']).toEqual({ id: user?.['id'], email: 'a@example.com' })
})

test('an error that ends an answer is there with its stack', async () => {
  expect((await get(site.raising, '/deep')).status).toBe(500)
  const [entry] = await site.waitForEntries(1)
  expect(entry).toMatchObject({
    type: 'error',
    message: expect.stringContaining('divided by 0'),
    data: {
      schema_version: 1,
      message: 'divided by 0',
      // Clients expect a text here, and print it unchanged.
      source_span: null,
      stack: [
        { path: 'app/views/partials/broken.liquid', line: 3 },
        { path: 'app/views/pages/deep.liquid', line: 2 },
      ],
      context: { url: 'shop.example/deep' },
      page: 'deep',
    },
  })
})

test('an error that is printed is logged once for each render', async () => {
  expect((await get(site.printing, '/often')).status).toBe(200)
  await get(site.printing, '/often')
  const entries = await site.waitForEntries(4)
  expect(entries.map(({ type, data }) => [type, data['line'], data['page']])).toEqual(
    [1, 2, 1, 2].map((line) => ['error', line, 'often']),
  )
  expect(new Set(entries.map(({ message }) => message)).size).toBe(2)
})

test('what is said in a transaction that is undone stays said', async () => {
  await get(site.raising, '/rolled')
  expect((await site.waitForEntries(1))[0]?.message).toBe('said all the same')
})

test('in a job they name the job and whoever queued it', async () => {
  const host = site.raising.host()
  const origin = { host: 'shop.example', language: 'en', user: '12', depth: 1 }
  const visit = jobVisit(host, { id: '99', origin, context: () => ({}), limits: DEFAULT_LIMITS })
  await host.loadedSite.site.jobs['inner']?.render?.(createRender(host, visit, null), {})
  expect((await site.waitForEntries(1))[0]?.data).toEqual({
    url: 'shop.example',
    user: { id: '12', email: null },
    job: '99',
    partial: 'app/views/partials/inner.liquid',
    line: 2,
  })
})
