/** Exports from the mutation to the file: real rows, real files, and what other programs read from the files. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decrypt, generateKey, readKey, readMessage, readPrivateKey } from 'openpgp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EffectHost } from '../../../../runtime/data/query/effects.ts'
import { execute, planOperation } from '../../../../runtime/data/query/index.ts'
import { writeExport } from '../../../../server/web/graphql/host/exports.ts'
import { type QueryDatabase, openQueryDatabase } from '../../../runtime/data/query/rows/run-query.ts'
import { DATA } from '../../../runtime/data/query/writes/write-fixture.ts'
import { filesIn, type FilesSetup, ground as openFiles } from '../files/ground.ts'

let files: FilesSetup
let asker: QueryDatabase
let home: string

beforeAll(async () => {
  files = await openFiles()
  asker = await openQueryDatabase(DATA, files.database)
  home = mkdtempSync(join(tmpdir(), 'ingot-exports-'))
})
afterAll(async () => {
  await files?.close()
  rmSync(home, { recursive: true, force: true })
})
beforeEach(async () => {
  await asker.sql`truncate ingot.records, ingot.users, ingot.exports cascade`
})

type Row = Record<string, unknown>

/** Requests an export like a page. Returns the queued ids. */
async function ask(args: string, variables: Row = {}, head = ''): Promise<readonly string[]> {
  const queued: string[] = []
  const effects = { export: async (id: string) => void queued.push(id) } as Partial<EffectHost> as EffectHost
  const host = { ...asker.host, effects }
  host.transaction = (body) => body(host)
  const { errors } = await execute(
    planOperation(`mutation${head} { data_export${args} { id status url } }`),
    variables,
    host,
  )
  expect(errors).toBeUndefined()
  return queued
}

async function exported(
  args: string,
  variables?: Row,
  head?: string,
): Promise<{ row: Row; bytes: Buffer; path: string }> {
  const [id] = await ask(args, variables, head)
  await writeExport({ sql: asker.sql, files: files.desk, query: asker.host }, id!)
  const [row] = await asker.sql`select state, result from ingot.exports where id = ${id!}`
  const result = row!['result'] as { path: string }
  const path = join(home, result.path.split('/').at(-1)!)
  writeFileSync(path, readFileSync(join(files.kept, result.path)))
  return { row: row as Row, bytes: readFileSync(path), path }
}

