/** Tests Liquid and GraphQL on a site's own data, as in `ingot exec` and `ingot console`. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../../../../server/core/settings.ts'
import { ConsoleSession } from '../../../../server/tools/terminal/console-session.ts'
import { runText } from '../../../../server/commands/exec.ts'
import { openWorkbench, type Workbench } from '../../../../server/tools/terminal/workbench.ts'
import { NEW_SITE } from '../../../support/new-site.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { builtProduct } from '../../../support/product.ts'
import { folder } from '../../../support/server/site.ts'

const logger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {}, trace() {} } as never
let database: TestDatabase
let workbench: Workbench

beforeAll(async () => {
  database = await testDatabase()
  workbench = await openWorkbench({
    dir: folder(NEW_SITE),
    settings: readSettings({ DATABASE_URL: database.url }, 'development'),
    version: '0.1.0',
    bin: join(builtProduct(), 'server/bin.mjs'),
    logger,
  })
})
afterAll(async () => {
  await workbench.close()
  await database.close()
})

const CREATE = `mutation ($name: String) { record_create(record: { table: "dish", properties: [
  { name: "name", value: $name }, { name: "price", value_int: 3 }] }) { id } }`

async function ran(language: 'liquid' | 'graphql', text: string, variables = {}) {
  let [out, printed] = ['', '']
  const output = { out: (more: string) => void (out += more), print: (more: string) => void (printed += more) }
  return { code: await runText(workbench, { language, variables }, text, output), out, printed }
}

test('a document writes, and a template reads what it wrote, with its parameters', async () => {
  expect(await ran('graphql', CREATE, { name: 'Tea' })).toMatchObject({ code: 0, printed: '' })
  const read = await ran('graphql', '{ records(per_page: 1) { results { price: property_float(name: "price") } } }')
  expect(JSON.parse(read.out)).toEqual({ records: { results: [{ price: 3 }] } })
  const text = "{% graphql menu = 'dishes/list' %}{{ menu.dishes.results.first.name }} {{ context.params.word }}"
  expect(await ran('liquid', text, { word: 'now' })).toEqual({ code: 0, out: 'Tea now\n', printed: '' })
})

test('what is wrong is told with its line', async () => {
  expect(await ran('liquid', 'a\n{{ 1 | upcas }}')).toEqual({
    ...{ code: 1, out: '' },
    printed: 'Line 2: There is no filter named `upcas`. Did you mean `upcase`?\n',
  })
  const failed = await ran('liquid', 'a\n\n{{ context.params.n | divided_by: 0 }}', { n: 1 })
  expect(failed).toMatchObject({ code: 1, printed: expect.stringMatching(/^Line 3: .*divided by 0/) })
  const refused = await ran('graphql', '{ recods { total_entries } }')
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('recods') })
})

test('a console keeps variables, takes several lines, and completes by the compiler', async () => {
  let out = ''
  const session = new ConsoleSession(workbench, {
    out: (text) => void (out += text),
    print: (text) => void (out += `! ${text}`),
  })
  for (const line of ['assign soup = "Tea"', 'if soup', 'echo soup', 'endif', 'soup.size', 'nope | upcas'])
    expect(await session.runLine(line)).toBe(true)
  expect(out).toBe('Tea\n3\n! Line 1: There is no filter named `upcas`. Did you mean `upcase`?\n')
  expect((await session.complete("'a' | upc"))[0]).toEqual(['upcase'])
  expect((await session.complete("graphql x = 'dishes/l"))[0]).toEqual(['dishes/list'])
  expect((await session.complete('so'))[0]).toContain('soup')
  expect(await session.runLine('.exit')).toBe(false)
})

test('a console also knows `help` and `exit` without the dot, unless they are variables', async () => {
  let out = ''
  const write = (text: string) => void (out += text)
  const session = new ConsoleSession(workbench, { out: write, print: write })
  expect(await session.runLine('help')).toBe(true)
  expect(out).toContain('.names')
  out = ''
  expect(await session.runLine('assign help = "Tea"')).toBe(true)
  expect(await session.runLine('help')).toBe(true)
  expect(out).toBe('"Tea"\n')
  expect(await session.runLine('exit')).toBe(false)
})
