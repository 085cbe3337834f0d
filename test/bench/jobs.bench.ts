/**
 * Measures jobs: the time from the queue to their start on an idle server; the rate of empty jobs, compared with the queue library alone
 * with the same settings; and how much a busy pool slows down page requests. Needs no prepared database.
 */
import { EventEmitter } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, run } from 'graphile-worker'
import pg from 'pg'
import type { Sql } from 'postgres'
import { ABI } from '../../runtime/page/site.ts'
import { installQueue } from '../../server/data/queue/install.ts'
import { pgConfig } from '../../server/data/queue/pg-config.ts'
import { connect } from '../../server/data/store/connection.ts'
import { migrate } from '../../server/data/store/migrate.ts'
import { bundleOf, job, queue } from '../server/operate/jobs/queue-site.ts'
import { withCluster } from './cluster.ts'
import { median } from './measure.ts'
import { bin, build, started, write } from './serving.ts'
import { printTable } from './table.ts'

const THREADS = 2
const JOBS = 10_000
const ROUNDS = 5
/** Requests per second, and the duration in seconds. */
const RATE = 100
const SECONDS = 10
/** Number of rounds for requests. The p99 of a single round would depend on only a few requests. */
const REQUEST_ROUNDS = 6
/** The pages that are requested while jobs run: one that needs the database, as most pages do, and one that does not. */
const PAGES = ['/notes', '/']
/** Iterations of a loop that takes about a tenth of a second. */
const TURNS = 5_000

/** A site whose jobs use as much CPU time as they can get. */
const BURNING = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
  'app/graphql/notes.graphql': `query notes {
  records(per_page: 20, sort: [{ id: { order: ASC } }], filter: { table: { value: "note" } }) {
    total_entries
    results { id text: property(name: "text") }
  }
}
`,
  'app/graphql/add.graphql': `mutation add($text: String!) {
  record_create(record: { table: "note", properties: [{ name: "text", value: $text }] }) { id }
}
`,
  'app/views/pages/index.liquid': '<h1>Hello</h1>\n',
  'app/views/pages/notes.liquid': `{% graphql notes = 'notes' %}
<h1>{{ notes.records.total_entries }} notes</h1>
<ul>{% for note in notes.records.results %}<li>{{ note.id }} {{ note.text }}</li>{% endfor %}</ul>
`,
  'app/views/pages/fill.liquid': `{% for n in (1..200) %}{% assign text = n | append: ' things to do' %}{% graphql _ = 'add', text: text %}{% endfor %}`,
  'app/views/pages/queue.liquid': `{% assign count = context.params.count | to_positive_integer: 1 %}
{% for n in (1..count) %}{% background _job = 'burn', turns: ${TURNS} %}{% endfor %}`,
  'app/views/partials/burn.liquid': `{% for turn in (1..turns) %}{% assign text = '' %}{% for n in (1..1000) %}{% assign text = text | append: n %}{% endfor %}{% endfor %}
{{ text | size }}`,
}

await withCluster('256MB', measured)

async function measured(url: string, home: string): Promise<void> {
  const sql = await connect(url, 'DATABASE_URL', { pool: 4, name: 'bench' })
  await migrate(sql)
  await installQueue(url, sql)
  const site = join(home, 'site')
  const notes = join(home, 'notes')
  const jobs = {
    empty: '() => ""',
    start: '(r, scope) => note(scope.n + " " + (performance.timeOrigin + performance.now()))',
  }
  await write(site, {
    '.ingot/manifest.json': JSON.stringify({ abi: ABI, builtBy: '0.1.0', createdAt: '' }),
    '.ingot/site.mjs': bundleOf({ jobs }, notes),
  })
  writeFileSync(notes, '')
  const env = {
    DATABASE_URL: url,
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: String(THREADS),
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
  }
  const server = await started([bin, 'serve', site], env, '/')
  try {
    await queue(sql, job('start', { n: 'warm' }))
    while (!readFileSync(notes, 'utf8').includes('warm')) await sleep(50)
    await latency(sql, notes)
    await drained(sql, url)
  } finally {
    await server.stop()
  }
  try {
    await besideRequests(sql, join(home, 'burning'), env)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function latency(sql: Sql, notes: string): Promise<void> {
  const queued: number[] = []
  for (let n = 0; n < 300; n++) {
    queued.push(performance.timeOrigin + performance.now())
    await queue(sql, job('start', { n }))
    await sleep(20)
  }
  await emptied(sql)
  const times = readFileSync(notes, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [n, at] = line.split(' ').map(Number)
      return n === undefined || at === undefined || Number.isNaN(n) ? [] : [at - (queued[n] ?? at)]
    })
  console.log('queue to start, idle server (bar: p50 under 20 ms)')
  printTable(
    ['jobs', 'p50', 'p95', 'p99'],
    [[String(times.length), ...[0.5, 0.95, 0.99].map((share) => `${percentile(times, share).toFixed(1)} ms`)]],
  )
}

async function drained(sql: Sql, url: string): Promise<void> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await ourRate(sql)
    const other = await bareRate(sql, url)
    // The first round is a warm-up for both.
    if (round === 0) continue
    ours.push(one)
    bare.push(other)
  }
  const ratios = ours.map((rate, at) => rate / (bare[at] ?? rate))
  console.log('empty jobs drained in a second (bar: 0.95 of the bare engine)')
  printTable(
    ['ours', 'bare engine', 'ratio'],
    [[median(ours).toFixed(0), median(bare).toFixed(0), median(ratios).toFixed(2)]],
  )
}

