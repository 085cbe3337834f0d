/** Notifications of a compiled site: from the page or form that queues them to the server that receives them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bundle } from '../../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../../compiler/compile.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import * as runtime from '../../../../runtime/index.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { readJob } from '../../../../server/operate/jobs/task/request.ts'
import { runTask } from '../../../../server/operate/jobs/task/run-task.ts'
import { openProcessServices, type ProcessServices } from '../../../../server/web/process-services.ts'
import { processLog } from '../../../../server/core/services/log.ts'
import { type Environment, readSettings } from '../../../../server/core/settings.ts'
import { type LoadedSite, loadSite } from '../../../../server/web/site/load.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { bodyText } from '../../../support/built-site.ts'
import { bodyOf, createTestServers } from '../../core/net/test-servers.ts'
import { request } from '../../../support/server/site.ts'
import { smtp } from './ground.ts'

const place = createTestServers()
const asked: { method: string | undefined; url: string | undefined; headers: Record<string, unknown>; body: string }[] =
  []
let database: TestDatabase
let server: Awaited<ReturnType<typeof smtp>>
let parts: ProcessServices
let app: App
let root = ''
let loaded: LoadedSite
let origin = ''

/** Opens the services of a process that is started with these variables. */
function openWith(variables: Record<string, string>, environment: Environment): Promise<ProcessServices> {
  const given = { DATABASE_URL: database.url, INGOT_SECRET: 'of these tests, long enough', ...variables }
  const logger = pino({ level: 'silent' })
  return openProcessServices({
    settings: { ...readSettings(given, environment), databaseUrl: database.url, dataFolder: join(root, 'data') },
    version: '0',
    logger,
    log: processLog(logger, environment),
    pool: 5,
    chores: false,
  })
}

const TOKEN = 'token-of-these-tests'

function filesOf(origin: string): Record<string, string> {
  return {
    'app/schema/order.yml': 'name: order\nproperties:\n  - name: title\n    type: string\n',
    'app/translations/pl.yml': 'pl:\n  hello: Cześć\n',
    'app/translations/en.yml': 'en:\n  hello: Hello\n',
    'app/views/layouts/mailer.liquid':
      '<html><body>{{ content_for_layout }}<footer>{{ context.location.host }}</footer></body></html>',
    'app/emails/order.liquid': `---
to: '{{ form.to | default: data.to }}'
from: shop@example.com
subject: "{{ 'hello' | t }}: {{ data.title }} & more"
locale: '{{ data.locale }}'
layout: mailer
delay: '{{ data.delay }}'
trigger_condition: '{% if data.title == "stop" %}false{% else %}true{% endif %}'
---
<p>{{ 'hello' | t }} {{ data.title }}</p>`,
    'app/emails/placed.liquid': `---
to: ann@example.com
from: shop@example.com
subject: 'Placed {{ form.properties.title }} {{ data.properties.title }} {{ form.id }}'
---
<p>{{ form.properties.title }}</p>`,
    'app/api_calls/hook.liquid': `---
to: '${origin}/hook?title={{ data.title | url_encode }}'
request_type: POST
request_headers: '{ "Content-Type": "application/json", "X-Title": {{ data.title | json }} }'
callback: >
  {% graphql saved = 'note', title: response.body %}
---
{ "title": {{ data.title | json }} }`,
    'app/api_calls/pay.liquid': `---
to: 'https://pay.example/v1/charges?sum={{ data.title | url_encode }}'
request_type: POST
---
`,
    'app/views/pages/pay.liquid': `{% graphql g %}mutation { api_call_send(template: { name: "pay" }, data: { title: "5" }) { response { status body } errors { message } } }{% endgraphql %}{{ g.api_call_send | json }} {{ 'https://files.example/a/b.txt?c=1' | download_file }}`,
    'app/graphql/note.graphql':
      'mutation note($title: String) { record_create(record: { table: "order", properties: [{ name: "title", value: $title }] }) { id } }',
    'app/graphql/send.graphql': `mutation send($title: String, $locale: String, $delay: String, $to: String) {
  email_send(template: { name: "order" }, data: { title: $title, locale: $locale, delay: $delay, to: $to }) { is_scheduled_to_send errors { message } }
}`
      .replace('data: { title: $title, locale: $locale, delay: $delay, to: $to }', 'data: $data')
      .replace('($title: String, $locale: String, $delay: String, $to: String)', '($data: HashObject)'),
    'app/graphql/call.graphql':
      'mutation call($data: HashObject) { api_call_send(template: { name: "hook" }, data: $data) { response { status body headers } errors { message } } }',
    'app/graphql/titles.graphql':
      'query titles { records(per_page: 20, filter: { table: { value: "order" } }) { results { title: property(name: "title") } } }',
    'app/forms/order.liquid': `---
name: order_form
resource: order
resource_owner: anyone
fields:
  properties:
    title: {}
email_notifications:
  - placed
---
`,
    'app/views/pages/send.liquid': `{% parse_json data %}{{ context.params.data }}{% endparse_json %}{% graphql g = 'send', data: data %}{{ g.email_send | json }}`,
    'app/views/pages/undone.liquid': `{% parse_json data %}{ "title": "never", "to": "ann@example.com" }{% endparse_json %}{% transaction %}{% graphql g = 'send', data: data %}{% rollback %}{% endtransaction %}done`,
    'app/views/pages/call.liquid': `{% parse_json data %}{{ context.params.data }}{% endparse_json %}{% graphql g = 'call', data: data %}{{ g.api_call_send | json }}`,
    'app/views/pages/titles.liquid': `{% graphql g = 'titles' %}{{ g.records.results | map: 'title' | join: ',' }}`,
  }
}

