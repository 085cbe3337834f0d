/** Programs with a token: jobs, translations, vectors and exports of a served site. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { t } from '../../../../runtime/page/filters/translation/t.ts'
import { str } from '../../../../runtime/page/values/text.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { page, site } from '../../../support/server/site.ts'
import { schema, type Served, serve } from './served.ts'

let database: TestDatabase
let served: Served

const hello = page('hello', { render: (r) => str(t(r, 'hello')) })
const both = page('both', {
  async render(r) {
    const graphql = r.port('graphql', 'graphql')
    const document =
      'mutation { admin_translation_set(translation: { key: "hello", locale: "en", value: "of the page" }) { value } }'
    await graphql.run({ document }, {})
    return str(t(r, 'hello'))
  },
})

beforeAll(async () => {
  database = await testDatabase()
  const data = schema({ note: { title: 'string' } })
  served = await serve(site([hello, both], { data, translations: { en: { hello: 'Hello' } } }), database.sql)
})
afterAll(async () => {
  await served?.close()
  await database?.close()
})

async function eventually(path: string, text: string): Promise<void> {
  for (let left = 100; left > 0; left--) {
    if ((await served.page(path)).text === text) return
    await sleep(30)
  }
  expect((await served.page(path)).text).toBe(text)
}

describe('translations', () => {
  it('that a program sets are on the pages a moment later, and those of the site again when they are taken back', async () => {
    expect((await served.page('/hello')).text).toBe('Hello')
    const set = await served.ask(
      'mutation { t: admin_translation_set(translation: { key: "hello", locale: "en", value: "Hi" }) { value } }',
    )
    expect(set.json).toEqual({ data: { t: { value: 'Hi' } } })
    await eventually('/hello', 'Hi')
    await served.ask('mutation { admin_translation_unset(key: "hello", locale: "en") { value } }')
    await eventually('/hello', 'Hello')
  })

  it('that a page sets are on all pages a moment later', async () => {
    await served.page('/both')
    await eventually('/hello', 'of the page')
    await served.ask('mutation { admin_translation_unset(key: "hello", locale: "en") { value } }')
    await eventually('/hello', 'Hello')
  })

  it('that are undone with another mutation are on none', async () => {
    const { json } = await served.ask(
      `mutation { admin_translation_set(translation: { key: "hello", locale: "en", value: "never" }) { value }
        record_delete(id: 1) { id } }`,
    )
    expect(json.errors).toHaveLength(1)
    await sleep(150)
    expect((await served.page('/hello')).text).toBe('Hello')
  })
})

describe('a token', () => {
  it.each([
    ['read', '{ admin_background_jobs { total_entries } }'],
    ['write', '{ admin_sent_notifications { total_entries } }'],
    ['read', '{ data_exports { total_entries } }'],
    ['write', 'mutation { data_export(users: {}) { id } }'],
    ['read', '{ users(per_page: 1) { results { authentications { token } } } }'],
    ['write', 'mutation { admin_translation_set(translation: { key: "a", locale: "en", value: "b" }) { value } }'],
    ['write', 'mutation { admin_background_jobs_delete_all { results { id } } }'],
    ['read', 'mutation { email_send(template: { name: "x" }) { is_scheduled_to_send } }'],
  ] as const)('of the scope %s does not reach %s', async (scope, document) => {
    const { json } = await served.ask(document, { token: await served.token(scope) })
    expect(json.data ?? null).toBeNull()
    expect(json.errors?.[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } })
  })

  it('that may do everything does', async () => {
    const { json } = await served.ask(
      '{ admin_background_jobs { total_entries } admin_sent_notifications { total_entries } data_exports { total_entries } }',
    )
    const none = { total_entries: 0 }
    expect(json).toEqual({ data: { admin_background_jobs: none, admin_sent_notifications: none, data_exports: none } })
  })
})

describe('what is sent', () => {
  it('is not where no server sends; nothing of the operation is kept then', async () => {
    const { json } = await served.ask(
      `mutation { record_create(record: { table: "note" }) { id } email_send(template: { name: "x" }) { is_scheduled_to_send } }`,
    )
    expect(json.data).toBeNull()
    expect(json.errors?.[0]?.message).toBe(
      'Mails, text messages, API calls, log entries and jobs are not available here.',
    )
    expect(await database.sql`select 1 from ingot.records`).toHaveLength(0)
    const exported = await served.ask('mutation { data_export(records: {}) { id } }')
    expect(exported.json.errors?.[0]?.message).toBe('Exports are not available here.')
    expect(await database.sql`select 1 from ingot.exports`).toHaveLength(0)
  })
})
