/** `ingot data` as users run it, on a real PostgreSQL: files, folders, pipes, and killed processes. */
import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataCommand } from '../../../../server/commands/data.ts'
import type { DataHome } from '../../../../server/web/transfer/home.ts'
import { StartError } from '../../../../server/core/start-error.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type CommandResult, waitForExit, type Product, product } from '../../../support/product.ts'
import { property } from './support.ts'

let ingot: Product
let database: TestDatabase
let site: string

const SITE = {
  'app/schema/category.yml': 'name: category\nproperties:\n  - name: title\n  - name: position\n    type: integer\n',
  'app/schema/note.yml':
    'name: note\nproperties:\n  - name: text\n  - name: category_id\n  - name: tags\n    type: array\n',
  'app/views/pages/index.liquid': 'Hello',
  'seed/1-categories.json': JSON.stringify({
    tables: {
      category: [
        { external_id: 'a', properties: { title: 'A' } },
        { external_id: 'b', properties: { title: 'B' } },
      ],
    },
  }),
  'seed/2-notes.json': JSON.stringify({
    users: [{ email: 'anna@example.com' }],
    tables: {
      note: [
        {
          external_id: 'n',
          user_id: { $user: 'anna@example.com' },
          properties: { text: 'é', category_id: { $ref: ['category', 'b'] } },
        },
      ],
    },
  }),
}

async function run(...args: string[]): Promise<CommandResult> {
  return ingot.run(args, { cwd: site, env: { DATABASE_URL: database.url } })
}

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  site = ingot.folder({ ...SITE, 'bad.csv': 'external_id,title,position\nx,ok,1\ny,bad,one\n', 'csv/README': '' })
  await pipeline(Readable.from(big()), createWriteStream(join(site, 'big.json')))
  expect(await run('check')).toMatchObject({ code: 0 })
  expect(await run('build')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await ingot.clean()
  await database.close()
})

async function count(): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`select count(*)::float8 as count from ingot.records`
  return row?.count ?? -1
}

test('a seed fills the tables, once', async () => {
  const first = await run('data', 'seed')
  expect(first).toMatchObject({ code: 0, out: '' })
  expect(first.err).toMatch(/^Read 4 rows: 4 new, 0 changed, 0 unchanged \(\d+\.\d s\)\.\n$/)
  expect((await run('data', 'seed')).err).toMatch(/^Read 4 rows: 0 new, 0 changed, 4 unchanged/)
  await database.sql`update ingot.records set properties = '{"title": "mine"}', updated_at = now() where external_id = 'a'`
  expect((await run('data', 'seed')).err).toMatch(
    /0 new, 0 changed, 3 unchanged, 1 kept because the database has newer values .*`--reset`/,
  )
  expect((await run('data', 'seed', '--reset', '--dry-run')).err).toMatch(/^Dry run of 4 rows: 0 new, 1 changed/)
  expect((await run('data', 'seed', '.', '--reset')).err).toMatch(/0 new, 1 changed, 3 unchanged/)
})

test('what is exported to files comes back', async () => {
  const piped = await run('data', 'export')
  expect(piped).toMatchObject({ code: 0, err: expect.stringMatching(/^Exported 4 rows \(/) })
  expect(await run('data', 'export', '--out', 'all.json')).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(join(site, 'all.json'), 'utf8')).toBe(piped.out)
  expect(await run('data', 'export', '--format', 'csv', '--out=csv')).toMatchObject({ code: 0 })
  expect(readdirSync(join(site, 'csv')).sort()).toEqual(['@users.csv', 'README', 'category.csv', 'note.csv'])
  const note = await run('data', 'export', '--format', 'csv', '--table', 'note')
  expect(note.out).toBe(readFileSync(join(site, 'csv/note.csv'), 'utf8'))
  await database.sql`truncate ingot.records, ingot.users cascade`
  expect((await run('data', 'import', '.', 'csv')).err).toMatch(/4 new/)
  expect((await run('data', 'export')).out).toBe(piped.out)
  expect((await run('data', 'import', 'all.json')).err).toMatch(/4 unchanged/)
  expect((await run('data', 'export', '--table', 'category')).out).not.toContain('users')
})