beforeAll(async () => {
  origin = await place.http(async (asking, response) => {
    const { method, url, headers } = asking
    asked.push({ method, url, headers, body: (await bodyOf(asking)).toString() })
    response.end('kept by the other')
  })
  server = await smtp()
  root = mkdtempSync(join(tmpdir(), 'ingot-mail-site-'))
  for (const [path, text] of Object.entries(filesOf(origin))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { files } = await discover(root)
  const compiled = compile(files, {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: false,
    openEntries: false,
  })
  expect(
    compiled.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message }) => `${code}: ${message}`),
  ).toEqual([])
  const folder = join(root, '.ingot')
  await bundle({ modules: compiled.modules, files, operations: compiled.operations, out: folder })
  loaded = await loadSite({ root, folder }, runtime)
  database = await testDatabase()
  const variables = {
    INGOT_SMTP_URL: server.url,
    INGOT_OUTGOING: '127.0.0.1',
    INGOT_API_TOKEN: TOKEN,
    INGOT_HOSTS: 'shop.test',
  }
  parts = await openWith(variables, 'production')
  app = createApp(loaded, parts.facts, await parts.prepare(loaded))
})
afterAll(async () => {
  await parts?.close()
  await database?.close()
  await server?.close()
  await place.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => {
  asked.length = 0
  server.received.length = 0
})

async function page(path: string, data: unknown = {}): Promise<string> {
  return bodyText(
    await app.handler(request(`${path}?data=${encodeURIComponent(JSON.stringify(data))}`, { host: 'shop.test' })),
  )
}

/** Runs all queued jobs, like a job thread. */
async function work(): Promise<readonly { delay: number; attempts: number }[]> {
  const rows = await database.sql<{ id: string; payload: string; delay: number; attempts: number }[]>`
    delete from graphile_worker._private_jobs
    returning id::text, payload::text, extract(epoch from run_at - created_at)::int as delay, max_attempts::int as attempts`
  const host = {
    host: app.host(),
    notifications: parts.notifications,
    sql: parts.store.sql,
    files: parts.files.service,
    user: async () => null,
    cpuWait: () => 0,
    memory: () => undefined,
  }
  for (const { id, payload } of rows) {
    const job = readJob(payload)
    if (job === null) throw new Error(`no job: ${payload}`)
    await runTask(host, id, job, 60)
  }
  return rows.map(({ delay, attempts }) => ({ delay, attempts }))
}

/** Returns the decoded subject of a mail. */
function subjectOf(raw: string): string {
  const line = /^Subject: (.*(?:\r\n .*)*)\r$/m.exec(raw)?.[1]?.replace(/\r\n /g, ' ') ?? ''
  return line.replace(/(?:=\?UTF-8\?[QB]\?[^?]*\?=\s?)+/gi, (words) => {
    const parts = [...words.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, kind, text = '']) =>
      kind?.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64')
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ),
    )
    return Buffer.concat(parts).toString()
  })
}

