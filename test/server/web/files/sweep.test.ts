/** Files without a reference are removed, and files with a reference are never removed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileStore, StoredFile } from '../../../../server/web/files/model.ts'
import { removeUnusedFiles } from '../../../../server/web/files/remove-unused.ts'
import type { TestDatabase } from '../../../support/database.ts'
import { ANY, filesIn, type FilesSetup, ground, picture } from './ground.ts'

let it: FilesSetup
let sql: TestDatabase['sql']
let store: FileStore

beforeEach(async () => {
  it = await ground()
  sql = it.database.sql
  store = it.desk.store
  await sql`insert into ingot.tables (name) values ('item')`
})
afterEach(() => it.close())

async function keep(name = 'a.txt'): Promise<StoredFile> {
  return it.desk.keep(it.sent(name, name), ANY)
}

/** Runs the removal for several nights. Returns the number of removed files. */
async function nights(count: number): Promise<number> {
  let gone = 0
  for (let night = 0; night < count; night++) {
    await sql`update ingot.files set created_at = created_at - interval '1 day', unnamed_at = unnamed_at - interval '1 day'`
    gone += await removeUnusedFiles({ sql, store })
  }
  return gone
}

const there = (file: StoredFile): boolean => existsSync(join(it.kept, file.path))
const record = (properties: unknown): Promise<unknown> =>
  sql`insert into ingot.records (table_id, properties) values (1, ${JSON.stringify(properties)}::text::jsonb)`

describe('a file', () => {
  test('that nothing names goes in the second night, with its versions', async () => {
    const thumb = { width: 8, height: 8, fit: 'cover', format: 'webp', quality: null } as const
    const file = await it.desk.keep(it.sent('a.png', await picture(20, 20)), { ...ANY, versions: { thumb } })
    expect(filesIn(it.kept)).toHaveLength(2)
    expect(await removeUnusedFiles({ sql, store })).toBe(0)
    expect(await nights(1)).toBe(0)
    expect(there(file)).toBe(true)
    expect(await nights(1)).toBe(1)
    expect(filesIn(it.kept)).toEqual([])
    expect((await sql`select 1 from ingot.files`).count).toBe(0)
  })

  test('that is named anywhere, in any spelling, stays', async () => {
    const files: StoredFile[] = []
    for (let at = 0; at < 10; at++) files.push(await keep(`${at}.txt`))
    const [a, b, c, d, e, f, g, h, i, unnamed] = files.map((file) => file.path) as [string, ...string[]]
    await record({ photo: { path: a, versions: {} } })
    await record({ text: `<img src="https://example.com/${b}?x=1">` })
    await record({ list: [{ deep: [encodeURIComponent(c as string)] }] })
    await record({ json: JSON.stringify({ url: `/${d}` }).replaceAll('/', '\\u002f') })
    await record({ json: JSON.stringify({ url: `/${e}` }).replaceAll('/', '\\/') })
    await sql`update ingot.records set deleted_at = now() where properties->>'text' is not null`
    await sql`insert into ingot.users (email, slug, properties) values ('a@b.c', 'a', ${JSON.stringify({ avatar: f })}::text::jsonb)`
    await sql`insert into ingot.profiles (user_id, profile_type, properties)
      select id, 'default', ${JSON.stringify({ x: g })}::text::jsonb from ingot.users`
    await sql`insert into ingot.attachments (kind, owner_type, owner_id, name, file)
      values ('image', 'User', 1, 'photo', ${JSON.stringify({ path: h })}::text::jsonb)`
    await sql`insert into ingot.activities (uuid, payload) values ('u', ${JSON.stringify({ object: i })}::text::jsonb)`
    expect(await nights(4)).toBe(1)
    expect(files.map(there)).toEqual([true, true, true, true, true, true, true, true, true, false])
    expect(unnamed).toBeDefined()
    await sql`delete from ingot.records`
    expect(await nights(2)).toBe(5)
    expect(files.filter(there)).toHaveLength(4)
  })

  test('that is named after the first night stays, and counts from new when it is not named again', async () => {
    const file = await keep()
    expect(await nights(1)).toBe(0)
    await record({ path: file.path })
    expect(await nights(3)).toBe(0)
    await sql`delete from ingot.records`
    expect(await nights(1)).toBe(0)
    expect(there(file)).toBe(true)
    expect(await nights(1)).toBe(1)
  })

  test('that is being named while the sweep looks stays', async () => {
    const file = await keep()
    expect(await nights(1)).toBe(0)
    await sql`update ingot.files set created_at = created_at - interval '1 day', unnamed_at = unnamed_at - interval '1 day'`
    let swept: Promise<number> = Promise.resolve(-1)
    await sql.begin(async (writer) => {
      await writer`insert into ingot.records (table_id, properties) values (1, ${JSON.stringify({ path: file.path })}::text::jsonb)`
      swept = removeUnusedFiles({ sql, store })
      // The removal has searched for references once, and now waits for this writer before it searches again.
      const waiting = async (): Promise<number> =>
        (await writer`select 1 from pg_locks where not granted and mode = 'ShareLock'`).count
      await expect.poll(waiting, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0)
    })
    expect(await swept).toBe(0)
    expect(there(file)).toBe(true)
    expect(await nights(2)).toBe(0)
  })

  test('stays where a writer holds on for longer than others may wait', async () => {
    const file = await keep()
    expect(await nights(1)).toBe(0)
    await sql`update ingot.files set created_at = created_at - interval '1 day', unnamed_at = unnamed_at - interval '1 day'`
    await sql.begin(async (writer) => {
      await writer`insert into ingot.records (table_id) values (1)`
      await expect(removeUnusedFiles({ sql, store })).rejects.toThrow('lock timeout')
    })
    expect(there(file)).toBe(true)
    expect(await removeUnusedFiles({ sql, store })).toBe(1)
  })

  test('that the store could not remove is tried again', async () => {
    const file = await keep()
    expect(await nights(1)).toBe(0)
    await sql`update ingot.files set created_at = created_at - interval '1 day', unnamed_at = unnamed_at - interval '1 day'`
    const away: FileStore = { ...store, remove: () => Promise.reject(new Error('the store is away')) }
    await expect(removeUnusedFiles({ sql, store: away })).rejects.toThrow('away')
    expect(there(file)).toBe(true)
    expect(await removeUnusedFiles({ sql, store })).toBe(1)
    expect(there(file)).toBe(false)
  })

  test('goes once, however many servers sweep', async () => {
    for (let at = 0; at < 20; at++) await keep(`${at}.txt`)
    expect(await nights(1)).toBe(0)
    await sql`update ingot.files set created_at = created_at - interval '1 day', unnamed_at = unnamed_at - interval '1 day'`
    const counts = await Promise.all(Array.from({ length: 4 }, () => removeUnusedFiles({ sql, store })))
    expect(counts.reduce((sum, count) => sum + count)).toBe(20)
  })
})
