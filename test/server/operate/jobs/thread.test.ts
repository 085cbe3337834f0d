/** Tests job threads that load the site again, because the build that they were started with is missing. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, type JobPool } from '../../../../server/operate/jobs/threads/pool.ts'
import { serializeJob } from '../../../../server/data/queue/payload.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { builtProduct } from '../../../support/product.ts'
import { builtQueueSite, job, until } from './queue-site.ts'

const JOBS = { says: '() => note("said")', hangs: '() => { note("hangs"); for (;;); }' }

let database: TestDatabase
let pool: JobPool | null = null

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await pool?.destroy()
  await database.close()
})

it('a thread that begins after its first release is gone runs the jobs of what is served', async () => {
  const [first, second, third] = [1, 2, 3].map(() => builtQueueSite({ jobs: JOBS })) as [Site, Site, Site]
  const built = ({ root }: Site) => ({ root, folder: join(root, '.ingot') })
  const settings = { ...readSettings({ DATABASE_URL: database.url }, 'production'), databaseUrl: database.url }
  const home = { ...settings, dataFolder: first.root }
  const start = { site: { kind: 'built', builtSite: built(first) }, settings: home, version: '0' }
  pool = createPool({ file: join(builtProduct(), 'dist', 'job-thread.mjs'), start, threads: 1, memory: 64 })
  const stays = new AbortController().signal
  const run = (name: string, signal = stays) =>
    pool?.run({ kind: 'job', id: '1', payload: serializeJob(job(name)), seconds: 60 }, signal, 60)
  const ended = async (site: Site) => {
    const cut = new AbortController()
    const hanging = run('hangs', cut.signal)
    await until('the job hangs', () => site.notes().includes('hangs'))
    cut.abort()
    expect(await hanging).toEqual({ kind: 'ended' })
  }

  expect(await run('says')).toEqual({ kind: 'done' })
  expect(first.notes()).toEqual(['said'])
  pool.follow(built(second))
  rmSync(join(first.root, '.ingot'), { recursive: true })
  await ended(second)
  expect(await run('says')).toEqual({ kind: 'done' })
  expect(second.notes()).toEqual(['hangs', 'said'])

  // For a while, no build exists that the thread could load. The job that is not run is reported, and the next one runs.
  await ended(second)
  const entry = join(second.root, '.ingot', 'site.mjs')
  const code = readFileSync(entry, 'utf8')
  rmSync(entry)
  expect(await run('says')).toMatchObject({ kind: 'unready' })
  writeFileSync(entry, code)
  expect(await run('says')).toMatchObject({ kind: 'done' })

  // The release that the thread has loaded is removed as well.
  pool.follow(built(third))
  rmSync(join(second.root, '.ingot'), { recursive: true })
  expect(await run('says')).toEqual({ kind: 'done' })
  await ended(third)
  expect(await run('says')).toEqual({ kind: 'done' })
  expect(third.notes()).toEqual(['said', 'hangs', 'said'])
})

type Site = ReturnType<typeof builtQueueSite>
