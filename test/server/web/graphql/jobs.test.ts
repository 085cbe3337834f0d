/**
 * Jobs and mails that templates, mutations and jobs queue: what they know about the request that queued them, and when they are not queued.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_CHAIN_LENGTH } from '../../../../runtime/data/jobs.ts'
import type { JobOrigin } from '../../../../runtime/data/jobs.ts'
import { DEFAULT_LIMITS } from '../../../../runtime/page/limits.ts'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import type { Notifications } from '../../../../server/web/notifications/model.ts'
import { openNotifications } from '../../../../server/web/notifications/open.ts'
import { createBareContext } from '../../../../server/web/site/context.ts'
import { jobVisit } from '../../../../server/web/site/job-visit.ts'
import { createRender } from '../../../../server/web/site/render-page.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { bodyOf, request } from '../../../support/server/site.ts'
import { ADMIN, SECRET } from './served.ts'

const FILES: Readonly<Record<string, string>> = {
  'app/config.yml': 'liquid_raise_mode: false\n',
  'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n',
  'app/translations/de.yml': 'de:\n  hello: Hallo\n',
  'app/views/pages/queue.liquid': `
    {% background a = 'greet', name: 'Ann', n: 1.50, delay: 0.5, priority: 'high', max_attempts: 3, source_name: 'label' %}
    {% context language: 'de' %}
    {% background b = 'greet', name: 'Bob' %}
    {{ a }} {{ b }}`,
  'app/views/pages/block.liquid': `
    {% assign name = 'Ann' %}
    {% background name: name, source_name: 'in a block' %}{% log name %}{% endbackground %}`,
  'app/views/pages/odd.liquid': `{% background a = 'greet', delay: context.params.delay, priority: context.params.priority, max_attempts: context.params.attempts %}{{ a }}`,
  'app/views/pages/dynamic.liquid': `{% background a = context.params.name, n: 1 %}{{ a }}`,
  'app/views/pages/large.liquid': `{% assign list = 'x' | split: '' %}{% for n in (1..19) %}{% assign list = list | concat: list %}{% endfor %}{% background a = 'greet', list: list %}{{ a }}`,
  'app/views/pages/mail.liquid': `
    {% transaction %}
      {% graphql sent = 'mail' %}
      {% if context.params.undo %}{% rollback %}{% endif %}
    {% endtransaction %}{{ sent.email_send.is_scheduled_to_send }}`,
  'app/views/partials/greet.liquid': `{% log name %}`,
  'app/views/partials/chain.liquid': `{% background a = 'chain' %}`,
  'app/views/partials/rest.liquid': `{% background a = 'chain', delay: 1 %}`,
  'app/views/partials/remember.liquid': `{% session x = 1 %}`,
  'app/views/partials/works.liquid': `
    {% transaction %}
      {% graphql a = 'create', title: context.location.host %}
      {% background b = 'greet', name: context.language %}
      {% if undo %}{% rollback %}{% endif %}
    {% endtransaction %}`,
  'app/views/partials/starts.liquid': `{% render 'remember' %}{% background a = 'chain' %}{% background b = 'rest' %}{% background c = 'works', undo: false %}`,
  'app/emails/welcome.liquid':
    '---\nto: a@example.com\nfrom: b@example.com\nsubject: Hello\n---\nHello {{ data.name }}',
  'app/graphql/mail.graphql': `mutation { email_send(template: { name: "welcome" }, data: { name: "Ann" }) { is_scheduled_to_send errors { message } } }`,
  'app/graphql/create.graphql': `mutation($title: String) { record_create(record: { table: "item", properties: [{ name: "title", value: $title }] }) { id } }`,
}

const HOME = mkdtempSync(join(tmpdir(), 'ingot-jobs-'))
const logged: Record<string, unknown>[] = []
let database: TestDatabase
let built: LiquidSite
let graphql: GraphqlProcess
let notifications: Notifications
let app: App

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const { sql } = database
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const ids = await applyData(sql, built.loaded.site.data)
  graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: ADMIN, logger })
  const delivery = { smtpUrl: null, from: null, testEmail: null, smsUrl: null, smsToken: null }
  const environment = 'production' as const
  notifications = openNotifications({ environment, delivery, outgoing: [], dataFolder: HOME, sql, files: null, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const facts = { environment, version: '0.1.0', constants: graphql.constants.all, logger, graphql, accounts }
  app = createApp(built.loaded, { ...facts, notifications }, ids)
})
afterAll(async () => {
  await notifications.close()
  await graphql.close()
  await database.close()
  built.close()
  rmSync(HOME, { recursive: true, force: true })
})
beforeEach(async () => {
  logged.length = 0
  await database.sql`delete from graphile_worker._private_jobs`
  await database.sql`delete from ingot.records`
})

async function get(url: string): Promise<string> {
  const reply = await app.handler(request(url))
  expect(reply.status).toBe(200)
  return bodyOf(reply).replace(/\s+/g, ' ').trim()
}

interface Queued {
  readonly id: string
  readonly label: string
  readonly unit: string
  readonly kind: string
  readonly queue: string
  readonly max_attempts: number
  readonly payload: string
  readonly origin: JobOrigin
}

async function queued(): Promise<readonly Queued[]> {
  return database.sql<Queued[]>`
    select q.id::text, q.label, q.unit, q.kind, q.queue, q.max_attempts, j.payload::text as payload, j.payload -> 'origin' as origin
    from ingot.jobs q join graphile_worker._private_jobs j using (id) order by q.id`
}

/** Renders a partial like a job. */
async function run(
  unit: string,
  origin: Partial<JobOrigin> = {},
  values: Record<string, unknown> = {},
): Promise<string> {
  const host = app.host()
  const whole: JobOrigin = { host: 'site.test:3000', language: 'de', user: null, depth: 1, ...origin }
  const { language, host: name } = whole
  const context = () => createBareContext(host.facts, { language, host: name })
  const visit = jobVisit(host, { origin: whole, limits: DEFAULT_LIMITS, context })
  const { jobs, partials } = host.loadedSite.site
  const face = (jobs[unit] ?? partials[unit])?.render
  return (await face?.(createRender(host, visit, null), values)) ?? 'there is no such job'
}

