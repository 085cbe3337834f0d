/**
 * A site of 2018 (`liquid_add_old_variables`): bare names read the request in every kind of file, and the values are as private as those of
 * `context`.
 */
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { JobOrigin } from '../../../../runtime/data/jobs.ts'
import { DEFAULT_LIMITS } from '../../../../runtime/page/limits.ts'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { openCache } from '../../../../server/web/cache/open.ts'
import { openGraphql } from '../../../../server/web/graphql/process.ts'
import { createBareContext } from '../../../../server/web/site/context.ts'
import { jobVisit } from '../../../../server/web/site/job-visit.ts'
import { createRender } from '../../../../server/web/site/render-page.ts'
import { bodyText } from '../../../support/built-site.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const SECRET = 'the secret of all servers'
const FORM = `---
name: note_form
resource: note
resource_owner: anyone
fields:
  properties:
    title:
      validation: { presence: true }
redirect_to: /
authorization_policies: [open]
callback_actions: '{% log params.key, type: "callback" %}{% log form.properties.title, type: "title" %}'
---
<i>{{ params.q }}|{{ page.slug }}|{{ form.resource }}</i>`

const FILES = {
  'app/config.yml': 'liquid_add_old_variables: true\n',
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: title\n    type: string\n',
  'app/graphql/title.graphql':
    'query title($text: String!) { note: records(per_page: 1, filter: { table: { value: $text } }) { total_entries } }',
  'app/views/layouts/application.liquid': '[{{ page.slug }}|{{ language }}|{{ params.q }}] {{ content_for_layout }}',
  'app/views/pages/index.liquid': `---
slug: notes/:id
---
{{ params.id }} {{ location.pathname }} {{ platform_context.location.host }} {{ current_user.email | default: 'nobody' }} {% render 'card' %}{% render 'card', params: headers %}{% include 'part' %}{% graphql g = 'title', text: params.id %}{{ g.note.total_entries }}`,
  'app/views/partials/card.liquid': '({{ params.id }}{{ params.REQUEST_METHOD }})',
  'app/views/partials/part.liquid': '<{{ params.q }}>',
  'app/views/pages/guarded.liquid': '---\nauthorization_policies: [open]\n---\ncome in',
  'app/authorization_policies/open.liquid': "{% if params.key == 'open' %}true{% else %}false{% endif %}",
  'app/views/pages/form.liquid': "{% include_form 'note_form' %}",
  'app/views/pages/passed.liquid':
    "{% include_form 'note_form', page: nothing.at_all, params: platform_context.headers %}",
  'app/forms/note_form.liquid': FORM,
  'app/views/pages/token.liquid': "{% cache 'token' %}{{ '' | uuid }} <{{ authenticity_token }}>{% endcache %}",
  'app/views/pages/session.liquid': "{% cache 'session' %}{{ '' | uuid }} <{{ session.session_id }}>{% endcache %}",
  'app/views/pages/cart.liquid': '{{ session.cart }}{% session cart = "full" %}{{ session.cart }}',
  'app/views/pages/later.liquid': "{% background j = 'work', current_user: nothing %}{{ j }}",
  'app/views/partials/work.liquid':
    '{{ environment }} {{ language }} {{ location.host }} {{ page.slug | default: "no page" }} [{{ current_user.id }}]',
  'app/emails/note.liquid':
    "---\nto: ann@example.com\nfrom: b@example.com\nsubject: '{{ environment }} {{ location.host }}'\n---\n{{ data.title }} {{ language }} [{{ constants.KEY }}]",
}

const logged: Record<string, unknown>[] = []
const closing: (() => Promise<void>)[] = []
let database: TestDatabase
let site: LiquidSite
let app: App

beforeAll(async () => {
  database = await testDatabase()
  site = await liquidSite(FILES)
  const { sql } = database
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const ids = await applyData(sql, site.loaded.site.data)
  const graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: null, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const cache = await openCache({ sql, secret: SECRET, redisUrl: null, logger, chores: false })
  closing.push(
    () => cache.close(),
    () => graphql.close(),
  )
  const constants = () => ({ KEY: 'secret' })
  const facts = { environment: 'production', version: '0.1.0', logger, constants } as const
  app = createApp(site.loaded, { ...facts, graphql, accounts, cache }, ids)
})
afterAll(async () => {
  for (const close of closing) await close()
  site?.close()
  await database?.close()
})
beforeEach(() => {
  logged.length = 0
})

async function get(url: string, headers: Record<string, string> = {}): Promise<string> {
  return bodyText(await app.handler(request(url, { headers })))
}

/** Returns the services and data of a job or a mail. */
function outside() {
  const host = app.host()
  const origin: JobOrigin = { host: 'shop.test', language: 'de', user: null, depth: 1 }
  const context = () => createBareContext(host.facts, { language: 'de', host: 'shop.test' })
  return createRender(host, jobVisit(host, { origin, limits: DEFAULT_LIMITS, context }), null)
}

test('pages, layouts, partials and queries read the request', async () => {
  expect(await get('/notes/note?q=a%3Cb')).toBe(
    '[notes/:id|en|a&lt;b] note /notes/note site.test:3000 nobody (note)(GET)<a&lt;b>0',
  )
})

test('policies, forms and what they do behind a sending read it too', async () => {
  expect((await app.handler(request('/guarded'))).status).toBe(403)
  expect(await get('/guarded?key=open')).toContain('come in')
  expect(await get('/form?q=asked')).toContain('<i>asked|form|note</i>')
  expect(await get('/passed?q=asked')).toContain('<i>||note</i>')
  const send = (key: string) =>
    app.handler(
      request('/api/customizations', {
        method: 'POST',
        body: Buffer.from(`form_name=note_form&key=${key}&form[properties_attributes][title]=Oak`),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    )
  expect((await send('other')).status).toBe(403)
  expect(logged.filter(({ type }) => type === 'callback')).toEqual([])
  expect((await send('open')).status).toBe(302)
  expect(logged.flatMap(({ type, msg }) => (type === 'callback' || type === 'title' ? [[type, msg]] : []))).toEqual([
    ['callback', 'open'],
    ['title', 'Oak'],
  ])
})

test('what is kept is nobody’s own', async () => {
  const texts = [await get('/token'), await get('/token')]
  expect(new Set(texts.map((text) => text.replace(/<.*>/, ''))).size).toBe(1)
  const tokens = texts.map((text) => /<(.*)>/.exec(text)?.[1] ?? '')
  expect(new Set(tokens).size).toBe(2)
  const rows = await database.sql`select fragment from ingot.cache where fragment is not null`
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{60,}$/)
    expect(rows.map(({ fragment }) => String(fragment)).join()).not.toContain(token)
  }
  expect(await get('/session')).not.toBe(await get('/session'))
  expect(await get('/cart')).toContain('full')
})

test('jobs and mails have what they have of `context`', async () => {
  const { jobs, partials, emails } = app.host().loadedSite.site
  const work = (jobs['work'] ?? partials['work'])?.render
  expect(await work?.(outside(), { current_user: null })).toBe('production de shop.test no page []')
  const { note } = emails
  expect(await note?.render?.(outside(), { data: { title: 'Oak' } })).toBe('Oak de [secret]')
})
