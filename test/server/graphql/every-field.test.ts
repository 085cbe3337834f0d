/** Each field of each type, asked once on a database that holds a row of each kind: what a type says is always there is there. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schema as interfaceSchema } from '../../../runtime/data/query/index.ts'
import { createAccounts } from '../../../server/accounts/accounts.ts'
import { type App, createApp } from '../../../server/app.ts'
import { openFiles } from '../../../server/files/open.ts'
import { type GraphqlProcess, openGraphql } from '../../../server/graphql/process.ts'
import type { Notifications } from '../../../server/notifications/model.ts'
import { openNotifications } from '../../../server/notifications/open.ts'
import { applyData, type TestDatabase, testDatabase } from '../../database.ts'
import { type LiquidSite, liquidSite } from '../liquid-site.ts'
import { request } from '../support.ts'
import { ADMIN, SECRET } from './served.ts'

const PROPERTIES = `  - name: title
  - name: tags
    type: array
  - name: ready
    type: boolean
  - name: rate
    type: float
  - name: count
    type: integer
  - name: file
    type: upload
`
const FILES: Readonly<Record<string, string>> = {
  'app/schema/item.yml': `name: item\nproperties:\n${PROPERTIES}`,
  'app/user.yml': `name: user\nproperties:\n${PROPERTIES}`,
  'app/user_profile_schemas/author.yml': `name: author\nproperties:\n${PROPERTIES}`,
  'app/forms/item.liquid': '---\nname: item\nresource: item\nfields:\n  properties:\n    title:\n---\n',
  'app/forms/member.liquid': '---\nname: member\nresource: User\nfields:\n  email:\n  password:\n---\n',
  'app/assets/logo.svg': '<svg/>',
  'app/authorization_policies/all.liquid': '---\nname: all\n---\ntrue',
  'app/emails/note.liquid': '---\nto: a@example.com\nfrom: b@example.com\nsubject: A note\n---\nbody',
  'app/lib/nothing.liquid': 'nothing',
  'app/views/pages/index.liquid': '---\nauthorization_policies:\n  - all\nmetadata:\n  a: 1\n---\nhome',
  'app/views/pages/later.liquid': "{% background job = 'nothing', delay: 60 %}{{ job }}",
  'app/views/pages/run.liquid':
    '---\nslug: run\nformat: json\nmethod: post\n---\n{% if context.params.user %}{% sign_in user_id: context.params.user %}{% endif %}{% graphql g %}{{ context.params.document }}{% endgraphql %}{{ g | json }}',
}

/** Values of required arguments, and of others that a result needs, by the argument's name; by field and argument where that is not enough. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  per_page: '5',
  name: '"title"',
  'property_array.name': '"tags"',
  'property_boolean.name': '"ready"',
  'property_float.name': '"rate"',
  'property_int.name': '"count"',
  'property_json.name': '"file"',
  'property_object.name': '"file"',
  'property_upload.name': '"file"',
  'custom_image.name': '"photo"',
  table: '["item"]',
  model_schema_name: '["item"]',
  'ListingsCustomization.related_model.model_schema_name': '"item"',
  'UserListing.related_model.model_schema_name': '"item"',
  'ListingUserProfile.related_model.model_schema_name': '"item"',
  join_on_property: '"title"',
  foreign_property: '"title"',
  profile_type: '"author"',
  password: '"a long password"',
  code: '"123456"',
  token: '"x"',
  'constant.filter': '{ name: "KEY" }',
  'user.email': '"one@example.com"',
  feed_type: '"news"',
  search_index: '"books"',
  feed_id: '"7"',
}

const PROPERTY_VALUES =
  '[{ name: "title", value: "a" }, { name: "tags", value_array: ["b"] }, { name: "ready", value_boolean: true }, { name: "rate", value_float: 1.5 }, { name: "count", value_int: 2 }]'
const FILE = '{ name: "file", value_upload: { type: plain, content: "text", file_path: "a.txt", acl: public } }'
const ITEM = `{ table: "item", external_id: "x", properties: [${FILE}, { name: "title", value: "a" }, { name: "tags", value_array: ["b"] }, { name: "ready", value_boolean: true }, { name: "rate", value_float: 1.5 }, { name: "count", value_int: 2 }] }`
const OLD_ITEM = '{ model_schema_name: "item", external_id: "x", properties: [{ name: "title", value: "a" }] }'
const VECTOR = `[${Array.from({ length: 1536 }, () => '0.5').join(',')}]`

/** Arguments of each mutation, in the order in which they are run. `$name` stands for the id that an earlier one gave. */
const MUTATIONS: readonly (readonly [field: string, args: string])[] = [
  [
    'user_create',
    `user: { email: "one@example.com", password: "a long password", external_id: "x", first_name: "A", properties: ${PROPERTY_VALUES}, profiles: [{ name: "author", values: { properties: ${PROPERTY_VALUES} } }] }`,
  ],
  [
    'user_update',
    `id: "$user_create", user: { last_name: "B", properties: [{ name: "file", value: "https://files.example/a.txt" }] }`,
  ],
  ['user_session_create', 'email: "one@example.com", password: "a long password"'],
  ['user_session_destroy', ''],
  ['session_create_field', 'name: "a", value: 1'],
  ['session_delete_field', 'name: "a"'],
  ['user_otp_secret_refresh', 'user_id: "$user_create"'],
  ['user_otp_delete_token', 'user_id: "$user_create"'],
  ['jwt_decode_and_set_session', 'jwt_token: "no token"'],
  ['record_create', `record: ${ITEM}`],
  ['record_update', 'id: "$record_create", record: { properties: [{ name: "title", value: "a" }] }'],
  ['records_create_rc', 'records: [{ table: "item", properties: { title: "a" }, external_id: "x" }]'],
  ['records_update_all', 'table: "item", record: { properties: [{ name: "title", value: "a" }] }'],
  [
    'upload_delete',
    'upload_object_id: "$record_create", upload_object_type: Record, attribute_name: "none", sync: true',
  ],
  ['model_create', `model: ${OLD_ITEM}`],
  ['model_update', `id: "$model_create", model: ${OLD_ITEM}`],
  ['model_delete', 'id: "$model_create"'],
  ['customization_create', `customization: ${OLD_ITEM}`],
  ['customization_update', `id: "$customization_create", customization: ${OLD_ITEM}`],
  ['customization_delete', 'id: "$customization_create"'],
  ['form_submit', 'form_name: "item", fields: { properties: { title: "a" } }'],
  ['constant_set', 'name: "KEY", value: "b"'],
  ['activity_create', 'payload: { type: "Create", actor: "7" }'],
  ['activity_publish', 'uuid: "$activity_create", feed_type: "news", ids: ["7"]'],
  ['embedding_create_rc', `embedding: { embedding: ${VECTOR}, metadata: { a: 1 } }`],
  ['embedding_update_rc', `id: "$embedding_create_rc", embedding: { metadata: { a: 2 } }`],
  ['documents_insert_rc', 'search_index: "books", id: "1", document: { title: "a", tags: ["b"] }'],
  ['documents_upsert_rc', 'search_index: "books", id: "1", document: { rate: 1.5 }'],
  ['documents_bulk_upsert_rc', 'search_index: "books", documents: [{ id: 2, count: 1 }]'],
  ['data_export', 'records: { filter: { table: { value: "item" } } }'],
  ['email_send', 'template: { name: "note" }'],
  ['sms_send', 'template: { name: "there_is_none" }'],
  ['api_call_send', 'api_call: { url: "http://127.0.0.1:$port/", method: "GET" }'],
  ['log', 'message: "a", type: info'],
  ['property_upload_presigned_url', 'property_name: "file", table: "item"'],
  ['admin_translation_set', 'translation: { key: "a.b", locale: "en", value: "c" }'],
  ['admin_translation_set_json', 'strategy: merge, translation: { key: "d", locale: "en", value_json: { e: "f" } }'],
  // What takes away comes when the queries have been asked.
  ['admin_translation_unset', 'key: "a.b", locale: "en"'],
  ['admin_background_job_retry', 'id: "$job"'],
  ['admin_background_job_delete', 'id: "$job"'],
  ['admin_background_jobs_delete_all', ''],
  ['documents_delete_rc', 'search_index: "books", id: "1"'],
  ['data_export_delete', 'id: "$data_export"'],
  ['embedding_delete_rc', 'id: "$embedding_create_rc"'],
  ['activity_unpublish', 'uuid: "$activity_create"'],
  ['constant_unset', 'name: "KEY"'],
  ['record_delete', 'id: "$record_create", table: "item"'],
  ['records_delete_all', 'table: "item"'],
  ['models_delete_all', 'model_schema_name: "item"'],
  ['user_profile_delete', 'user_id: "$user_create", profile_type: "author"'],
  ['users_update_all', 'all_users: true, user: { first_name: "C" }'],
  ['user_delete', 'id: "$user_create"'],
  ['users_delete_all', 'all_users: true'],
]
const AFTERWARDS = 'admin_translation_unset'

