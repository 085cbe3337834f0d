/** A compiled site that exports its data, manages its jobs and changes its translations, from the template to the sent file. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../../../server/web/app.ts'
import type { FileService } from '../../../../server/web/files/files.ts'
import { openFiles } from '../../../../server/web/files/open.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import { readJob } from '../../../../server/operate/jobs/task/request.ts'
import { runTask } from '../../../../server/operate/jobs/task/run-task.ts'
import type { Notifications } from '../../../../server/web/notifications/model.ts'
import { openNotifications } from '../../../../server/web/notifications/open.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { ADMIN, SECRET } from './served.ts'

const FILES: Readonly<Record<string, string>> = {
  'app/config.yml': 'liquid_raise_mode: false\n',
  'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n  - name: file\n    type: upload\n',
  'app/translations/en.yml': 'en:\n  hello: Hello\n  menu:\n    home: Home of %{name}\n',
  'app/graphql/export.graphql':
    'mutation($title: String) { e: data_export(records: { filter: { table: { value: "item" }, properties: [{ name: "title", value: $title }] } }) { id status url } }',
  'app/graphql/exports.graphql':
    '{ e: data_exports(sort: [{ id: { order: DESC } }], per_page: 1) { results { id status url } } }',
  'app/graphql/jobs.graphql':
    '{ j: admin_background_jobs(filter: { type: SCHEDULED }) { total_entries results { id label partial_name arguments } } }',
  'app/graphql/gone.graphql': 'mutation($id: ID!) { j: admin_background_job_delete(id: $id) { label } }',
  'app/graphql/file.graphql':
    'mutation($text: String) { r: record_create(record: { table: "item", properties: [{ name: "file", value_upload: { type: plain, content: $text, file_path: "a.txt", acl: public } }] }) { file: property_upload(name: "file") { url file_name } } }',
  'app/lib/nothing.liquid': 'nothing',
  'app/views/pages/texts.liquid': `{{ 'hello' | t }} {{ 'menu.home' | t: name: '<b>' }} {{ 'new' | t }}`,
  'app/views/pages/export.liquid': `{% graphql g = 'export', title: context.params.title %}{{ g.e.status }} {{ g.errors | json }}`,
  'app/views/pages/undone.liquid': `{% transaction %}{% graphql g = 'export' %}{% rollback %}{% endtransaction %}undone`,
  'app/views/pages/exports.liquid': `{% graphql g = 'exports' %}{{ g.e.results[0].status }} {% print g.e.results[0].url %}`,
  'app/views/pages/jobs.liquid': `{% background job = 'nothing', n: 1, delay: 60 %}{% graphql g = 'jobs' %}{{ g.j.total_entries }} {{ g.j.results[0].partial_name }} {{ g.j.results[0].arguments.n }}
    {% graphql d = 'gone', id: job %}{{ d.j.label }} {% graphql again = 'gone', id: job %}{% print again.errors[0].message %}`,
  'app/views/pages/file.liquid': `{% graphql g = 'file', text: 'words é' %}{{ g.r.file.url }}`,
}

const HOME = mkdtempSync(join(tmpdir(), 'ingot-services-'))
let database: TestDatabase
let built: LiquidSite
let graphql: GraphqlProcess
let notifications: Notifications
let files: FileService
let app: App
let listening: Listening
let closeFiles: () => void

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const { sql } = database
  const logger = pino({ level: 'silent' })
  const ids = await applyData(sql, built.loaded.site.data)
  graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: ADMIN, logger })
  mkdirSync(join(HOME, 'incoming'))
  const asset = async () => null
  const opened = openFiles({ sql, secret: SECRET, dataFolder: HOME, uploadLimit: 1_000, s3: null, asset, logger })
  files = opened.service
  closeFiles = opened.close
  const delivery = { smtpUrl: null, from: null, testEmail: null, smsUrl: null, smsToken: null }
  const environment = 'production' as const
  notifications = openNotifications({ environment, delivery, outgoing: [], dataFolder: HOME, sql, files, logger })
  const facts = {
    environment,
    version: '0.1.0',
    constants: graphql.constants.all,
    logger,
    graphql,
    notifications,
    files,
  }
  app = createApp(built.loaded, facts, ids)
  listening = await listen(app.handler, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1_000_000, log: logger })
})
afterAll(async () => {
  closeFiles?.()
  await listening?.stop(200, 0)
  await notifications?.close()
  await graphql?.close()
  await database?.close()
  built?.close()
  rmSync(HOME, { recursive: true, force: true })
})

async function get(path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${listening.port}${path}`)
  expect(answer.status, path).toBe(200)
  return (await answer.text()).replace(/\s+/g, ' ').trim()
}

async function download(path: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  const answer = await fetch(new URL(path, `http://127.0.0.1:${listening.port}`))
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Runs all queued jobs, like a job thread. Returns their number. */
async function work(): Promise<number> {
  const jobs = await database.sql<{ id: string; payload: string }[]>`
    delete from graphile_worker._private_jobs returning id::text, payload::text`
  for (const { id, payload } of jobs) {
    const none = { cpuWait: () => 0, memory: () => undefined }
    const parts = { host: app.host(), notifications, sql: database.sql, files, user: async () => null, ...none }
    await runTask(parts, id, readJob(payload)!, 30)
  }
  return jobs.length
}

describe('a site', () => {
  it('exports what a filter leaves, in a job, larger than any upload may be', async () => {
    await database.sql`insert into ingot.records (table_id, properties)
      select id, jsonb_build_object('title', 'a', 'note', repeat('x', 500)) from ingot.tables, generate_series(1, 40) where name = 'item'`
    expect(await get('/export?title=a')).toBe('pending null')
    expect(await get('/exports')).toBe('pending')
    expect(await work()).toBe(1)
    const [status, url] = (await get('/exports')).split(' ')
    expect(status).toBe('done')
    const { status: code, bytes } = await download(url!)
    expect(code).toBe(200)
    const path = join(HOME, 'export.zip')
    writeFileSync(path, bytes)
    const rows = JSON.parse(execFileSync('unzip', ['-p', path, 'records.json']).toString()) as unknown[]
    expect(rows).toHaveLength(40)
    expect((await download(url!.replace(/signature=.*/, 'signature=no'))).status).not.toBe(200)
  })

  it('queues no export in a transaction that is undone', async () => {
    const before = await database.sql`select id from ingot.exports`
    expect(await get('/undone')).toBe('undone')
    expect(await database.sql`select id from ingot.exports`).toHaveLength(before.length)
    expect(await work()).toBe(0)
  })

  it('sees its jobs, and takes them out of the queue', async () => {
    expect(await get('/jobs')).toMatch(/^1 nothing 1 nothing Can't find BackgroundJob with id=\d+$/)
    expect(await work()).toBe(0)
  })

  it('shows the texts that are set while it runs', async () => {
    expect(await get('/texts')).toBe('Hello Home of &lt;b&gt; translation missing: en.new')
    await database.sql`insert into ingot.translations (locale, key, value) values ('en', 'menu.home', '"%{name} first"'), ('en', 'new', '"<i>new</i>"')`
    await graphql.translations.reload()
    expect(await get('/texts')).toBe('Hello &lt;b&gt; first <i>new</i>')
    await database.sql`truncate ingot.translations`
    await graphql.translations.reload()
    expect(await get('/texts')).toBe('Hello Home of &lt;b&gt; translation missing: en.new')
  })

  it('makes files of texts', async () => {
    const { status, bytes } = await download(await get('/file'))
    expect(status).toBe(200)
    expect(bytes.toString()).toBe('words é')
  })
})
