/** The lists of deployed files and imports, and mutations of all rows, from templates of a compiled site. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { verifyPassword } from '../../../../server/web/accounts/passwords.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { openFiles } from '../../../../server/web/files/open.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import { openNotifications } from '../../../../server/web/notifications/open.ts'
import { bodyText } from '../../../support/built-site.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'
import { ADMIN, SECRET } from './served.ts'

const NAMES = ['email', 'sms', 'call', 'form', 'graphql', 'layout', 'policy', 'profile', 'none', 'metrics'] as const
const QUERIES: Readonly<Record<(typeof NAMES)[number], string>> = {
  email:
    '{ r: admin_email_notifications(filter: { subject: { contains: "data.title" } }) { total_entries results { name to from subject content delay_by layout trigger_condition physical_file_path forms { name } } } }',
  sms: '{ r: admin_sms_notifications { results { name to content forms { name } } } }',
  call: '{ r: admin_api_call_notifications { results { name to request_type headers callback content metadata } } }',
  form: `{ r: admin_forms(filter: { resource: { value: "note" } }) { results { name resource resource_owner fields redirect_to flash_notice default_payload
    callback_actions async_callback_priority liquid_body authorization_policies { name } email_notifications { name subject } sms_notifications { name } api_call_notifications { name } } } }`,
  graphql:
    '{ r: admin_graphql(filter: { name: { ends_with: "/one" } }) { results { name query_string physical_file_path } } }',
  layout: '{ r: admin_liquid_layouts(sort: [{ path: { order: ASC } }]) { results { path body format } } }',
  policy: '{ r: admin_authorization_policies { results { name content http_status redirect_to } } }',
  profile:
    '{ r: admin_user_profile_schemas { results { name parameterized_name properties { name attribute_type } } } }',
  none: `{ handlers { total_entries results { id } } admin_versions(per_page: 5) { total_entries per_page results { id } }
    admin_third_party_integrations { total_entries } admin_transactable_schemas { total_entries } }`,
  metrics:
    '{ r: admin_instance_metrics { records_total users_total user_profiles_total activities_total images_total transactables_total } }',
}

const FILES: Readonly<Record<string, string>> = {
  'app/config.yml': 'liquid_raise_mode: false\n',
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: title\n  - name: count\n    type: integer\n',
  'app/user_profile_schemas/buyer.yml': 'name: buyer\nproperties:\n  - name: budget\n    type: integer\n',
  'app/views/layouts/application.liquid': '---\nmetadata:\n  a: 1\n---\n{{ content_for_layout }}',
  'app/views/layouts/mail.liquid': 'mail {{ content_for_layout }}',
  'app/authorization_policies/open.liquid': '---\nname: open\nredirect_to: /in\n---\ntrue',
  'app/views/pages/in.liquid': 'in',
  'app/views/pages/thanks.liquid': 'thanks',
  'app/graphql/notes/one.graphql': 'query { records(per_page: 1) { total_entries } }',
  'app/emails/hello.liquid':
    "---\nto: ann@example.com\nfrom: '{{ data.from }}'\nsubject: 'It''s {{ data.title }}'\ndelay: 5\nlayout: mail\ntrigger_condition: >\n  {{ data.go }}\n---\nHello {{ data.title }}",
  'app/smses/code.liquid': '---\nto: "{{ data.phone }}"\n---\nCode {{ data.code }}',
  'app/api_calls/ping.liquid':
    '---\nto: https://example.com/\nrequest_type: POST\nrequest_headers: \'{"A": "{{ data.a }}"}\'\ncallback: |\n  {% if response.status == 200 %}\n    {% log "ok" %}\n  {% endif %}\nmetadata:\n  b: 2\n---\n{"x": 1}',
  'app/forms/note.liquid': `---
name: note_form
resource: note
resource_owner: anyone
fields:
  properties:
    title:
      validation: { presence: true }
redirect_to: /thanks
flash_notice: 'Thank you, {{ form.properties.title }}'
default_payload: '{"properties": {"count": 1}}'
callback_actions: '{% log form.properties.title %}'
email_notifications: [hello]
sms_notifications: [code]
api_call_notifications: [ping]
authorization_policies: [open]
---
<b>{{ form.resource }}</b>`,
}

const HOME = mkdtempSync(join(tmpdir(), 'ingot-deployed-'))
let database: TestDatabase
let built: LiquidSite
let graphql: GraphqlProcess
let app: App
let closeFiles: () => void

beforeAll(async () => {
  database = await testDatabase()
  const pages = Object.fromEntries(
    NAMES.flatMap((name) => [
      [`app/graphql/${name}.graphql`, QUERIES[name]],
      [`app/views/pages/${name}.liquid`, `---\nlayout: ''\n---\n{% graphql g = '${name}' %}{% print g | json %}`],
    ]),
  )
  built = await liquidSite({ ...FILES, ...pages, ...MUTATIONS })
  const { sql } = database
  const logger = pino({ level: 'silent' })
  const ids = await applyData(sql, built.loaded.site.data)
  graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: ADMIN, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const asset = async () => null
  const files = openFiles({ sql, secret: SECRET, dataFolder: HOME, uploadLimit: 1_000, s3: null, asset, logger })
  closeFiles = files.close
  const delivery = { smtpUrl: null, from: null, testEmail: null, smsUrl: null, smsToken: null }
  const environment = 'production' as const
  const notifications = openNotifications({
    ...{ environment, delivery, outgoing: [], dataFolder: HOME, sql, files: files.service, logger },
  })
  const facts = { environment, version: '0.1.0', constants: graphql.constants.all, logger } as const
  app = createApp(built.loaded, { ...facts, graphql, accounts, notifications, files: files.service }, ids)
})
afterAll(async () => {
  closeFiles?.()
  await graphql?.close()
  await database?.close()
  built?.close()
  rmSync(HOME, { recursive: true, force: true })
})

// The tests check the contents of the results.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Data = Record<string, any>

async function asked(path: string): Promise<Data> {
  const reply = await app.handler(request(path))
  return JSON.parse(bodyText(reply)) as Data
}

const run = (name: string, variables: object = {}, more = ''): Promise<Data> =>
  asked(`/${name}?v=${encodeURIComponent(JSON.stringify(variables))}${more}`)

/** Returns the files of a page that runs a mutation. The variables come from the request. */
function mutation(name: string, document: string): Readonly<Record<string, string>> {
  const call = `{% graphql g = '${name}', args: v %}`
  return {
    [`app/graphql/${name}.graphql`]: document,
    [`app/views/pages/${name}.liquid`]: `---\nlayout: ''\n---\n{% assign v = context.params.v | default: '{}' | parse_json %}{% if context.params.block %}{% transaction %}${call}{% endtransaction %}{% else %}${call}{% endif %}{% print g | json %}`,
  }
}

