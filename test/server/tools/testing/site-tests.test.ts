/** Tests `ingot test` on a site: each test runs in a transaction that is rolled back, with its jobs and requests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NEW_SITE } from '../../../support/new-site.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { readTestLine, runTests, type TestOutput } from '../../../../server/commands/test.ts'
import { SiteTests } from '../../../../server/tools/testing/site-tests.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { builtProduct } from '../../../support/product.ts'
import { folder } from '../../../support/server/site.ts'

/** An assertion like that of the platform's module: it counts, and adds to the errors of the contract. */
const EQUAL = `{% liquid
  hash_assign contract['total'] = contract['total'] | plus: 1
  if given != expected
    assign found = contract.errors[field_name] | default: '[]' | parse_json
    capture message
      echo 'expected '
      echo given
      echo ' to equal '
      echo expected
    endcapture
    assign found = found | array_add: message
    assign errors = contract.errors
    hash_assign errors[field_name] = found
    hash_assign contract['success'] = false
  endif
  return contract
%}`

const CREATE = `mutation ($name: String) { made: record_create(record: { table: "dish", properties: [
  { name: "name", value: $name }, { name: "price", value_int: 3 }] }) { id name: property(name: "name") } }`

/** A test that fails if rows of another test exist, or are left. */
const ALONE = `{% liquid
  graphql before = 'dishes/list'
  graphql made = 'test/create', name: 'Tea'
  graphql after = 'dishes/list'
  function contract = 'assert/equal', contract: contract, given: before.dishes.results.size, expected: 0, field_name: 'before'
  function contract = 'assert/equal', contract: contract, given: after.dishes.results.size, expected: 1, field_name: 'after'
%}`

const SITE = {
  ...NEW_SITE,
  'app/lib/assert/equal.liquid': EQUAL,
  'app/graphql/test/create.graphql': CREATE,
  'app/lib/test/alone_test.liquid': ALONE,
  'app/lib/test/again_test.liquid': ALONE,
  'app/lib/tests/more_test.liquid': ALONE,
  'app/views/partials/lib/test/old_test.liquid': ALONE,
  'app/lib/test/wrong_test.liquid': `{% liquid
  graphql made = 'test/create', name: 'Tea'

  function contract = 'assert/equal', contract: contract, given: made.made.name, expected: 'Soup', field_name: 'name'
  function contract = 'assert/equal', contract: contract, given: 1, expected: 1, field_name: 'one'
%}`,
  'app/lib/test/broken_test.liquid':
    "{% liquid\n  graphql made = 'test/create', name: 'Tea'\n  assign x = made.made.id | divided_by: 0\n%}",
  'app/lib/test/lacking_test.liquid':
    "{% liquid\n  function contract = 'modules/tests/assertions/equal', contract: contract, given: 1, expected: 1\n%}",
  'app/lib/test/undone_test.liquid': `{% liquid
  transaction
    graphql made = 'test/create', name: 'gone'
    rollback
  endtransaction
  transaction
    graphql made = 'test/create', name: 'kept'
  endtransaction
  graphql after = 'dishes/list'
  function contract = 'assert/equal', contract: contract, given: after.dishes.results.size, expected: 1, field_name: 'rows'
%}`,
  'app/lib/test/job_test.liquid': `{% liquid
  background name: 'later'
    graphql made = 'test/create', name: name
  endbackground
  transaction
    background name: 'never'
      graphql made = 'test/create', name: name
    endbackground
    rollback
  endtransaction
  graphql after = 'dishes/list'
  function contract = 'assert/equal', contract: contract, given: after.dishes.results.first.name, expected: 'later', field_name: 'job'
  function contract = 'assert/equal', contract: contract, given: after.dishes.results.size, expected: 1, field_name: 'rows'
%}`,
  'app/lib/test/bad_job_test.liquid': '{% background n: 0 %}{{ 1 | divided_by: n }}{% endbackground %}',
  'app/lib/test/setup.liquid': "{% liquid\n  graphql made = 'test/create', name: name\n  return made.made\n%}",
  'app/lib/test/pages_test.yml': `- GET: /
  text: We are closed.
- run: test/setup
  with: { name: Tea }
  as: dish
- GET: /dishes/{dish.id}
  status: 200
  selector: { h1: Tea, main li: 0 }
- GET: /dishes/999999999
  status: [302, 404]
  without: Tea
`,
  'app/lib/test/wrong_pages_test.yml': `- GET: /
  status: [201, 302]
- GET: /nowhere
- GET: /
  selector: table
`,
  'app/views/pages/token.liquid': '{{ context.authenticity_token }}',
  'app/views/partials/channels/bar/subscribed.liquid':
    '{% unless context.params.room_id == "back" %}true{% endunless %}',
  'app/lib/test/wrong_socket_test.yml': `- send: { text: a }
- subscribe: { channel: bar, room_id: 1 }
- GET: /token
- subscribe: { channel: bar, room_id: back }
- subscribe: { channel: bar, room_id: 1 }
  refused: unauthorized
- send: { text: a, n: 1 }
- receive: { text: b }
- receive: { text: a }
- send: { text: c }
- receive: false
- unsubscribe: true
- send: { text: d }
- receive: false
`,
}

let database: TestDatabase
let tests: SiteTests
let root: string