const HOME = mkdtempSync(join(tmpdir(), 'ingot-every-field-'))
const theirs = interfaceSchema()
/** Ids by the mutation that gave them. */
const ids = new Map<string, string>()
/** Names of the types of which a row was seen. */
const seen = new Set<string>()
let database: TestDatabase
let built: LiquidSite
let graphql: GraphqlProcess
let notifications: Notifications
let app: App
let closeFiles: () => void
let elsewhere: Server

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const { sql } = database
  const logger = pino({ level: 'silent' })
  const tableIds = await applyData(sql, built.loaded.site.data)
  graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: ADMIN, logger })
  mkdirSync(join(HOME, 'incoming'))
  const asset = async () => null
  const opened = openFiles({ sql, secret: SECRET, dataFolder: HOME, uploadLimit: 1_000, s3: null, asset, logger })
  closeFiles = opened.close
  const delivery = { smtpUrl: null, from: null, testEmail: null, smsUrl: null, smsToken: null }
  const environment = 'production' as const
  const files = opened.service
  notifications = openNotifications({
    environment,
    delivery,
    outgoing: ['127.0.0.1'],
    dataFolder: HOME,
    sql,
    files,
    logger,
  })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const constants = graphql.constants.all
  const facts = { environment, version: '0.1.0', constants, logger, graphql, notifications, files, accounts }
  app = createApp(built.loaded, facts, tableIds)
  elsewhere = createServer((_request, response) => response.end('heard'))
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready))
  ids.set('port', String((elsewhere.address() as AddressInfo).port))
  await sql`insert into ingot.notifications (channel, name, content, options) values ('email', 'note', '{}', '{}')`
}, 120_000)
afterAll(async () => {
  closeFiles?.()
  elsewhere?.close()
  await notifications?.close()
  await graphql?.close()
  await database?.close()
  built?.close()
  rmSync(HOME, { recursive: true, force: true })
})