const MUTATIONS = {
  ...mutation(
    'users_in',
    'mutation ($users: [UserImport!]!, $remap: Boolean = true) { r: import_users(users: $users, _id_remap: $remap) { ids external_ids } }',
  ),
  ...mutation(
    'models_in',
    'mutation ($models: [CustomizationImport!]!, $remap: Boolean = true) { r: import_models(models: $models, _id_remap: $remap) { ids external_ids } }',
  ),
  ...mutation(
    'models_changed',
    'mutation ($title: String, $from: String) { r: models_update_all(model_schema_name: "note", filter: { properties: [{ name: "title", value: $from }] }, model: { properties: [{ name: "title", value: $title }] }) { count } }',
  ),
  ...mutation('models_gone', 'mutation { r: customizations_delete_all(model_schema_name: "note") { count } }'),
  ...mutation(
    'profiles_gone',
    'mutation ($type: String, $user: Int, $all: Boolean) { r: user_profiles_delete_all(user_profile_type_name: $type, user_id: $user, all_user_profile_types: $all) { count } }',
  ),
  ...mutation(
    'active',
    'mutation { a: activity_create(payload: { type: "Like" }) { id uuid } b: activity_create(payload: { type: "Note" }) { id } }',
  ),
  ...mutation(
    'published',
    'mutation ($uuid: ID!) { p: activity_publish(uuid: $uuid, ids: ["1", "2"], feed_type: "user") }',
  ),
  ...mutation('unpublished', 'mutation ($yes: Boolean) { r: activity_unpublish_all(confirm: $yes) }'),
  ...mutation('inactive', 'mutation ($yes: Boolean) { r: activity_delete_all(confirm: $yes) }'),
}

