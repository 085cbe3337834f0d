/** Tests `ingot mcp` requests about a site: over standard input and output, on a separate database, and never in production. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEW_SITE } from '../../../support/new-site.ts'
import { RecordFile, RequestRecords } from '../../../../server/operate/observe/kept-requests.ts'
import { ANSWER } from '../../operate/observe/recorded.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { announceServer } from '../../../../server/data/store/servers.ts'
import { SiteTests } from '../../../../server/tools/testing/site-tests.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { builtProduct } from '../../../support/product.ts'
import { folder } from '../../../support/server/site.ts'

const CREATE = `mutation ($name: String) { made: record_create(record: { table: "dish", properties: [
  { name: "name", value: $name }, { name: "price", value_int: 3 }] }) { id } }`

const SITE = {
  ...NEW_SITE,
  'app/graphql/create.graphql': CREATE,
  'app/views/partials/greeting.liquid': "{% log name, type: 'greeted' %}<b>{{ name }}</b>\n",
  'app/views/pages/who.liquid': '---\nslug: who\n---\n{{ context.current_user.id }}{{ context.params.dish }}\n',
  'app/views/pages/sent.liquid': '---\nslug: sent\nmethod: post\n---\nsent {{ context.params.dish }}\n',
  'app/views/pages/broken.liquid': '---\nslug: broken\n---\n{{ context.params.n | divided_by: 0 }}\n',
  'app/lib/test/good_test.liquid': "{% liquid\n  graphql made = 'create', name: 'Tea'\n%}",
  'app/lib/test/bad_test.liquid': "{% liquid\n  assign x = '1' | plus: 1 | divided_by: 0\n%}",
}
const TEA = "{% graphql made = 'create', name: 'Tea' %}{% export made, namespace: 'data' %}"

let database: TestDatabase
let client: Client
let root: string

async function clientFor(dir: string, env: Record<string, string>): Promise<Client> {
  const bin = join(builtProduct(), 'server/bin.mjs')
  const variables = { PATH: process.env['PATH'] ?? '', ...env }
  const made = new Client({ name: 'test', version: '1' })
  await made.connect(new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp', dir], env: variables }))
  return made
}

beforeAll(async () => {
  database = await testDatabase()
  root = folder(SITE)
  client = await clientFor(root, { DATABASE_URL: database.url })
})
afterAll(async () => {
  await client.close()
  await database.close()
})

async function asked(name: string, given: Record<string, unknown>): Promise<{ text: string; failed: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: given })
  return { text: content.map((each) => (each.type === 'text' ? each.text : '')).join(''), failed: isError === true }
}

async function answer(name: string, given: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { text, failed } = await asked(name, given)
  if (failed) throw new Error(text)
  return JSON.parse(text) as Record<string, unknown>
}

test('a text, a partial and a page are rendered with what they are given, and nothing of it stays', async () => {
  expect(
    await answer('render', { text: '{{ dish.name | upcase }}{{ html }}', data: { dish: { name: 'tea' }, html: '<' } }),
  ).toMatchObject({
    text: 'TEA&lt;',
  })
  const partial = await answer('render', { partial: 'greeting', data: { name: '<Ada>' } })
  expect(partial).toMatchObject({
    text: '<b>&lt;Ada&gt;</b>\n',
    logged: [{ type: 'greeted', message: '<Ada>', at: 'app/views/partials/greeting.liquid:1' }],
  })
  const page = await answer('render', { request: { path: '/' }, before: TEA })
  expect(page).toMatchObject({
    status: 200,
    page: 'app/views/pages/index.liquid',
    text: expect.stringContaining('Tea'),
  })
  expect(JSON.stringify(page['trace'])).toContain('query dishes/list')
  const sent = await answer('render', { request: { path: '/sent', method: 'POST', form: { dish: 'Soup' } } })
  expect(sent).toMatchObject({ text: expect.stringContaining('sent Soup') })
  const [rows] = await database.sql<{ count: number }[]>`select count(*)::integer as count from ingot.records`
  expect(rows?.count).toBe(0)
})

test('a request is that of a user who is named', async () => {
  const [row] = await database.sql<{ id: string }[]>`
    insert into ingot.users (email, slug) values ('ada@example.com', 'ada') returning id::text as id`
  const page = await answer('render', { request: { path: '/who?dish=7' }, user: row?.id })
  expect(page['text']).toContain(`${row?.id}7`)
  expect(await asked('render', { request: { path: '/who' }, user: '999999' })).toMatchObject({ failed: true })
})

test('what fails is told with its place', async () => {
  expect(await answer('render', { text: 'a\n{{ n | divided_by: 0 }}', data: { n: 1 } })).toMatchObject({
    errors: [{ at: 'text:2', message: 'divided by 0' }],
  })
  expect(await answer('render', { request: { path: '/broken?n=1' } })).toMatchObject({
    logged: [{ message: expect.stringContaining('divided by 0') }],
  })
  expect(await asked('render', { text: '{{ 1 | upcas }}' })).toEqual({
    failed: true,
    text: 'Line 1: There is no filter named `upcas`. Did you mean `upcase`?',
  })
  expect(await asked('render', { partial: 'greetin' })).toMatchObject({ text: expect.stringContaining("'greeting'") })
  expect(await asked('render', { partial: 'greeting', text: 'x' })).toMatchObject({ failed: true })
})

test('tests are run, and a query is explained with its statement', async () => {
  const { passed, failed, failures } = await answer('run_tests', {})
  expect({ passed, failed, failures }).toEqual({
    ...{ passed: 1, failed: 1 },
    failures: [{ test: 'test/bad_test', found: [{ at: 'app/lib/test/bad_test.liquid:2', message: 'divided by 0' }] }],
  })
  const explained = await answer('explain_query', { name: 'dishes/list' })
  expect(explained).toMatchObject({
    kind: 'query',
    statements: [{ sql: expect.stringContaining('from ingot.records') }],
  })
  expect(await asked('explain_query', { name: 'dishes/lst' })).toMatchObject({
    text: expect.stringContaining("'dishes/list'"),
  })
  expect(await asked('explain_query', { document: '{ recods { total_entries } }' })).toMatchObject({ failed: true })
})

test('the last entries of the log and the last requests are read', async () => {
  await database.sql`insert into ingot.logs (type, message, data) values ('error', 'it broke', '{}'), ('info', 'it works', '{}')`
  expect(await answer('read_logs', { type: 'error' })).toMatchObject([{ type: 'error', message: 'it broke' }])
  expect(await asked('read_logs', { grep: '(' })).toMatchObject({ failed: true })
  const file = new RecordFile(join(root, '.ingot-data'))
  const recording = new RequestRecords(file.add).record()
  if (recording === null) throw new Error('too many recordings')
  const query = recording.query({ name: 'dishes/list', document: null, variables: {} })
  query.end({ place: { file: 'app/views/pages/index.liquid', line: 2 }, rows: 3, error: null })
  recording.answer({ ...ANSWER, id: 'r1', url: '/dishes', status: 500 })
  // Records are made after the answer.
  await new Promise(setImmediate)
  await file.close()
  appendFileSync(join(root, '.ingot-data/requests.jsonl'), '{"at": "half of a li')
  const { requests } = await answer('read_requests', { path: '/dishes', failed: true })
  expect(requests).toMatchObject([
    { path: '/dishes', status: 500, queries: [{ name: 'dishes/list', file: 'app/views/pages/index.liquid', line: 2 }] },
  ])
  expect(await answer('read_requests', { path: '/nowhere' })).toMatchObject({ requests: [] })
})

test('the data of a production are left alone, before anything of them is changed', async () => {
  const programs = { bin: join(builtProduct(), 'server/bin.mjs'), thread: join(builtProduct(), 'dist/job-thread.mjs') }
  const open = (environment: 'production' | 'development') => {
    const settings = readSettings({ DATABASE_URL: database.url }, environment)
    return SiteTests.open({ dir: root, settings, version: '1', ...programs })
  }
  await expect(open('production')).rejects.toThrow('set INGOT_ENV to development')
  const self = { host: 'shop-1', version: '1', secret: 's', files: 'f', environment: 'production' }
  const server = announceServer(database.url, self)
  await expect.poll(() => database.sql`select from ingot.servers`).toHaveLength(1)
  await expect(open('development')).rejects.toThrow("A production server on 'shop-1' uses this database")
  await server.close()
  await (await open('development')).close()
})