test('documents are in an export of everything, and CSV says that it has none', async () => {
  await database.sql`insert into ingot.documents (search_index, id, document) values ('books', 'a', '{"title": "Whittling"}')`
  const piped = await run('data', 'export', '--out', 'documents.json')
  expect(piped.err).toMatch(/^Exported 5 rows /)
  expect((await run('data', 'export', '--table', 'note')).out).not.toContain('Whittling')
  expect((await run('data', 'export', '--users')).out).not.toContain('Whittling')
  const csv = await run('data', 'export', '--format', 'csv', '--out=csv-documents')
  expect(csv.err).toContain('CSV does not include search index documents: use `--format json` to export them.')
  expect((await run('data', 'export', '--format', 'csv', '--users')).err).not.toContain('documents')
  await database.sql`truncate ingot.documents`
  expect((await run('data', 'import', 'documents.json')).err).toMatch(/^Read 5 rows: 1 new, 0 changed, 4 unchanged/)
  expect(await database.sql`select search_index, id, document from ingot.documents`).toEqual([
    { search_index: 'books', id: 'a', document: { title: 'Whittling' } },
  ])
  await database.sql`truncate ingot.documents`
})

test('rows that do not fit are told, in a file too', async () => {
  const found = await run('data', 'import', 'bad.csv', '--table', 'category', '--errors', 'errors.csv')
  expect(found).toMatchObject({ code: 1, out: '' })
  expect(found.err).toContain(
    'bad.csv:3: category, row 2: position: Property `position` is an integer and cannot hold "one"\n',
  )
  expect(found.err).toMatch(/1 new, 0 changed, 0 unchanged, 1 left out/)
  expect(readFileSync(join(site, 'errors.csv'), 'utf8')).toBe(
    'file,line,table,row,property,reason\nbad.csv,3,category,2,position,"Property `position` is an integer and cannot hold ""one"""\n',
  )
  writeFileSync(
    join(site, 'many.json'),
    JSON.stringify({ tables: { category: Array.from({ length: 30 }, () => ({ x: '\u001b[2J' })) } }),
  )
  const many = await run('data', 'import', 'many.json', '--errors', 'errors.jsonl')
  expect(many.err.split('\n')).toHaveLength(23)
  expect(many.err).toContain('… and 10 more: all are in errors.jsonl')
  expect(readFileSync(join(site, 'errors.jsonl'), 'utf8').trim().split('\n')).toHaveLength(30)
})

test('what cannot be done is one sentence', async () => {
  writeFileSync(join(site, 'cut.json'), '{"tables":{"note":[{"external_id":"cut"},{"text')
  expect(await run('data', 'import', 'cut.json')).toEqual({
    code: 1,
    out: '',
    err: 'cut.json:1: the value that starts here is not complete: the file ends too early. Nothing was imported.\n',
  })
  expect(await database.sql`select 1 from ingot.records where external_id = 'cut'`).toHaveLength(0)
  expect(await run('data', 'export', 'csv')).toEqual({
    code: 2,
    out: '',
    err: "Nothing is built in 'csv' yet: run `ingot build csv` first.\n",
  })
})

test.each([
  [[], '`ingot data` needs an action: give export, import, seed or delete.'],
  [['exprot'], "`ingot data` has no action 'exprot': give export, import, seed or delete."],
  [['import'], '`ingot data import` needs a file: ingot data import [DIR] FILE…'],
  [['import', 'none.json'], "There is no file 'none.json'."],
  [
    ['import', '/bad.csv'],
    "/bad.csv' is unknown (there is no table 'bad': the site has category, note): add --table T or --users.",
  ],
  [['import', '/bad.txt'], "/bad.txt' is unknown: add --format json, csv, service or service-zip."],
  [['import', '/app'], "/app' contains no .json or .csv files."],
  [
    ['import', '/bad.csv', '--table', 'note', '--users'],
    'A CSV file contains rows of one table: give only one --table, or --users.',
  ],
  [['import', '/bad.csv', '--dry-run=yes'], 'The option --dry-run takes no value.'],
  [['export', 'a', 'b'], '`ingot data export` takes one folder, not 2.'],
  [['export', '--format', 'xml'], "There is no format 'xml': give json, csv, service or service-zip."],
  [['export', '--table', 'notes'], "There is no table 'notes': did you mean 'note'?"],
  [
    ['export', '--format', 'csv'],
    'A CSV file contains one table: choose it with --table, or give a folder for all with --out DIR.',
  ],
  [['export', '--out'], 'The option --out needs a value: --out=…'],
  [['export', '--out', '/bad.txt/x.json'], 'cannot be written: '],
  [['import', '/bad.csv', '--table=note', '--errors', '/bad.txt/x'], 'cannot be written: '],
  [
    ['export', '--reset'],
    "`ingot data export` has no option '--reset': it has --users, --raw-ids, --format, --table, --out.",
  ],
  [['seed', '/csv'], "/csv': add them as seed/*.json."],
])('data %j is refused', async (args, sentence) => {
  writeFileSync(join(site, 'bad.txt'), 'x')
  const inSite = args.map((arg) => (arg.startsWith('/') ? join(site, arg) : arg))
  const open = async (): Promise<DataHome> => {
    const properties = [property('title')]
    const tables = ['category', 'note'].map((name) => ({ name, file: '', properties }))
    const data = { tables, user: [], profiles: [] }
    return { root: site, data, ids: new Map(), sql: database.sql, close: async () => undefined }
  }
  const refused = dataCommand(inSite, open)
  await expect(refused).rejects.toThrow(StartError)
  await expect(refused).rejects.toThrow(sentence)
})

