/**
 * Measures the time from the command `ingot serve` to the first page, with a packed build and an existing database. Also measures the CPU
 * time of each of its processes until then, which depends less on other work of the machine. The installed product is measured, without its
 * sources.
 */
import { spawn, spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { withCluster } from './cluster.ts'
import { installed } from './installed.ts'
import { median } from './measure.ts'
import { childPids, cpuSeconds } from '../support/processes.ts'
import { freePort } from '../../server/core/free-port.ts'
import { writeListing } from './serving.ts'
import { printTable } from './table.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 9)
await withCluster('64MB', measureStarts)

async function measureStarts(url: string, home: string): Promise<void> {
  const bin = installed(join(home, 'product'))
  const listing = join(home, 'listing')
  await writeListing(listing)
  const demo = resolve('fixtures/sites/marketplace')
  const rows: string[][] = []
  for (const [name, site, path, database] of [
    ['a page with one query', listing, '/listing/c1', 'listing'],
    ['the demo', demo, '/', 'demo'],
  ] as const) {
    const archive = join(home, `${database}.tgz`)
    run(bin, ['build', site, '--out', join(home, `${database}-build`), '--pack', archive])
    const own = await emptyDatabase(url, database)
    const env = {
      DATABASE_URL: own,
      INGOT_DATA: join(home, `${database}-data`),
      INGOT_SECRET: 'a secret of the benchmark, long enough for it',
      INGOT_LOG: 'error',
      INGOT_WORKERS: '2',
      INGOT_JOB_THREADS: '2',
    }
    // The first start creates the tables and unpacks the archive.
    await start(bin, archive, env, path)
    const starts: Start[] = []
    for (let round = 0; round < ROUNDS; round++) starts.push(await start(bin, archive, env, path))
    rows.push([
      name,
      `${median(starts.map(({ seconds }) => seconds)).toFixed(2)} s`,
      ...(['supervisor', 'worker'] as const).map(
        (kind) => `${median(starts.map(({ cpu }) => cpu[kind])).toFixed(2)} s`,
      ),
      '0.60 s',
    ])
  }
  console.log('\n`ingot serve FILE` to the first page, with a database that is there')
  printTable(['site', 'time', 'CPU of the supervisor', 'of the worker that answers', 'goal of the time'], rows)
}

async function emptyDatabase(url: string, name: string): Promise<string> {
  const { connect } = await import('../../server/data/store/connection.ts')
  const sql = await connect(url, 'DATABASE_URL', { pool: 1, name: 'bench' })
  await sql.unsafe(`create database ${name}`)
  await sql.end()
  return url.replace('/postgres?', `/${name}?`)
}

function run(bin: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

interface Start {
  readonly seconds: number
  /** CPU time in seconds until the first page. */
  readonly cpu: { readonly supervisor: number; readonly worker: number }
}

async function start(
  bin: string,
  archive: string,
  env: Readonly<Record<string, string>>,
  path: string,
): Promise<Start> {
  const port = await freePort()
  const before = performance.now()
  const child = spawn(process.execPath, [bin, 'serve', archive], {
    env: { PATH: process.env['PATH'], PORT: String(port), HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const address = `http://127.0.0.1:${port}${path}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('The server ended.')
    const reply = await fetch(address).catch(() => null)
    await reply?.arrayBuffer()
    if (reply?.status === 200) break
    await new Promise((done) => setTimeout(done, 5))
  }
  const seconds = (performance.now() - before) / 1000
  const pid = child.pid ?? 0
  const others = childPids(pid).map(cpuSeconds)
  const cpu = { supervisor: cpuSeconds(pid), worker: Math.max(0, ...others) }
  child.kill('SIGTERM')
  await ended
  return { seconds, cpu }
}
