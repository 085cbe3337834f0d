/**
 * `npm run cluster`: simulates several hosts as network namespaces of this machine. Lets the hosts fail one after another while visitors
 * send requests, and prints the losses. Exits with 1 if a promise is not kept, and with 2 if the script cannot run.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startDatabase } from './database.ts'
import { type Cluster, type ClusterEvent, clusterEvents } from './events.ts'
import { missing } from './needs.ts'
import { Network } from './network.ts'
import { Programs } from './programs.ts'
import { makeServers, startServers } from './servers.ts'
import { type Row, rowOf, tableOf } from './table.ts'
import { type Loss, Traffic } from './traffic.ts'

/** Requests per second. */
const RATE = 40
/** Milliseconds of load before each event, and after it. */
const QUIET = 5_000
/** Maximum time in seconds until all jobs have ended after the last request. */
const JOBS_END = 90

const VISITORS = fileURLToPath(new URL('./visitors.mjs', import.meta.url))

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

const { values, positionals } = parseArgs({
  options: { logs: { type: 'string' }, around: { type: 'string' } },
  allowPositionals: true,
})
const needed = missing()
if (needed.length > 0) {
  for (const sentence of needed) say(sentence)
  process.exit(2)
}
const events = clusterEvents(Number(values.around ?? 300)).filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)

const home = mkdtempSync(join(tmpdir(), 'ingot-cluster-'))
const network = new Network()
let removed = false

function clean(): void {
  if (removed) return
  removed = true
  network.remove()
  if (values.logs !== undefined) cpSync(join(home, 'logs'), values.logs, { recursive: true })
  rmSync(home, { recursive: true, force: true })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    clean()
    process.exit(130)
  })

// Stops if the parent process has ended, because it may not have sent a signal.
const parent = process.ppid
setInterval(() => {
  if (process.ppid === parent) return
  clean()
  process.exit(130)
}, 1_000).unref()

try {
  const rows = await run()
  process.stdout.write(tableOf(rows))
  const misses = rows.flatMap((row) => row.misses.map((miss) => `${row.name}: ${miss}`))
  for (const miss of misses) say(miss)
  process.exitCode = misses.length === 0 ? 0 : 1
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 2
} finally {
  clean()
}
process.exit()

async function run(): Promise<readonly Row[]> {
  // The users of the programs can enter the folder. Their own files are private.
  chmodSync(home, 0o755)
  const logs = join(home, 'logs')
  mkdirSync(logs)
  const programs = new Programs(logs)
  say('The database starts …')
  const database = await startDatabase(network, programs, home)
  const servers = makeServers({ network, programs, database, ingot: product(), home })
  say('The site is built …')
  const releases = { first: await servers.push('1'), second: await servers.push('2') }
  await servers.activate(releases.first)
  say('The servers start …')
  await startServers(servers)
  const traffic = await Traffic.open(network.host('visitors'), VISITORS)
  // The first pages of a process are slow, so some requests are sent before the measurement.
  await visited(traffic, servers.url, QUIET)
  const cluster: Cluster = { network, database, servers, releases }
  const rows: Row[] = []
  const known = new Set<string>()
  for (const event of events) rows.push(await rowFor(event, cluster, traffic, known))
  return rows
}

/** Copies the built product to a separate folder, so that no later build changes it during the run. */
function product(): string {
  const root = process.cwd()
  const folder = join(home, 'product')
  for (const path of [
    'dist',
    'server/bin.mjs',
    'server/commands.mjs',
    'server/commands/completion.mjs',
    'server/commands/help.mjs',
    'server/commands/port.mjs',
    'package.json',
    'runtime/data/environment.mjs',
  ])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'server/bin.mjs')
}

async function visited(traffic: Traffic, url: string, milliseconds: number): Promise<void> {
  traffic.go(url, RATE)
  await sleep(milliseconds)
  await traffic.stop()
}

async function rowFor(event: ClusterEvent, cluster: Cluster, traffic: Traffic, known: Set<string>): Promise<Row> {
  const { database, servers } = cluster
  say(`${event.name} …`)
  const from = Date.now()
  traffic.go(servers.url, RATE)
  await sleep(QUIET)
  const at = Date.now()
  await event.happen(cluster)
  await sleep(Math.max(QUIET, from + event.seconds * 1000 - Date.now()))
  await traffic.stop()
  const loss = await traffic.loss(database.url, servers.files, JOBS_END)
  const row = rowOf(event, traffic.between(from, Date.now()), at, fresh(loss, known))
  for (const example of row.examples) say(`  ${example}`)
  return row
}

/** Returns the losses that were not already found after an earlier event. */
function fresh(loss: Loss, known: Set<string>): Loss {
  const news = (name: keyof Loss): readonly string[] =>
    loss[name].filter((key) => {
      const isNew = !known.has(`${name} ${key}`)
      known.add(`${name} ${key}`)
      return isNew
    })
  return { rows: news('rows'), jobs: news('jobs'), doubled: news('doubled') }
}
