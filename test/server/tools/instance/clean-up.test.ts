/** Tests that unneeded data of deploys is removed, but never that of served releases and rollback targets. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BlobFolder } from '../../../../server/tools/instance/deploys/blobs.ts'
import { cleanUp } from '../../../../server/tools/instance/deploys/clean-up.ts'
import { ReleaseFolder } from '../../../../server/operate/releases/folder.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const SITE = (version: string): Readonly<Record<string, string>> => ({
  'app/views/pages/index.liquid': `version ${version}`,
  'app/assets/a.css': `a { order: ${version} }`,
})
const DAY = 24 * 3600 * 1000

let ground: InstanceSetup
let instance: Instance
let releases: ReleaseFolder

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('old')
  releases = new ReleaseFolder(join(ground.home, 'data-old', 'releases'))
})

afterAll(() => ground.clean())

/** Cleans up as a server does at intervals. It keeps one earlier release. */
async function clean(): Promise<void> {
  const { sql } = ground.ingot.database
  const blobs = new BlobFolder(join(ground.home, 'files'))
  await blobs.open()
  const logger = { warn: () => undefined }
  await cleanUp(
    { sql, releases, blobs, settings: { deployRetention: { releases: 1, days: 30 } }, logger },
    Date.now() + DAY,
  )
}

const ids = async () => new Set((await releases.list()).map(({ id }) => id))
const count = async (table: string) =>
  (await ground.ingot.database.sql.unsafe<{ n: number }[]>(`select count(*)::int as n from ingot.${table}`))[0]?.n

test('releases go that nobody serves or goes back to, with their files; the others can be served', async () => {
  const made: string[] = []
  for (const version of ['1', '2', '3']) {
    await instance.deploy(siteZip(SITE(version)))
    made.push((await releases.current())?.release ?? '')
  }
  const byHand = await ground.ingot.run(['release', 'list', ground.home], { INGOT_DATA: join(ground.home, 'data-old') })
  expect(byHand).toMatchObject({ code: 0 })
  const { sql } = ground.ingot.database
  await sql`update ingot.blobs set wanted_at = now() - interval '2 days'`
  const before = (await count('blobs')) ?? 0
  await clean()
  const [first = '', second = '', third = ''] = made
  expect(await ids()).not.toContain(first)
  expect([...(await ids())]).toEqual(expect.arrayContaining([second, third]))
  expect(await count('blobs')).toBeLessThan(before)
  expect(await instance.text('/')).toBe('version 3')
  // All files of the served site still exist, so a single file can be deployed.
  expect(await instance.sync('views/pages/other.liquid', 'other')).toMatchObject({ status: 200 })
  expect(await instance.text('/other')).toBe('other')
  const back = await ground.ingot.run(['release', 'rollback', ground.home], {
    INGOT_DATA: join(ground.home, 'data-old'),
  })
  expect(back, back.said).toMatchObject({ code: 0 })
  expect(await instance.text('/')).toBe('version 2')
})

test('of many edits of a file the last one stays', async () => {
  for (const text of ['one', 'two', 'three']) await instance.sync('views/pages/index.liquid', text)
  const { sql } = ground.ingot.database
  await clean()
  expect(await count('edited_modules')).toBeGreaterThan(2)
  for (const table of ['edited_files', 'edited_modules'])
    await sql.unsafe(`update ingot.${table} set edited_at = now() - interval '1 hour'`)
  await clean()
  const rows = await sql`select from ingot.edited_files where path = 'app/views/pages/index.liquid'
    and release = ${(await releases.current())?.release ?? ''}`
  expect(rows).toHaveLength(1)
  instance.server.child.kill('SIGTERM')
  await instance.server.exitCode
  instance = await ground.again(instance, 'old')
  expect(await instance.text('/')).toBe('three')
})

test('what was asked and sent long ago goes, and what is new stays', async () => {
  const { sql } = ground.ingot.database
  const { digest } = { digest: 'a'.repeat(64) }
  await sql`insert into ingot.blobs (digest, size, wanted_at) values (${digest}, 0, now() - interval '2 days')`
  await sql`insert into ingot.sent_assets (name, digest, size, sent_at) values ('old.css', ${digest}, 0, now() - interval '31 days')`
  await sql`update ingot.deploys set ended_at = now() - interval '31 days' where kind = 'sync'`
  await instance.sync('views/pages/last.liquid', 'last')
  await clean()
  expect(await count('sent_assets')).toBe(0)
  expect(await sql`select from ingot.blobs where digest = ${digest}`).toHaveLength(0)
  expect(await sql`select from ingot.deploys where kind = 'sync'`).toHaveLength(1)
  expect(await instance.text('/last')).toBe('last')
  expect(readdirSync(releases.folder).some((name) => name.startsWith('.gone'))).toBe(false)
})