/** Number of rows, so many that each step of an import can be noticed while it runs. */
const MANY = 10_000
/** Number of rows from the service. It is larger than the number that is sent to the database at once. */
const FROM_SERVICE = 5_000

function* big(rows = MANY, name = 'big', more = ''): Generator<string> {
  yield '{"tables":{"note":[\n'
  for (let at = 0; at < rows; at++)
    yield `${at === 0 ? '' : ',\n'}{"external_id":"${name}${at}","properties":{"text":"note ${at}${more}","tags":["t${at % 7}"]}}`
  yield ']}}'
}

test('an import that is killed leaves nothing behind, and can be run again', async () => {
  const before = await count()
  for (const moment of ['%json_to_recordset%', '%row_number()%', '%insert into ingot.records%']) {
    const child = ingot.begin(['data', 'import', 'big.json'], { cwd: site, env: { DATABASE_URL: database.url } })
    const end = waitForExit(child)
    while (child.exitCode === null) {
      const doing = await database.sql`
        select 1 from pg_stat_activity
        where application_name = 'ingot' and datname = current_database() and query like ${moment}`
      if (doing.length > 0) break
      await sleep(5)
    }
    expect(child.exitCode, `no import was seen at ${moment}`).toBeNull()
    child.kill('SIGKILL')
    await end
    // PostgreSQL notices the killed client only when it next sends data to it, so its connection is ended here.
    await database.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'ingot' and datname = current_database()`
    // The commit may have been sent before the kill.
    if ((await count()) === before + MANY) break
    expect(await count()).toBe(before)
  }
  expect(await run('data', 'import', 'big.json')).toMatchObject({ code: 0 })
  expect(await count()).toBe(before + MANY)
  expect((await run('data', 'import', 'big.json')).err).toMatch(/10,000 unchanged/)
})

test('an export that is cut off leaves no half file', async () => {
  mkdirSync(join(site, 'out'))
  const child = ingot.begin(['data', 'export', '--out', 'out/all.json'], {
    cwd: site,
    env: { DATABASE_URL: database.url },
  })
  const end = waitForExit(child)
  while (child.exitCode === null && !existsSync(join(site, 'out/all.json.part'))) await sleep(10)
  child.kill('SIGKILL')
  await end
  if (existsSync(join(site, 'out/all.json'))) JSON.parse(readFileSync(join(site, 'out/all.json'), 'utf8'))
  expect(await run('data', 'export', '--out', 'out/all.json')).toMatchObject({ code: 0 })
  expect(readdirSync(join(site, 'out'))).toEqual(['all.json'])
})

test('an export into a pipe leaves the pipe', async () => {
  const pipe = join(site, 'pipe')
  execFileSync('mkfifo', [pipe])
  const [exported, text] = await Promise.all([run('data', 'export', '--out', 'pipe'), readFile(pipe, 'utf8')])
  expect(exported).toMatchObject({ code: 0 })
  expect(JSON.parse(text)).toHaveProperty('tables')
  expect(statSync(pipe).isFIFO()).toBe(true)
})

test('files of the service go in and out, and an import that is killed has changed nothing and goes in again', async () => {
  // Removes the rows of the previous tests, which would be exported and imported too.
  await database.sql`delete from ingot.records where external_id like 'big%'`
  const rows = Array.from({ length: FROM_SERVICE }, (_, id) => ({
    id,
    type_name: 'note',
    user_id: 'u',
    properties: { text: 'x' },
  }))
  writeFileSync(
    join(site, 'service.json'),
    JSON.stringify({ users: [{ id: 'u', email: 'u@example.com' }], models: rows }),
  )
  const before = await count()
  const child = ingot.begin(['data', 'import', 'service.json'], { cwd: site, env: { DATABASE_URL: database.url } })
  const end = waitForExit(child)
  for (let found = 0; found === 0 && child.exitCode === null; ) {
    const working = await database.sql`
      select from pg_stat_activity
      where application_name = 'ingot' and datname = current_database() and query like '%import_records%'`
    found = working.length
    if (found === 0) await sleep(5)
  }
  child.kill('SIGKILL')
  await end
  expect(await count()).toBe(before)
  expect(await run('data', 'import', 'service.json')).toMatchObject({
    code: 0,
    err: expect.stringContaining('5,001 new'),
  })
  expect(await count()).toBe(before + FROM_SERVICE)
  expect(await run('data', 'export', '--format', 'service-zip', '--out', 'out.zip')).toMatchObject({ code: 0 })
  const again = await run('data', 'import', 'out.zip', '--dry-run')
  expect(again).toMatchObject({ code: 0, err: expect.stringMatching(/: 0 new, 0 changed/) })
  const wrong = {
    models: [
      { id: 'w', type_name: 'note', properties: {} },
      { id: 'v', type_name: 'none' },
    ],
  }
  writeFileSync(join(site, 'wrong.json'), JSON.stringify(wrong))
  const refused = await run('data', 'import', 'wrong.json')
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was imported: 1 of 2 rows have errors'),
  })
  expect(await count()).toBe(before + FROM_SERVICE)
})

test('a lost database is one sentence, and nothing is imported', async () => {
  const before = await count()
  const child = ingot.begin(['data', 'import', 'big.json'], { cwd: site, env: { DATABASE_URL: database.url } })
  let err = ''
  child.stderr?.on('data', (data) => {
    err += String(data)
  })
  const end = waitForExit(child)
  while (child.exitCode === null) {
    const found = await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'ingot' and datname = current_database() and query like '%import_records%'`
    if (found.length > 0) break
    await sleep(10)
  }
  const code = await end
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^[^\n]+ Nothing was imported\.\n$/) })
  expect(await count()).toBe(before)
})