async function ourRate(sql: Sql): Promise<number> {
  await queue(sql, ...Array.from({ length: JOBS }, () => job('empty')))
  return rateOf(sql)
}

async function bareRate(sql: Sql, url: string): Promise<number> {
  const pool = new pg.Pool({ ...(await pgConfig(url, sql)), max: THREADS + 2 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  let ready: () => void = () => undefined
  const listening = new Promise<void>((done) => {
    ready = done
  })
  const events = new EventEmitter()
  events.on('pool:listen:success', () => ready())
  const runner = await run({
    pgPool: pool,
    concurrency: THREADS,
    noHandleSignals: true,
    parsedCronItems: [],
    logger: new Logger(() => () => undefined),
    events,
    taskList: { bare: async () => undefined },
  })
  await listening
  // The same payload as Ingot's.
  const payload = JSON.stringify(job('empty'))
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select row('bare', ${payload}::text::json, null, null, 1, null, 0, null)::graphile_worker.job_spec
      from generate_series(1, ${JOBS}::int)))`
  const rate = await rateOf(sql)
  await runner.stop()
  await pool.end()
  return rate
}

/** Returns the completed jobs per second, until the queue is empty. */
async function rateOf(sql: Sql): Promise<number> {
  const begun = performance.now()
  const waiting = await left(sql)
  await emptied(sql)
  return waiting / ((performance.now() - begun) / 1000)
}

async function besideRequests(sql: Sql, site: string, env: Record<string, string>): Promise<void> {
  await write(site, BURNING)
  build(site)
  const server = await started([bin, 'serve', site], env, '/')
  try {
    await (await fetch(`${server.url}/fill`)).text()
    const times = PAGES.map((page) => ({ page, idle: [] as number[], busy: [] as number[] }))
    for (const { page } of times) await warmed(server.url + page)
    for (let round = 0; round < REQUEST_ROUNDS; round++) {
      for (const { page, idle, busy } of times) {
        idle.push(...(await requests(server.url + page)))
        await (await fetch(`${server.url}/queue?count=${SECONDS * 40}`)).text()
        await sleep(500)
        busy.push(...(await requests(server.url + page)))
        await sql`delete from graphile_worker._private_jobs where locked_at is null`
        await emptied(sql)
      }
    }
    console.log(`requests while the pool is idle and busy, ${RATE} in a second (bar: p99 within 2x)`)
    printTable(
      ['page', 'requests', 'idle p50', 'idle p99', 'busy p50', 'busy p99', 'p99, ratio'],
      times.map(({ page, idle, busy }) => [
        page,
        String(idle.length + busy.length),
        ...[idle, busy].flatMap((all) => [0.5, 0.99].map((share) => `${percentile(all, share).toFixed(2)} ms`)),
        `${(percentile(busy, 0.99) / percentile(idle, 0.99)).toFixed(2)}x`,
      ]),
    )
  } finally {
    await server.stop()
  }
}

/** Sends requests without pause until every worker runs compiled code. */
async function warmed(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const end = performance.now() + SECONDS * 1000
  const ask = async (): Promise<void> => {
    while (performance.now() < end) await answered(url, agent)
  }
  await Promise.all(Array.from({ length: 8 }, ask))
  agent.destroy()
}

function answered(url: string, agent: Agent): Promise<void> {
  return new Promise((done, failed) => {
    get(url, { agent }, (response) => response.resume().once('end', done)).once('error', failed)
  })
}

/** Sends requests at a constant rate, whether or not responses arrive. Returns the milliseconds of each. */
async function requests(url: string): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const times: number[] = []
  const open: Promise<void>[] = []
  const begun = performance.now()
  for (let n = 0; n < RATE * SECONDS; n++) {
    const due = begun + (n * 1000) / RATE
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    const asked = performance.now()
    open.push(answered(url, agent).then(() => void times.push(performance.now() - asked)))
  }
  await Promise.all(open)
  agent.destroy()
  return times
}

async function emptied(sql: Sql): Promise<void> {
  while ((await left(sql)) > 0) await sleep(20)
}

async function left(sql: Sql): Promise<number> {
  const [row] = await sql<{ left: number }[]>`select count(*)::int as left from graphile_worker._private_jobs`
  return row?.left ?? 0
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