describe('what is deployed', () => {
  test('mails, texts and calls, with their settings as they are written', async () => {
    expect((await asked('/email')).r).toEqual({
      total_entries: 1,
      results: [
        {
          ...{ name: 'hello', to: 'ann@example.com', from: '{{ data.from }}', subject: "It's {{ data.title }}" },
          ...{ content: 'Hello {{ data.title }}', delay_by: '5', layout: 'mail', trigger_condition: '{{ data.go }}' },
          ...{ physical_file_path: 'app/emails/hello.liquid', forms: [{ name: 'note_form' }] },
        },
      ],
    })
    expect((await asked('/sms')).r.results).toEqual([
      { name: 'code', to: '{{ data.phone }}', content: 'Code {{ data.code }}', forms: [{ name: 'note_form' }] },
    ])
    expect((await asked('/call')).r.results).toEqual([
      {
        ...{ name: 'ping', to: 'https://example.com/', request_type: 'POST', headers: '{"A": "{{ data.a }}"}' },
        callback: '{% if response.status == 200 %}\n  {% log "ok" %}\n{% endif %}',
        ...{ content: '{"x": 1}', metadata: { b: 2 } },
      },
    ])
  })

  test('forms, with what they ask of policies and what they send', async () => {
    const [form] = (await asked('/form')).r.results
    expect(form).toMatchObject({
      ...{ name: 'note_form', resource: 'note', resource_owner: 'anyone', redirect_to: '/thanks' },
      flash_notice: 'Thank you, {{ form.properties.title }}',
      default_payload: '{"properties": {"count": 1}}',
      callback_actions: '{% log form.properties.title %}',
      async_callback_priority: null,
      liquid_body: '<b>{{ form.resource }}</b>',
      authorization_policies: [{ name: 'open' }],
      email_notifications: [{ name: 'hello', subject: "It's {{ data.title }}" }],
      sms_notifications: [{ name: 'code' }],
      api_call_notifications: [{ name: 'ping' }],
    })
    expect(form.fields).toMatchObject({ properties: { title: { validation: ['presence'] } } })
  })

  test('queries, layouts, policies and types of profiles', async () => {
    expect((await asked('/graphql')).r.results).toEqual([
      {
        name: 'notes/one',
        query_string: 'query { records(per_page: 1) { total_entries } }',
        physical_file_path: 'app/graphql/notes/one.graphql',
      },
    ])
    expect((await asked('/layout')).r.results).toEqual([
      { path: 'application', body: '{{ content_for_layout }}', format: 'html' },
      { path: 'mail', body: 'mail {{ content_for_layout }}', format: 'html' },
    ])
    expect((await asked('/policy')).r.results).toEqual([
      { name: 'open', content: 'true', http_status: 403, redirect_to: '/in' },
    ])
    expect((await asked('/profile')).r.results).toEqual([
      { name: 'buyer', parameterized_name: 'buyer', properties: [{ name: 'budget', attribute_type: 'integer' }] },
    ])
  })

  test('what no site has here is an empty list', async () => {
    expect(await asked('/none')).toEqual({
      handlers: { total_entries: 0, results: [] },
      admin_versions: { total_entries: 0, per_page: 5, results: [] },
      admin_third_party_integrations: { total_entries: 0 },
      admin_transactable_schemas: { total_entries: 0 },
    })
  })
})

