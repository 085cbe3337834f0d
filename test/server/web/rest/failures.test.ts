/** Failures in the API: a service that is temporarily unreachable is distinguished from an error, and the log names the request. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import { createFiles } from '../../../../server/web/files/files.ts'
import { createLocalStore } from '../../../../server/web/files/local.ts'
import { createSigner } from '../../../../server/web/files/signature.ts'
import { type Logs, openLogs } from '../../../../server/web/logs/open.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { schema } from '../graphql/served.ts'
import { until } from '../../operate/jobs/queue-site.ts'
import { page, site } from '../../../support/server/site.ts'
import {
  type Browser,
  field,
  form,
  forms,
  group,
  inputsOf,
  liquid,
  type Sent,
  type ServedForms,
  serveForms,
} from './support.ts'

let database: TestDatabase
let served: ServedForms
let logs: Logs
let made: ReturnType<typeof site>

const NOTE = { table: 'note', fields: group({ properties: [field('title')] }) }
const ACCOUNT = group({ attributes: [field('email'), field('password')] })
const later = { delay: 0, priority: 'default', maxAttempts: 1, content: liquid(() => '') } as const

const FORMS = forms(
  form('note', NOTE),
  form('queued_note', { ...NOTE, asyncCallback: later }),
  // The callback of this form queues a job itself, and ignores a failure.
  form('careless_note', {
    ...NOTE,
    callbackActions: liquid(async (_scope, r) => {
      const options = { delay: 0, priority: 'default', maxAttempts: 1, sourceName: 'x' } as const
      await r
        .port('jobs', 'background')
        .enqueue('x', {}, options)
        .catch(() => undefined)
      throw new LiquidFault('and then this')
    }),
  }),
  form('broken_note', {
    ...NOTE,
    callbackActions: liquid(() => {
      throw new LiquidFault('it broke by itself')
    }),
  }),
  form('sign_up', { resource: 'user', fields: ACCOUNT }),
  form('log_in', { resource: 'session', fields: ACCOUNT }),
)

beforeAll(async () => {
  database = await testDatabase()
  logs = openLogs(database.url, { environment: 'production', logger: pino({ level: 'silent' }) })
  const open = page('open', { render: (r: Render) => r.port('forms', 'include_form').render('log_in', {}) })
  const shown = (r: Render): string => `${r.port('forms', 'form').open({})}</form>`
  const all = { ...FORMS, log_in: { ...FORMS['log_in']!, render: shown } }
  made = site([open], {
    data: schema({ note: { title: 'string' } }),
    forms: all,
    jobs: { x: { name: 'x', file: 'app/views/partials/x.liquid', render: () => '' } },
  } as Parameters<typeof site>[1])
  served = await serveForms(made, database, { log: logs })
})
afterAll(async () => {
  await served?.close()
  await logs?.close()
  await database?.close()
})

beforeEach(async () => {
  served.logged.length = 0
  await database.sql`delete from ingot.logs`
})
afterEach(() => database.sql`drop trigger if exists breaks on graphile_worker._private_jobs`)

/** Breaks only connections that queue a job. */
async function breakQueue(): Promise<void> {
  await database.sql.unsafe(`
    create or replace function public.breaks() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger breaks before insert on graphile_worker._private_jobs for each statement execute function public.breaks()`)
}

const body = (name: string) => ({
  form_name: name,
  parent_resource_id: 'note',
  form: { model_schema_name: 'note', properties_attributes: { title: 'a' } },
})

const AWAY = { errors: { base: ['Service Unavailable'] } }

it('a queue that is away is a 503 as any other part that is, and works when it is back', async () => {
  await breakQueue()
  const sent = await served.send('POST', '/api/records', body('queued_note'))
  expect([sent.status, sent.json]).toEqual([503, AWAY])
  expect(sent.headers.get('content-type')).toBe('application/vnd.api+json')
  // Forms that ignore the failure have queued nothing.
  expect((await served.send('POST', '/api/records', body('note'))).status).toBe(201)
  await database.sql`drop trigger breaks on graphile_worker._private_jobs`
  expect((await served.send('POST', '/api/records', body('queued_note'))).status).toBe(201)
  const [row] = await database.sql`select count(*)::int as n from ingot.jobs where form_name = 'queued_note'`
  expect(row).toEqual({ n: 1 })
})

it('a template that went on without the queue, and failed then, is the fault of the queue', async () => {
  await breakQueue()
  const sent = await served.send('POST', '/api/records', body('careless_note'))
  expect([sent.status, sent.json]).toEqual([503, AWAY])
  await database.sql`drop trigger breaks on graphile_worker._private_jobs`
  expect((await served.send('POST', '/api/records', body('careless_note'))).status).toBe(500)
})

