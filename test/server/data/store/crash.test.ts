/** Acknowledged writes survive every crash, and a full disk is reported as such. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../../../server/data/store/connection.ts'
import { failureOf } from '../../../../server/data/store/failure.ts'
import { accountFor } from '../../../../server/data/store/postgres/account.ts'
import { findBinaries } from '../../../../server/data/store/postgres/binaries.ts'
import { type ClusterLocation, serverPid, stopCluster } from '../../../../server/data/store/postgres/cluster.ts'
import { openEmbedded } from '../../../../server/data/store/postgres/embedded.ts'
import { root } from '../../../support/product.ts'

const home = mkdtempSync(join(tmpdir(), 'ingot-crash-'))
const data = join(home, 'data')
const program = join(home, 'writer.mjs')
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function placeIn(folder: string): Promise<ClusterLocation> {
  const cluster = join(folder, 'postgres')
  return {
    folder: cluster,
    binaries: await findBinaries(null),
    account: accountFor(cluster),
    settings: {},
    durable: true,
  }
}

beforeAll(async () => {
  chmodSync(home, 0o755)
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  await build({
    entryPoints: [join(import.meta.dirname, 'writer.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
})

afterAll(async () => {
  if (existsSync(join(data, 'postgres'))) await stopCluster(await placeIn(data), 'immediate')
  rmSync(home, { recursive: true, force: true })
})

interface Writer {
  readonly child: ChildProcess
  readonly acknowledged: () => readonly string[]
  readonly said: () => string
  readonly ended: Promise<unknown>
}

function write(run: string): Writer {
  const child = spawn(process.execPath, [program, data, run], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => {
    out += String(text)
  })
  child.stderr.on('data', (text) => {
    err += String(text)
  })
  const ended = new Promise((done) => child.once('close', done))
  // The last line is dropped, because it may be incomplete.
  return { child, acknowledged: () => out.split('\n').slice(0, -1), said: () => err, ended }
}

async function stored(): Promise<ReadonlySet<string>> {
  const embedded = await openEmbedded(data, quiet)
  const sql = await connect(embedded.url, 'DATABASE_URL', { pool: 1, name: 'ingot test' })
  const rows = await sql<{ name: string }[]>`select name from ingot.constants`
  await sql.end()
  await embedded.close()
  return new Set(rows.map(({ name }) => name))
}

describe('under write load', () => {
  it.each(['node', 'database', 'both'] as const)(
    'killing %s loses nothing that was acknowledged',
    { timeout: 90_000 },
    async (what) => {
      const writer = write(what)
      await expect.poll(() => writer.acknowledged().length).toBeGreaterThan(300)
      const pid = await serverPid(await placeIn(data))
      if (what !== 'database') writer.child.kill('SIGKILL')
      if (what !== 'node') process.kill(pid as number, 'SIGKILL')
      if (what === 'database') {
        // The program restarts the database, and its writers continue.
        await expect.poll(writer.said).toContain('the database is back')
        const until = writer.acknowledged().length
        await expect.poll(() => writer.acknowledged().length).toBeGreaterThan(until + 300)
        writer.child.kill('SIGKILL')
      }
      await writer.ended
      const acknowledged = writer.acknowledged()
      const there = await stored()
      expect(acknowledged.filter((name) => !there.has(name))).toEqual([])
      // Each transaction was committed completely or not at all.
      const halves = [...there].filter((name) => name.startsWith(what) && name.endsWith('-second'))
      expect(halves.filter((name) => !there.has(name.replace('-second', '')))).toEqual([])
      expect(acknowledged.length).toBeGreaterThan(300)
    },
  )
})

/** Mounts a file system of the given size in megabytes. Returns whether the user may do so. */
function smallDisk(folder: string, megabytes: number): boolean {
  mkdirSync(folder)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
  return status === 0
}

describe('a full disk', () => {
  it('at the making is said, and leaves nothing half done', async (test) => {
    const folder = join(home, 'tiny')
    if (!smallDisk(folder, 12)) return test.skip('no file system can be mounted here')
    try {
      await expect(openEmbedded(folder, quiet)).rejects.toThrow('the disk is full: free some space.')
      expect(existsSync(join(folder, 'postgres'))).toBe(false)
      expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).toBe('')
    } finally {
      spawnSync('umount', [folder])
    }
  })

  it('at work fails the writer with a sentence, and work goes on when there is room', {
    timeout: 90_000,
  }, async (test) => {
    const folder = join(home, 'small')
    if (!smallDisk(folder, 150)) return test.skip('no file system can be mounted here')
    try {
      const embedded = await openEmbedded(folder, quiet)
      const sql = await connect(embedded.url, 'DATABASE_URL', { pool: 2, name: 'ingot test' })
      await sql`create table filler (t text)`
      await sql`create table kept (n int)`
      await sql`insert into kept values (1)`
      const fill = async () => {
        for (let n = 0; n < 100; n++)
          await sql`insert into filler select string_agg(md5(random()::text), '') from generate_series(1, 50000) g group by g % 250`
      }
      const error = await fill().catch((failed: unknown) => failed)
      expect(['full', 'away', 'starting']).toContain(failureOf(error)?.kind)
      spawnSync('mount', ['-o', 'remount,size=600m', folder])
      await expect.poll(() => sql`insert into kept values (2) returning n`).toEqual([{ n: 2 }])
      expect(await sql`select min(n) as n from kept`).toEqual([{ n: 1 }])
      await sql.end()
      await embedded.close()
    } finally {
      await stopCluster(await placeIn(folder), 'immediate')
      spawnSync('umount', ['-l', folder])
    }
  })
})
