/** Commands on the database of a folder: everything that they open is closed again, after success and failure. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from '../../../server/core/settings.ts'
import { StartError } from '../../../server/core/start-error.ts'
import { type FolderOptions, withStore } from '../../../server/data/with-store.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
let database: TestDatabase
let dir: string

beforeAll(async () => {
  database = await testDatabase()
  dir = mkdtempSync(join(tmpdir(), 'ingot-with-store-'))
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await database.close()
})

function options(url = database.url): FolderOptions {
  return { settings: readSettings({ DATABASE_URL: url }, 'development'), dir, pool: 2, logger: quiet }
}

/** Returns the number of connections to the database other than our own. */
async function others(): Promise<number> {
  const [row] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name <> 'tests'`
  return row?.n ?? -1
}

/** Waits until the list has no other connections, because a closed one disappears a moment later. */
async function nobodyIsLeft(): Promise<void> {
  await expect.poll(others).toBe(0)
}

it('gives what the work gives, with the settings that hold, and leaves', async () => {
  const found = await withStore(options(), async ({ sql }, settings) => {
    const [row] = await sql<{ name: string }[]>`select current_database() as name`
    expect(await others()).toBe(1)
    return { name: row?.name, url: settings.databaseUrl, folder: settings.dataFolder }
  })
  expect(found).toEqual({
    name: /\/(t_\w+)/.exec(database.url)?.[1],
    url: database.url,
    folder: join(dir, '.ingot-data'),
  })
  await nobodyIsLeft()
})

it('leaves where the work fails, at once or later, with its own error', async () => {
  const failure = new Error('of the work')
  await expect(withStore(options(), () => Promise.reject(failure))).rejects.toBe(failure)
  await nobodyIsLeft()
  const later = withStore(options(), async ({ sql }) => {
    await sql`select 1`
    throw failure
  })
  await expect(later).rejects.toBe(failure)
  await nobodyIsLeft()
})

it('leaves where the tables cannot be made', async () => {
  const { sql } = database
  await sql`insert into ingot.migrations (number, name) values (9999, 'of another day')`
  await expect(withStore(options(), () => Promise.resolve())).rejects.toThrow('by a newer version of Ingot')
  await sql`delete from ingot.migrations where number = 9999`
  await nobodyIsLeft()
})

it('says where there is no folder, or nobody answers, and does nothing', async () => {
  let begun = false
  const work = async (): Promise<void> => {
    begun = true
  }
  const nowhere = join(dir, 'nowhere')
  await expect(withStore({ ...options(), dir: nowhere }, work)).rejects.toThrow(
    new StartError(`There is no folder '${nowhere}': give the folder of a site.`),
  )
  await expect(withStore(options('postgres://127.0.0.1:1/x'), work)).rejects.toThrow(StartError)
  expect(begun).toBe(false)
})