it('people see a page that says so', async () => {
  await breakQueue()
  const sent = await served
    .browser()
    .post('/api/records', { form_id: 'queued_note', 'form[properties_attributes][title]': 'a' })
  expect([sent.status, sent.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(sent.text).not.toContain('base')
})

it('a database that is away is a 503 to programs and people, whatever is asked first', async () => {
  const own = await testDatabase()
  const other = await serveForms(made, own)
  const home = mkdtempSync(join(tmpdir(), 'ingot-failures-'))
  const files = createFiles({
    store: createLocalStore(join(home, 'files')),
    sql: own.sql,
    signer: createSigner('s'.repeat(32)),
    incoming: join(home, 'incoming'),
    limit: 1_000,
  })
  const developed = await serveForms(made, own, {
    environment: 'development',
    files,
    uploads: { folder: join(home, 'incoming'), limit: 1_000 },
  })
  const token = await other.token('write')
  const browser = other.browser()
  const fields = { form_id: 'log_in', 'form[email]': 'a@b.test', 'form[password]': 'secret-1' }
  const signIn = { ...fields, ...(await tokenOf(browser)) }
  const [row] = await own.sql<{ name: string }[]>`select current_database() as name`
  await database.sql.unsafe(`drop database ${row?.name} with (force)`)
  try {
    const programs = [
      other.send('POST', '/api/records', body('note')),
      other.send('POST', '/api/records', body('note'), { token }),
      other.send('PUT', '/api/records/1', body('queued_note')),
      other.send('DELETE', '/api/records/1', { form_name: 'note' }),
      other.send('POST', '/api/users', { form_name: 'sign_up', form: { email: 'a@b.test', password: 'secret-1' } }),
      other.send('POST', '/api/sessions', { form_name: 'log_in', form: { email: 'a@b.test', password: 'secret-1' } }),
    ]
    for (const { status, json } of await Promise.all(programs)) expect([status, json]).toEqual([503, AWAY])
    const sent = await browser.post('/api/sessions', signIn)
    expect([sent.status, sent.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    // In development, the answer and the log have the reason.
    const reason = 'the database cannot be reached'
    const shown = await developed.send('POST', '/api/records', body('note'), { token })
    expect([shown.status, shown.json]).toEqual([503, { ...AWAY, detail: reason }])
    const user = await developed.send('GET', '/', undefined, { token: `ingot_user_${'0'.repeat(64)}` })
    expect([user.status, user.json['detail']]).toEqual([503, reason])
    const { url, fields: granted } = files.presign({ acl: 'public', least: 1, limit: 100, types: null, versions: {} })
    const upload = new FormData()
    for (const [name, value] of Object.entries(granted)) upload.append(name, value)
    upload.append('file', new File(['x'], 'a.txt'))
    const uploaded = await fetch(developed.url + url, { method: 'POST', body: upload })
    expect([uploaded.status, await uploaded.text()]).toEqual([503, expect.stringContaining(reason)])
    expect(developed.logged.flatMap((entry) => entry['reason'] ?? [])).toEqual([reason, reason, reason])
  } finally {
    rmSync(home, { recursive: true, force: true })
    await other.close()
    await developed.close()
    await own.close()
  }
})

it('the log knows whose request failed, and that of a program is nobody’s', async () => {
  const { browser, email, id } = await signedIn()
  const fields = { form_id: 'broken_note', 'form[properties_attributes][title]': 'a' }
  const token = await tokenOf(browser)
  expect((await browser.post('/api/records?secret=1', { ...fields, ...token })).status).toBe(500)
  expect(await loggedRow()).toEqual({ url: expect.stringMatching(/\/api\/records$/), user: { id, email } })
  await database.sql`delete from ingot.logs`
  expect((await served.send('POST', '/api/records', body('broken_note'))).status).toBe(500)
  expect(await loggedRow()).toEqual({ url: expect.stringMatching(/\/api\/records$/) })
  await database.sql`delete from ingot.logs`
  // A request that another site causes is not logged for the visitor.
  expect((await browser.post('/api/records', fields)).status).toBe(500)
  expect(await loggedRow()).toEqual({ url: expect.stringMatching(/\/api\/records$/) })
})

/** Returns the origin of the only log entry of the broken form. */
async function loggedRow(): Promise<unknown> {
  const read = () =>
    database.sql<{ type: string; data: Record<string, unknown> }[]>`
      select type, data from ingot.logs where message like '%it broke by itself%'`
  await until('there is an entry', async () => (await read()).length > 0)
  const rows = await read()
  expect(rows).toEqual([{ type: 'error', data: expect.objectContaining({ context: expect.anything() }) }])
  return rows[0]?.data['context']
}

async function tokenOf(browser: Browser): Promise<Record<string, string>> {
  const { authenticity_token: token = '' } = inputsOf((await browser.get('/open')).text)
  expect(token).not.toBe('')
  return { authenticity_token: token }
}

async function signedIn(): Promise<{ browser: Browser; email: string; id: string }> {
  const email = 'ann@site.test'
  const account = { email, password: 'secret-1' }
  const made = await served.send('POST', '/api/users', { form_name: 'sign_up', form: account })
  expect(made.status).toBe(201)
  const browser = served.browser()
  const fields = { form_id: 'log_in', 'form[email]': email, 'form[password]': 'secret-1', ...(await tokenOf(browser)) }
  const sent: Sent = await browser.post('/api/sessions', fields)
  expect(sent.status).toBe(302)
  return { browser, email, id: String(made.json['id']) }
}
