/** Tests folders of the files of sites: each file is fetched once from the database, or linked from the folder of another process. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TreeFile } from '../../../../server/tools/instance/deploys/archive.ts'
import { BlobFolder, storeFile } from '../../../../server/tools/instance/deploys/blobs.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

let database: TestDatabase
let home: string

beforeAll(async () => {
  database = await testDatabase()
  home = mkdtempSync(join(tmpdir(), 'ingot-blobs-'))
})
afterAll(async () => {
  rmSync(home, { recursive: true, force: true })
  await database.close()
})

/** Stores texts, and returns the files of a site with them. */
async function stored(texts: Readonly<Record<string, string>>): Promise<Map<string, TreeFile>> {
  const files = new Map<string, TreeFile>()
  for (const [path, text] of Object.entries(texts)) files.set(path, await storeFile(database.sql, Buffer.from(text)))
  return files
}

async function folder(name: string, nearby: string | null = null): Promise<BlobFolder> {
  const blobs = new BlobFolder(join(home, name), nearby)
  await blobs.open()
  return blobs
}

function read(place: string, paths: Iterable<string>): Readonly<Record<string, string>> {
  return Object.fromEntries([...paths].map((path) => [path, readFileSync(join(home, place, path), 'utf8')]))
}

test('hundreds of files are written, of all sizes, and twice the same one', async () => {
  const texts: Record<string, string> = { empty: '', large: 'x'.repeat(1_200_000), 'deep/er/one': 'same', two: 'same' }
  for (let at = 0; at < 450; at++) texts[`f/${at}`] = `text ${at}`
  const files = await stored(texts)
  await (await folder('first')).write(database.sql, files, join(home, 'site'))
  expect(read('site', files.keys())).toEqual(texts)
})

test('files of another process are linked; those that it has removed, or that are damaged, are fetched', async () => {
  const texts = { here: 'is nearby', gone: 'is not nearby' }
  const files = await stored(texts)
  const near = await folder('near')
  await near.write(database.sql, files, join(home, 'near-site'))
  rmSync(near.path(files.get('gone')?.digest ?? ''))
  const blobs = await folder('own', join(home, 'near'))
  await blobs.write(database.sql, files, join(home, 'linked'))
  expect(read('linked', files.keys())).toEqual(texts)
  const { ino } = statSync(near.path(files.get('here')?.digest ?? ''))
  expect(statSync(join(home, 'linked/here')).ino).toBe(ino)
})

test('a file that is damaged in the database is refused', async () => {
  const files = await stored({ damaged: 'the text' })
  const { digest = '' } = files.get('damaged') ?? {}
  await database.sql`update ingot.blob_parts set bytes = 'other' where digest = ${digest}`
  mkdirSync(join(home, 'refused'))
  writeFileSync(join(home, 'refused/kept'), '')
  const written = (await folder('last')).write(database.sql, files, join(home, 'refused'))
  await expect(written).rejects.toThrow(`the file ${digest} of the site is not in the database, or is damaged there`)
})