describe('an export', () => {
  it('is an archive with a file of each kind, which others can unpack', async () => {
    await asker.sql`insert into ingot.users (email, slug, properties) values ('a@b.c', 'a', '{"motto": "é\\"\\n"}')`
    await asker.insert('post', [
      { properties: { title: 'one', price: '1.10', views: 12345678901234567n.toString() } },
      { properties: { title: 'two' }, deleted_at: '2020-01-01' },
    ])
    const { row, path } = await exported('(records: {}, users: {})')
    expect(row).toMatchObject({
      state: 'done',
      result: { acl: 'private', path: expect.stringMatching(/^uploads\/private\/.*\.zip$/) },
    })
    const folder = join(home, 'zip')
    execFileSync('unzip', ['-q', path, '-d', folder])
    expect(readdirSync(folder).toSorted()).toEqual(['records.json', 'users.json'])
    const records = JSON.parse(readFileSync(join(folder, 'records.json'), 'utf8')) as Row[]
    expect(records).toHaveLength(1)
    expect(records[0]).toMatchObject({ table: 'post', properties: { title: 'one' }, user_id: null, deleted_at: null })
    const users = JSON.parse(readFileSync(join(folder, 'users.json'), 'utf8')) as Row[]
    expect(users).toMatchObject([{ email: 'a@b.c', properties: { motto: 'é"\n' }, profiles: [] }])
    expect(Object.keys(users[0]!)).not.toContain('encrypted_password')
    expect(readdirSync(files.incoming)).toEqual([])
  })

  it('has the rows of its filter in the order of its sort, as many as are asked for; numbers keep their digits', async () => {
    await asker.insert('post', [
      { properties: { title: 'a' } },
      { properties: { title: 'c' } },
      { properties: { title: 'b' } },
    ])
    await asker.sql`update ingot.records set properties = properties || '{"price": 0.10000000000000000001}'`
    await asker.insert('note', [{ properties: { body: 'x' } }])
    const variables = { f: { table: { value: 'post' } }, s: [{ properties: [{ name: 'title', order: 'DESC' }] }] }
    const { bytes } = await exported(
      '(split_files: false, records: { filter: $f, sort: $s, per_page: 2 })',
      variables,
      '($f: RecordsFilterInput, $s: [RecordsSortInput!])',
    )
    const text = bytes.toString()
    const { records } = JSON.parse(text) as { records: { properties: Row }[] }
    expect(records.map(({ properties }) => properties['title'])).toEqual(['c', 'b'])
    expect(text).toContain('0.10000000000000000001')
  })

  it('of thousands of rows is whole', async () => {
    const { id } = (await asker.sql`select id from ingot.tables where name = 'post'`)[0]!
    await asker.sql`insert into ingot.records (table_id, properties) select ${id as number}, jsonb_build_object('title', repeat('x', 100) || n) from generate_series(1, 5000) n`
    const { bytes } = await exported('(split_files: false, records: {}, users: {})')
    const { records, users } = JSON.parse(bytes.toString()) as { records: Row[]; users: Row[] }
    expect(new Set(records.map((each) => each['id'])).size).toBe(5_000)
    expect(users).toEqual([])
  })

  it('is for the owner of a key alone where it is encrypted', async () => {
    const { privateKey, publicKey } = await generateKey({ userIDs: [{ name: 'A', email: 'a@b.c' }], type: 'ecc' })
    await asker.insert('note', [{ properties: { body: 'secret words' } }])
    for (const armor of [true, false]) {
      const { bytes, path } = await exported(
        '(split_files: false, records: {}, encryption: { gpg: { key: $k, armor: $a } })',
        { k: publicKey, a: armor },
        '($k: GPGKey!, $a: Boolean)',
      )
      expect(path).toMatch(armor ? /\.json\.asc$/ : /\.json\.gpg$/)
      expect(bytes.includes('secret words')).toBe(false)
      const message = armor
        ? await readMessage({ armoredMessage: bytes.toString() })
        : await readMessage({ binaryMessage: new Uint8Array(bytes) })
      const { data } = await decrypt({ message, decryptionKeys: await readPrivateKey({ armoredKey: privateKey }) })
      expect(JSON.parse(data as string)).toMatchObject({ records: [{ properties: { body: 'secret words' } }] })
    }
    expect((await readKey({ armoredKey: publicKey })).isPrivate()).toBe(false)
  })

  it('tells why it failed, and leaves nothing behind; a second attempt writes it', async () => {
    const before = filesIn(files.kept)
    const [id] = await ask('(records: {}, encryption: { gpg: { key: "no key" } })')
    const parts = { sql: asker.sql, files: files.desk, query: asker.host }
    await expect(writeExport(parts, id!)).rejects.toThrow(/cannot be encrypted/)
    const [row] = await asker.sql`select state, error, result from ingot.exports where id = ${id!}`
    expect(row).toMatchObject({ state: 'error', error: expect.stringContaining('cannot be encrypted'), result: null })
    expect(filesIn(files.kept)).toEqual(before)
    expect(readdirSync(files.incoming)).toEqual([])
    await asker.sql`update ingot.exports set options = '{"users": {}}' where id = ${id!}`
    await writeExport(parts, id!)
    expect((await asker.sql`select state, error from ingot.exports where id = ${id!}`)[0]).toEqual({
      state: 'done',
      error: null,
    })
    const after = filesIn(files.kept).length
    // An export that is done is not written again.
    await writeExport(parts, id!)
    await writeExport(parts, '987654')
    expect(filesIn(files.kept)).toHaveLength(after)
  })
})