/** Requests a page that does not print its errors. Returns its log entry. */
async function said(url: string): Promise<string> {
  logged.length = 0
  expect(await get(url)).toBe('')
  return logged.flatMap(({ level, msg }) => (Number(level) >= 50 ? [String(msg)] : [])).join()
}

describe('background', () => {
  it('queues with its options, the host, and the language of that moment', async () => {
    const ids = (await get('/queue')).split(' ')
    const jobs = await queued()
    expect(jobs.map(({ id }) => id)).toEqual(ids)
    expect(jobs[0]).toMatchObject({ label: 'label', unit: 'greet', kind: 'unit', queue: 'high', max_attempts: 3 })
    expect(jobs[0]?.payload).toContain('"values":{"name":"Ann","n":1.5}')
    expect(jobs.map(({ origin }) => origin)).toEqual([
      { host: 'site.test:3000', language: 'en', user: null, depth: 1 },
      { host: 'site.test:3000', language: 'de', user: null, depth: 1 },
    ])
  })

  it('queues its body, and only what is passed', async () => {
    await get('/block')
    const [job] = await queued()
    expect(job).toMatchObject({ label: 'in a block', unit: 'app/views/pages/block.liquid#background:1' })
    expect(job?.payload).toContain('"values":{"name":"Ann"}')
  })

  it('takes what it can of odd options, and says so', async () => {
    await get('/odd?priority=urgent&attempts=9')
    expect((await queued())[0]).toMatchObject({ queue: 'default', max_attempts: 5 })
    const warned = logged
      .filter(({ level }) => level === 40)
      .map(({ msg, template }) => `${String(template)} ${String(msg)}`)
    expect(warned).toEqual([
      "app/views/pages/odd.liquid:1 background: unknown priority 'urgent' is treated as 'default'",
      'app/views/pages/odd.liquid:1 background: max_attempts must be from 1 to 5; 9 is treated as 5',
    ])
  })

  it('refuses a delay that is no number, or negative', async () => {
    for (const delay of ['soon', '1x', 'NaN', '1e999'])
      expect(await said(`/odd?delay=${delay}`), delay).toContain('background tag - delay must be a number, not')
    for (const delay of ['-1', '-0.5'])
      expect(await said(`/odd?delay=${delay}`)).toBe(
        `Liquid error (app/views/pages/odd.liquid:1): background tag - delay must be 0 or more, not '${delay}'`,
      )
    expect(await said('/odd?delay=1e300')).toContain('a delay of')
    expect(await queued()).toEqual([])
    expect(await get('/odd?delay=%201.5%20')).toMatch(/^\d+$/)
  })

  it('refuses a partial that is not there, also by odd names', async () => {
    expect(await said('/dynamic?name=great')).toContain("can't find partial great. Did you mean")
    for (const name of ['__proto__', 'constructor', 'toString', ''])
      expect(await said(`/dynamic?name=${name}`), name).toContain(`can't find partial ${name}`)
    expect(await get('/dynamic?name=greet')).toMatch(/^\d+$/)
    expect(await queued()).toHaveLength(1)
  })

  it('refuses what is too large', async () => {
    expect(await said('/large')).toContain('the job greet cannot be queued: its values are larger than 512 KB')
    expect(await queued()).toEqual([])
  })
})

