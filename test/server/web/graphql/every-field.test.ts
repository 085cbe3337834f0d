/**
 * Requests each field of each type once, on a database with a row of each kind. Fields that the schema declares as non-null have a value.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GraphQLField, type GraphQLObjectType, isObjectType } from 'graphql'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { analyze, schema as interfaceSchema } from '../../../../runtime/data/query/index.ts'
import { mutationField } from '../../../../runtime/data/query/schema.ts'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { openFiles } from '../../../../server/web/files/open.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import type { Notifications } from '../../../../server/web/notifications/model.ts'
import { openNotifications } from '../../../../server/web/notifications/open.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { decoderOf } from '../../../support/emitted-code.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'
import { argumentsOf, MUTATIONS, wholeField } from './every-selection.ts'
import { picture } from '../files/ground.ts'
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
  'app/smses/note.liquid': '---\nto: "+1"\n---\nbody',
  'app/api_calls/note.liquid': '---\nto: https://example.com/\nrequest_type: GET\n---\n',
  'app/graphql/count.graphql': 'query { records(per_page: 1) { total_entries } }',
  'app/views/layouts/application.liquid': '{{ content_for_layout }}',
  'app/lib/nothing.liquid': 'nothing',
  'app/views/pages/index.liquid': '---\nauthorization_policies:\n  - all\nmetadata:\n  a: 1\n---\nhome',
  'app/views/pages/later.liquid': "{% background job = 'nothing', delay: 60 %}{{ job }}",
  'app/views/pages/run.liquid':
    '---\nslug: run\nformat: json\nmethod: post\n---\n{% if context.params.user %}{% sign_in user_id: context.params.user %}{% endif %}{% graphql g %}{{ context.params.document }}{% endgraphql %}{{ g | json }}',
}

const TIME = '2026-01-02T03:04:05.678Z'
/** The answer of another site: an object whose id is the title of the rows. */
const REMOTE = JSON.stringify([
  {
    ...{ id: 'a', created_at: TIME, updated_at: TIME, table_id: '1', model_schema_id: '1', email: 'c@d', slug: 'c' },
    properties: { title: 'b' },
  },
])

const AFTERWARDS = 'admin_translation_unset'

const HOME = mkdtempSync(join(tmpdir(), 'ingot-every-field-'))
const theirs = interfaceSchema()
/** Ids, by the mutation that returned them. */
const ids = new Map<string, string>()
/** Names of the types for which a result had a row. */
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
  const png = await picture(4, 4)
  elsewhere = createServer(({ url }, response) =>
    response.end(url?.endsWith('.png') ? png : url?.startsWith('/rows.json') ? REMOTE : 'heard'),
  )
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready))
  ids.set('port', String((elsewhere.address() as AddressInfo).port))
  const origin = `http://127.0.0.1:${ids.get('port')}`
  const originOverrides = { 'http://pictures.example': origin, 'http://sites.example': origin }
  const opened = openFiles({
    ...{ sql, secret: SECRET, dataFolder: HOME, uploadLimit: 1_000, s3: null, asset, originOverrides, logger },
  })
  closeFiles = opened.close
  const delivery = { smtpUrl: null, from: null, testEmail: null, smsUrl: null, smsToken: null }
  const environment = 'production' as const
  const files = opened.service
  notifications = openNotifications({
    environment,
    delivery,
    outgoing: ['127.0.0.1'],
    originOverrides,
    dataFolder: HOME,
    sql,
    files,
    logger,
  })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const constants = graphql.constants.all
  const facts = { environment, version: '0.1.0', constants, logger, graphql, notifications, files, accounts }
  app = createApp(built.loaded, facts, tableIds)
  await sql`insert into ingot.notifications (channel, name, content, options) values ('email', 'note', '{}', '{}')`
})
// The selections of all fields include wrong passwords and codes, which would reach the limit of attempts.
afterEach(() => database.sql`delete from ingot.attempts`)
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
  const result = JSON.parse(String(text)) as Record<string, unknown>
  const { schemaResult: answer } = analyze(document, built.loaded.site.data)
  if (answer === null) throw new Error(`no answer of ${document}`)
  const { accepts, explainMismatch: complaint } = decoderOf(answer)
  expect(accepts(result) ? null : complaint(result, '')).toBeNull()
  return result
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
  const result = await run(`mutation { ${wholeField('r', found, filled === '' ? '' : `(${filled})`)} }`)
  // The field needs a valid token, which is not available here.
  if (field === 'jwt_decode_and_set_session') return
  if (field === 'user_delete') ids.delete('user_create')
  expect(result['errors']).toBeUndefined()
  note(result)
  const row = result['r'] as Record<string, unknown> | null
  const id = row?.['uuid'] ?? row?.['id']
  if (typeof id === 'string') ids.set(field, id)
}

