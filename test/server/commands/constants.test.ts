/** Tests `ingot constants`. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConstantsLine, runConstantsLine } from '../../../server/commands/constants.ts'
import { openConstants } from '../../../server/web/graphql/values/constants.ts'
import { createSeal } from '../../../server/web/graphql/values/secrets.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const seal = createSeal('a secret of the tests')

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; printed: string }> {
  let [out, printed] = ['', '']
  const line = readConstantsLine(argv)
  const code = await runConstantsLine(
    line,
    { sql: database.sql, seal },
    (text) => void (out += text),
    (text) => void (printed += text),
  )
  return { code, out, printed }
}

it('what is set is listed by name, sealed in the database, and gone when it is unset', async () => {
  expect(await run('list')).toMatchObject({ code: 0, out: '' })
  await run('set', 'KEY=a=b', 'somewhere')
  await run('set', 'EMPTY=')
  await run('set', 'KEY=c=d')
  expect((await run()).out).toBe('EMPTY\nKEY\n')
  expect((await run('list', '--values')).out).toBe('EMPTY=\nKEY=c=d\n')
  expect(JSON.parse((await run('list', '--json')).out)).toEqual([{ name: 'EMPTY' }, { name: 'KEY' }])
  const rows = await database.sql<{ value: string }[]>`select value from ingot.constants`
  expect(rows.some(({ value }) => value.includes('c=d'))).toBe(false)
  expect((await run('unset', 'KEY')).code).toBe(0)
  expect(await run('unset', 'KEY')).toMatchObject({ code: 1, printed: expect.stringContaining('no constant KEY') })
  expect((await run('list')).out).toBe('EMPTY\n')
})

it('servers that run see a change', async () => {
  const logger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {}, trace() {} } as never
  const constants = await openConstants(database.sql, seal, logger)
  await run('set', 'SEEN=yes')
  await expect.poll(() => constants.all()['SEEN']).toBe('yes')
  await run('unset', 'SEEN')
  await expect.poll(() => constants.all()['SEEN']).toBeUndefined()
  await constants.close()
})

it('a value that was sealed with another secret is told, and does not stop the others', async () => {
  await database.sql`insert into ingot.constants (name, value) values ('ALIEN', ${createSeal('another').seal('x')})`
  expect((await run('list', '--values')).out).toContain('ALIEN=(sealed with another INGOT_SECRET: set it again)')
})

it.each([
  [['drop'], /has no action 'drop'/],
  [['set'], /NAME=VALUE/],
  [['set', '=x'], /one line of at most 200/],
  [['set', 'A', 'dir', 'more'], /does not take 'more'/],
  [['unset'], /needs the name/],
  [['unset', 'A', '--json'], /The option --json works only with/],
  [['list', '--shout'], /no option '--shout'/],
])('%j is refused', (argv, sentence) => {
  expect(() => readConstantsLine(argv)).toThrow(sentence)
})