describe('in a job', () => {
  it('jobs know how deep they are, and a row of them ends', async () => {
    await run('chain', { depth: 4 })
    expect((await queued()).map(({ origin }) => origin.depth)).toEqual([5])
    await run('rest', { depth: MAX_CHAIN_LENGTH })
    expect((await queued()).map(({ origin }) => origin.depth)).toEqual([5, 1])
    await expect(run('chain', { depth: MAX_CHAIN_LENGTH })).rejects.toThrow('more than 100 jobs in a row')
    await expect(run('chain', { depth: Number.MAX_SAFE_INTEGER })).rejects.toThrow('more than 100 jobs in a row')
  })

  it('transactions are transactions, with the host and language of who queued it', async () => {
    await run('works', { host: 'other.test' })
    const rows = await database.sql`select properties ->> 'title' as title from ingot.records`
    expect(rows.map((row) => row['title'])).toEqual(['other.test'])
    expect((await queued())[0]?.payload).toContain('"values":{"name":"de"}')
    await database.sql`delete from graphile_worker._private_jobs`
    await run('works', {}, { undo: true })
    expect(await database.sql`select 1 from ingot.records`).toHaveLength(1)
    expect(await queued()).toEqual([])
  })

  it('there are no sessions, and errors are raised whatever the site does', async () => {
    await expect(run('starts')).rejects.toThrow("the tag 'session' is not available in a background job")
  })
})

describe('mails', () => {
  it('are queued with the transaction, or not at all', async () => {
    expect(await get('/mail')).toBe('true')
    expect(await queued()).toMatchObject([
      { kind: 'notification', unit: 'welcome', origin: { host: 'site.test:3000' } },
    ])
    await database.sql`delete from graphile_worker._private_jobs`
    expect(await get('/mail?undo=1')).toBe('true')
    expect(await queued()).toEqual([])
  })

  it('are queued by programs with a token, as nobody', async () => {
    const ask = async (query: string): Promise<Record<string, Record<string, unknown>>> => {
      const body = Buffer.from(JSON.stringify({ query }))
      const headers = { authorization: `Token ${ADMIN}`, 'content-type': 'application/json' }
      const reply = await app.handler(request('/api/graph', { method: 'POST', body, headers }))
      return JSON.parse(bodyOf(reply)) as Record<string, Record<string, unknown>>
    }
    const sent = await ask('mutation { email_send(template: { name: "welcome" }) { is_scheduled_to_send } }')
    expect(sent['data']).toEqual({ email_send: { is_scheduled_to_send: true } })
    expect((await queued())[0]?.origin).toEqual({ host: 'site.test:3000', language: 'en', user: null, depth: 1 })
    await database.sql`delete from graphile_worker._private_jobs`
    // A later failure in the same operation rolls it back.
    const failed = await ask(
      'mutation { email_send(template: { name: "welcome" }) { is_scheduled_to_send } record_update(id: 1, record: {}) { id } }',
    )
    expect(failed['errors']).toHaveLength(1)
    expect(await queued()).toEqual([])
  })
})