describe('imports', () => {
  test('users and records come in with their relations, and again without a change', async () => {
    const users = [
      {
        id: 'u1',
        email: 'ann@example.com',
        slug: 'ann',
        password: 'correct horse',
        profiles: [{ type_name: 'buyer', properties: { budget: 5 } }],
      },
    ]
    const first = (await run('users_in', { users })).r
    expect(first.external_ids).toEqual(['u1'])
    const [user] = await database.sql`select id, encrypted_password from ingot.users where external_id = 'u1'`
    expect(first.ids).toEqual([user?.['id']])
    expect(await verifyPassword(user?.['encrypted_password'] as string, 'correct horse')).toBe(true)
    const models = [
      { id: 'n2', type_name: 'note', user_id: 'u1', properties: { title: 'two', count: 2 } },
      { id: 'n1', type_name: 'note', properties: { title: 'one' } },
    ]
    const made = (await run('models_in', { models })).r
    expect(made.external_ids).toEqual(['n2', 'n1'])
    const again = (await run('models_in', { models })).r
    expect(again).toEqual(made)
    expect(await database.sql`select user_id, properties from ingot.records where external_id = 'n2'`).toEqual([
      { user_id: user?.['id'], properties: { title: 'two', count: 2 } },
    ])
    const raw = (await run('models_in', { models: [{ id: 700, type_name: 'note', properties: {} }], remap: false })).r
    expect(raw.ids).toEqual(['700'])
    expect((await asked('/metrics')).r).toEqual({
      ...{ records_total: 3, users_total: 1, user_profiles_total: 1, activities_total: 0, images_total: 0 },
      transactables_total: 0,
    })
  })

  test('one wrong row keeps all out, and an import is no part of a transaction', async () => {
    const models = [
      { id: 'x1', type_name: 'note', properties: { title: 'x' } },
      { id: 'x2', type_name: 'boat', properties: {} },
    ]
    const { errors } = await run('models_in', { models })
    expect(errors[0].message).toMatch(
      /^Nothing was imported: 1 of 2 rows are invalid\.\nimport_models:2: boat, row 2: there is no table 'boat'/,
    )
    expect(await database.sql`select id from ingot.records where external_id = 'x1'`).toEqual([])
    const inBlock = await run('models_in', { models: models.slice(0, 1) }, '&block=1')
    expect(inBlock['errors'][0].message).toBe(
      '`import_models` has its own transaction, so it cannot be in the block `transaction`.',
    )
    expect(await database.sql`select id from ingot.records where external_id = 'x1'`).toEqual([])
  })
})

describe('all rows', () => {
  test('of a table are changed and deleted under their old names', async () => {
    expect(await run('models_changed', { from: 'one', title: 'uno' })).toEqual({ r: { count: 1 } })
    const left =
      await database.sql`select properties ->> 'title' as title from ingot.records where deleted_at is null order by 1`
    expect(left.map((row) => row['title'])).toEqual(['two', 'uno', null])
    expect(await run('models_gone')).toEqual({ r: { count: 3 } })
  })

  test('profiles go by type, by user, or all where that is said', async () => {
    expect((await run('profiles_gone')).errors[0].message).toContain('needs `user_profile_type_name` or `user_id`')
    expect((await run('profiles_gone', { type: 'byer' })).errors[0].message).toMatch(/did you mean/i)
    expect(await run('profiles_gone', { user: 999 })).toEqual({ r: { count: 0 } })
    expect(await run('profiles_gone', { type: 'buyer' })).toEqual({ r: { count: 1 } })
    expect(await run('profiles_gone', { all: true })).toEqual({ r: { count: 0 } })
  })

  test('activities leave their feeds and go, once that is confirmed', async () => {
    const made = await run('active')
    const ids = [made['a'].id, made['b'].id]
    await run('published', { uuid: made['a'].uuid })
    expect((await run('unpublished')).errors[0].message).toBe('`activity_unpublish_all` needs `confirm: true`.')
    expect((await run('inactive', { yes: false })).errors[0].message).toBe(
      '`activity_delete_all` needs `confirm: true`.',
    )
    expect(await run('unpublished', { yes: true })).toEqual({ r: [ids[0]] })
    expect(await database.sql`select 1 from ingot.feed_entries`).toHaveLength(0)
    const gone = await run('inactive', { yes: true })
    expect([...gone['r']].sort()).toEqual([...ids].sort())
    expect(await database.sql`select 1 from ingot.activities`).toHaveLength(0)
  })
})