test('a mutation queues a mail, which is rendered when it is sent', async () => {
  expect(await page('/send', { title: 'Tom & <b>', locale: 'pl', to: 'ann@example.com', delay: '0.5' })).toBe(
    '{"is_scheduled_to_send":true,"errors":[]}',
  )
  expect(server.received).toEqual([])
  expect(await work()).toEqual([{ delay: 30, attempts: 5 }])
  const { to, raw } = server.received[0]!
  expect(to).toEqual(['ann@example.com'])
  // The subject is not HTML, but the body is.
  expect(subjectOf(raw)).toBe('Cześć: Tom & <b> & more')
  const body = raw
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  expect(Buffer.from(body, 'latin1').toString()).toContain(
    '<html><body><p>Cześć Tom &amp; &lt;b&gt;</p><footer>shop.test</footer></body></html>',
  )
})

test('a condition that is not met when its time has come, and a transaction that is undone, send nothing', async () => {
  // Without a delay, the condition is evaluated immediately. With a delay, its result is not known yet.
  expect(await page('/send', { title: 'stop', to: 'ann@example.com' })).toBe(
    '{"is_scheduled_to_send":false,"errors":[]}',
  )
  expect(await work()).toEqual([])
  expect(await page('/send', { title: 'stop', to: 'ann@example.com', delay: '1' })).toBe(
    '{"is_scheduled_to_send":true,"errors":[]}',
  )
  expect(await work()).toHaveLength(1)
  expect(await page('/undone')).toBe('done')
  expect(await work()).toEqual([])
  expect(server.received).toEqual([])
})

test('a mail that has nobody to go to fails, and its reason is noted', async () => {
  const reply = await app.handler(request('/send?data=%7B%7D', { host: 'shop.test' }))
  expect(bodyText(reply)).toBe('{"is_scheduled_to_send":true,"errors":[]}')
  await expect(work()).rejects.toThrow("this email has no recipient: its 'to' is blank")
  const [row] = await database.sql`select channel, name, error from ingot.notifications order by id desc limit 1`
  expect(row).toEqual({ channel: 'email', name: 'order', error: "this email has no recipient: its 'to' is blank" })
})

test('a call is made while the page waits, and its callback runs', async () => {
  expect(JSON.parse(await page('/call', { title: 'a "b" & c' }))).toMatchObject({
    response: { status: 200, body: 'kept by the other' },
    errors: [],
  })
  expect(asked).toMatchObject([
    { method: 'POST', url: '/hook?title=a+%22b%22+%26+c', body: '{ "title": "a \\"b\\" \\u0026 c" }' },
  ])
  expect(asked[0]?.headers['x-title']).toBe('a "b" & c')
  expect(await page('/titles')).toBe('kept by the other')
})

test('with a stand-in, calls and downloads of a literal address come to this machine', async () => {
  const tried = await openWith(
    { INGOT_OUTGOING_STAND_IN: `https://pay.example=${origin},https://files.example=${origin}` },
    'staging',
  )
  try {
    const staged = createApp(loaded, tried.facts, await tried.prepare(loaded))
    expect(bodyText(await staged.handler(request('/pay')))).toBe(
      '{"response":{"status":200,"body":"kept by the other"},"errors":[]} kept by the other',
    )
    expect(asked.map(({ method, url, headers }) => [method, headers['host'], url])).toEqual([
      ['POST', 'pay.example', '/v1/charges?sum=5'],
      ['GET', 'files.example', '/a/b.txt?c=1'],
    ])
  } finally {
    await tried.close()
  }
})

test('a call that a program asks for has its callback too', async () => {
  const query = 'mutation { api_call_send(template: { name: "hook" }, data: { title: "far" }) { errors { message } } }'
  const before = (await page('/titles')).length
  const reply = await app.handler(
    request('/api/graph', {
      method: 'POST',
      host: 'shop.test',
      body: Buffer.from(JSON.stringify({ query })),
      headers: { authorization: `Token ${TOKEN}`, 'content-type': 'application/json' },
    }),
  )
  expect(JSON.parse(bodyText(reply))).toEqual({ data: { api_call_send: { errors: [] } } })
  expect((await page('/titles')).slice(before)).toBe(',kept by the other')
})

test('a form sends what it was given, after it was saved', async () => {
  const body = Buffer.from('form_name=order_form&form[properties_attributes][title]=Oak+bowl')
  const reply = await app.handler(
    request('/api/customizations', {
      method: 'POST',
      host: 'shop.test',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
  expect([reply.status, bodyText(reply).slice(0, 200)]).toEqual([302, ''])
  await work()
  const [row] = await database.sql`select id::text from ingot.records order by id desc limit 1`
  expect(server.received[0]?.raw).toMatch(new RegExp(`^Subject: Placed Oak bowl Oak bowl ${row?.['id']}\\r$`, 'm'))
})