test('10,000 rows of 18 MB go in and out of a process that has 32 MB, and half of them for itself', async () => {
  await database.sql`truncate ingot.records`
  await pipeline(Readable.from(big(10_000, 'huge', ' words'.repeat(290))), createWriteStream(join(site, 'huge.json')))
  expect(statSync(join(site, 'huge.json')).size).toBeGreaterThan(17_500_000)
  const options = { cwd: site, env: { DATABASE_URL: database.url, NODE_OPTIONS: '--max-old-space-size=32' } }
  expect(await ingot.run(['data', 'import', 'huge.json'], options)).toMatchObject({ code: 0 })
  expect(await count()).toBe(10_000)
  expect(await ingot.run(['data', 'export', '--format=csv', '--out', 'huge'], options)).toMatchObject({ code: 0 })
  const again = await ingot.run(['data', 'import', 'huge', '--dry-run'], options)
  expect(again).toMatchObject({ code: 0, err: expect.stringMatching(/: 0 new, 0 changed, \d\d,\d\d\d unchanged/) })
}, 600_000)

test('the rows of a table without a file are deleted by the command that the refusal names', async () => {
  const { 'app/schema/note.yml': _removed, ...files } = SITE
  const dir = ingot.folder(files)
  await database.sql`truncate ingot.records`
  await database.sql`insert into ingot.records (table_id, properties) select id, '{}' from ingot.tables where name = 'note'`
  expect(await run('build', dir)).toMatchObject({ code: 0 })
  const refused = await run('data', 'export', dir)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('`ingot data delete note` in the folder') })
  const deleted = await run('data', 'delete', 'note', dir)
  expect(deleted).toEqual({ code: 0, out: '', err: '1 row of the table note was deleted.\n' })
  expect(await run('data', 'export', dir)).toMatchObject({ code: 0 })
})