/** Fields that need a server which is deployed to. */
const FILES_OF_DEPLOYS = /^admin_assets_/

const at = MUTATIONS.findIndex(([field]) => field === AFTERWARDS)

describe('every field', () => {
  test('is among those that are asked here', () => {
    // Changes of the site's files need a server with a compiler; `site-changes.test.ts` has them.
    const mutations = Object.keys(theirs.getMutationType()?.getFields() ?? {}).filter(
      (name) => mutationField(name)?.kind !== 'change' && !FILES_OF_DEPLOYS.test(name),
    )
    expect(MUTATIONS.map(([field]) => field).sort()).toEqual(mutations.sort())
  })

  const first = MUTATIONS.findIndex(([field]) => field === 'user_update')
  test.each(MUTATIONS.slice(0, first))('of what %s gives has a value at the start', change)

  test('of a user whose file came by an import, and is sent again', async () => {
    const file = { path: 'https://files.example/a.txt', file_name: 'a.txt', extension: 'txt', versions: {} }
    await database.sql`
      update ingot.users set properties = properties || ${JSON.stringify({ file })}::text::jsonb
      where id = ${ids.get('user_create') ?? ''}`
  })

  test.each(MUTATIONS.slice(first, at))('of what %s gives has a value where its type says so', change)

  test('of what only forms, visits, people and other services have stored', async () => {
    const { sql } = database
    await sql`insert into ingot.logs (type, message) values ('info', 'noted')`
    await sql`insert into ingot.changes (actor, kind, row_id, action, after) values ('development', 'users', '1', 'create', '{}')`
    await sql`insert into ingot.authentications (user_id, provider) values (${ids.get('user_create') ?? ''}, 'google')`
    await sql`insert into ingot.channel_processes (id, connections, rooms)
      values (gen_random_uuid(), 1, '[{"channel": "news", "room": "7", "subscriptions": 1}]')`
    await sql`insert into ingot.attachments (kind, owner_type, owner_id, name, file)
      select 'image', 'Record', id, 'photo', '{"path": "a/b.png", "file_name": "b.png"}' from ingot.records`
  })

  test('of a job', async () => {
    const { body } = await app.handler(request('/later'))
    ids.set('job', String(body))
  })

  const queries = Object.keys(theirs.getQueryType()?.getFields() ?? {}).filter((name) => !FILES_OF_DEPLOYS.test(name))
  test.each(queries)('of %s has one, too', async (name) => {
    const root = theirs.getQueryType() as GraphQLObjectType
    const field = root.getFields()[name] as GraphQLField<unknown, unknown>
    const result = await run(`{ ${wholeField(name, field, argumentsOf(root.name, field))} }`)
    expect(result['errors']).toBeUndefined()
    note(result)
  })

  test.each(MUTATIONS.slice(at))('of what %s gives has a value, when it takes away', change)

  test('was asked of a row of each type', () => {
    const all = Object.values(theirs.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    const unseen = all.map(({ name }) => name).filter((name) => !seen.has(name) && !/^Root/.test(name))
    // Policies are files here and have no associations. The other types have no rows, and nothing is recorded, checked or changed.
    expect(unseen.sort()).toEqual([
      'ActivityStreamsHandler',
      'AssetsCreateMutationPayload',
      'AssetsListing',
      'AssetsListingIdentifier',
      'AssetsPresignUrlsMutationPayload',
      'AuthorizationPolicyAssociation',
      'GraphQL',
      'PresignedUrl',
      'Problem',
      'ProblemCollection',
      'RecordedRequest',
      'SiteRelease',
      'ThirdPartyIntegration',
      'TransactableSchema',
      'Version',
    ])
  })
})