beforeAll(async () => {
  database = await testDatabase()
  root = folder(SITE)
  const bin = join(builtProduct(), 'server/bin.mjs')
  const thread = join(builtProduct(), 'dist/job-thread.mjs')
  const settings = readSettings({ DATABASE_URL: database.url }, 'development')
  tests = await SiteTests.open({ dir: root, settings, version: '0.1.0', bin, thread })
})
afterAll(async () => {
  await tests.close()
  await database.close()
})

async function run(...argv: readonly string[]): Promise<{ code: number; out: string }> {
  let out = ''
  const take = (text: string): void => void (out += text)
  const output: TestOutput = { out: take, print: take, color: false, status: null }
  return { code: await runTests(readTestLine([root, ...argv]), tests, output), out }
}

test('tests pass and fail by their contracts, with the line, what was expected and what came', async () => {
  const { code, out } = await run('--coverage')
  expect(code).toBe(1)
  const shown = out.replace(/ +\d+ ms$/gm, '').split('\n')
  const passed = shown.filter((line) => line.startsWith('✓')).map((line) => line.slice(2).split('  ')[0])
  expect(passed).toEqual([
    ...['lib/test/old_test', 'test/again_test', 'test/alone_test', 'test/job_test', 'test/pages_test.yml'],
    ...['test/undone_test', 'tests/more_test'],
  ])
  const at = (name: string, count: number): readonly string[] => {
    const start = shown.indexOf(`✗ ${name}`)
    return shown.slice(start + 1, start + 1 + count).map((line) => line.trim())
  }
  expect(at('test/wrong_test', 4)).toEqual([
    ...['app/lib/test/wrong_test.liquid:4', 'name', '- expected  Soup', '+ got       Tea'],
  ])
  expect(at('test/lacking_test', 2)).toEqual([
    'app/lib/test/lacking_test.liquid:2',
    "the module 'tests', which has 'assertions/equal', is not installed: run `ingot modules install tests`",
  ])
  expect(at('test/broken_test', 2)).toEqual(['app/lib/test/broken_test.liquid:3', 'divided by 0'])
  expect(at('test/bad_job_test', 2)).toEqual(['app/lib/test/bad_job_test.liquid:1', 'in a job: divided by 0'])
  expect(out).toContain(
    'app/lib/test/wrong_pages_test.yml:1\n      GET /: status\n      - expected  201 or 302\n      + got       200',
  )
  expect(out).toContain('app/lib/test/wrong_pages_test.yml:3\n      GET /nowhere: status')
  expect(out).toMatch(/wrong_pages_test\.yml:4\n {6}GET \/: table: no element matches:\n/)
  expect(out).toContain('app/lib/test/wrong_socket_test.yml:1\n      subscribe: no step before has subscribed')
  expect(out).toContain('wrong_socket_test.yml:2\n      subscribe: the site refused the connection (unauthorized)')
  expect(out).toContain(
    'wrong_socket_test.yml:4\n      subscribe\n      - expected  admitted\n      + got       unauthorized',
  )
  expect(out).toContain(
    'wrong_socket_test.yml:5\n      subscribe\n      - expected  unauthorized\n      + got       admitted',
  )
  expect(out).toContain(
    'wrong_socket_test.yml:8\n      receive\n      - expected  {"text":"b"}\n      + got       {"text":"a"}',
  )
  expect(out).toContain(
    'wrong_socket_test.yml:9\n      receive\n      - expected  {"text":"a"}\n      + got       nothing',
  )
  expect(out).toContain(
    'wrong_socket_test.yml:11\n      receive\n      - expected  nothing\n      + got       {"text":"c"}',
  )
  expect(out).not.toContain('wrong_socket_test.yml:14')
  expect(out).toMatch(/^13 tests, \d+ assertions: 6 failed/m)
  expect(out).toMatch(/^app\/lib\/assert\/equal\.liquid +100\.0%$/m)
  expect(out).toMatch(/^app\/views\/pages\/dishes\/show\.liquid +100\.0%$/m)
})

test('nothing that tests have written is left, of rows and of jobs', async () => {
  const [left] = await database.sql<{ rows: number; jobs: number }[]>`
    select (select count(*)::int from ingot.records) as rows,
      (select count(*)::int from graphile_worker._private_jobs) as jobs`
  expect(left).toEqual({ rows: 0, jobs: 0 })
})

test('files, names and filters choose, and what was saved is read again', async () => {
  expect((await run('app/lib/test/none_test.liquid')).code).toBe(2)
  expect((await run('app/lib/test/alone_test.liquid')).code).toBe(0)
  expect(await run('--filter', 'undone')).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 test, 1 assertion'),
  })
  expect(await run('--filter', 'no such')).toMatchObject({ code: 2 })
  const path = join(root, 'app/lib/test/alone_test.liquid')
  writeFileSync(path, ALONE.replace('expected: 0', 'expected: 7'))
  const failed = await run('--filter', 'alone', '--reporter', 'junit')
  expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('expected: 7\ngot: 0') })
  writeFileSync(path, ALONE)
  const json = await run('--filter', 'alone', '--reporter', 'json')
  expect(JSON.parse(json.out)).toMatchObject({ results: [{ assertions: 2, failures: [] }] })
})

test('production is refused', async () => {
  const settings = readSettings({ DATABASE_URL: database.url, INGOT_ENV: 'production' }, 'development')
  await expect(SiteTests.open({ dir: root, settings, version: '', bin: '', thread: '' })).rejects.toThrow(
    /^Tests and experiments do not run in production:/,
  )
})