async function run(document: string): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ document, user: ids.get('user_create') ?? null })
  const headers = { authorization: `Token token=${ADMIN}` }
  const { status, body: text } = await app.handler(
    request('/run.json', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(body),
    }),
  )
  expect(status, String(text)).toBe(200)
  return JSON.parse(String(text)) as Record<string, unknown>
}

/** Every field of the type, and of those below that were not asked yet. */
function selection(type: GraphQLObjectType, asked: Set<string>): string {
  asked.add(type.name)
  const parts = Object.values(type.getFields()).flatMap((field) => {
    const below = getNamedType(field.type)
    const call = `${field.name}${argumentsOf(type.name, field)}`
    if (isLeafType(below)) return [call]
    if (!isObjectType(below)) return []
    return [`${call} { ${asked.has(below.name) ? '__typename' : selection(below, asked)} }`]
  })
  return ['__typename', ...parts].join(' ')
}

function argumentsOf(type: string, field: GraphQLField<unknown, unknown>): string {
  const given = field.args.flatMap(({ name, type: takes, defaultValue }) => {
    const exact = ARGUMENTS[`${type}.${field.name}.${name}`] ?? ARGUMENTS[`${field.name}.${name}`]
    const value = exact ?? (isNonNullType(takes) || /property$/.test(name) ? ARGUMENTS[name] : undefined)
    if (value === undefined && isNonNullType(takes) && defaultValue === undefined)
      throw new Error(`no value for ${type}.${field.name}(${name})`)
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  return given.length === 0 ? '' : `(${given.join(', ')})`
}

function note(value: unknown): void {
  if (Array.isArray(value)) for (const each of value) note(each)
  else if (typeof value === 'object' && value !== null) {
    const row = value as Record<string, unknown>
    if (typeof row['__typename'] === 'string') seen.add(row['__typename'])
    for (const each of Object.values(row)) note(each)
  }
}

async function change(field: string, args: string): Promise<void> {
  const filled = args.replace(/\$(\w+)/g, (_all, name: string) => ids.get(name) ?? 'none')
  const found = theirs.getMutationType()?.getFields()[field]
  if (found === undefined) throw new Error(`no mutation ${field}`)
  const type = getNamedType(found.type)
  const below = isObjectType(type) ? ` { ${selection(type, new Set())} }` : ''
  const result = await run(`mutation { r: ${field}${filled === '' ? '' : `(${filled})`}${below} }`)
  // No token of ours is that one.
  if (field === 'jwt_decode_and_set_session') return
  if (field === 'user_delete') ids.delete('user_create')
  expect(result['errors']).toBeUndefined()
  note(result)
  const row = result['r'] as Record<string, unknown> | null
  const id = row?.['uuid'] ?? row?.['id']
  if (typeof id === 'string') ids.set(field, id)
}

const at = MUTATIONS.findIndex(([field]) => field === AFTERWARDS)

describe('every field', () => {
  test('is among those that are asked here', () => {
    const mutations = Object.keys(theirs.getMutationType()?.getFields() ?? {})
    expect(MUTATIONS.map(([field]) => field).sort()).toEqual(mutations.sort())
  })

  test.each(MUTATIONS.slice(0, at))('of what %s gives has a value where its type says so', change)

  test('of what only forms and other services have stored', async () => {
    const { sql } = database
    await sql`insert into ingot.authentications (user_id, provider) values (${ids.get('user_create') ?? ''}, 'google')`
    await sql`insert into ingot.attachments (kind, owner_type, owner_id, name, file)
      select 'image', 'Record', id, 'photo', '{"path": "a/b.png", "file_name": "b.png"}' from ingot.records`
  })

  test('of a job', async () => {
    const { body } = await app.handler(request('/later'))
    ids.set('job', String(body))
  })

  test.each(Object.keys(theirs.getQueryType()?.getFields() ?? {}))('of %s has one, too', async (name) => {
    const root = theirs.getQueryType() as GraphQLObjectType
    const field = root.getFields()[name] as GraphQLField<unknown, unknown>
    const type = getNamedType(field.type)
    const below = isObjectType(type) ? ` { ${selection(type, new Set())} }` : ''
    const result = await run(`{ ${name}${argumentsOf(root.name, field)}${below} }`)
    expect(result['errors']).toBeUndefined()
    note(result)
  })

  test.each(MUTATIONS.slice(at))('of what %s gives has a value, when it takes away', change)

  test('was asked of a row of each type', () => {
    const all = Object.values(theirs.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    const unseen = all.map(({ name }) => name).filter((name) => !seen.has(name) && !/^Root/.test(name))
    // Policies are files here: nothing associates them.
    expect(unseen).toEqual(['AuthorizationPolicyAssociation'])
  })
})
