/**
 * Measures how far one table goes: its size on disk, the build of its indexes, and the three most common queries, with 10,000, 1,000,000
 * and 10,000,000 rows, and computes them for 100,000,000; the listing page over HTTP with the most rows, compared with the fewest; and
 * writes while a release converts a property of 1,000,000 rows. Needs no prepared database.
 */
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execute, planOperation } from '../../runtime/data/query/index.ts'
import { connect } from '../../server/data/store/connection.ts'
import { withCluster } from './cluster.ts'
import { COUNTED, ONE, PRODUCTS } from './data-site.ts'
import { createFilled, type Filled } from './filled.ts'
import { interleaveAsync, inTurns, median, type Rates } from './measure.ts'
import { bin, load, POOL, post, started, write, writeSiteOfAll } from './serving.ts'
import { printTable } from './table.ts'
import { percentile, ran, type Visits, visits } from './visits.ts'

const SIZES = (process.env['ROWS'] ?? '10000,1000000,10000000').split(',').map(Number)
/** Rows that are converted, and requests per second meanwhile. */
const CONVERTED = Number(process.env['CONVERTED'] ?? 1_000_000)
const RATE = 100
const REQUESTS = 2_000
/** The value columns of the table of sizes. */
type Figures = readonly [gigabytes: number, indexSeconds: number, byId: number, page: number, counted: number]

await withCluster('1GB', async (url, home) => {
  await converting(url, home)
  const databases: Filled[] = []
  for (const rows of SIZES) databases.push(await createFilled(url, `rows_${rows}`, 10, rows))
  const figures: Figures[] = []
  for (const database of databases) figures.push(await figuresOf(database))
  const last = figures.at(-1)!
  const [gigabytes, indexSeconds, byId, page, counted] = last
  printTable(
    ['rows of the table', 'on disk', 'index build', 'a row by id', 'a page of 20', 'a page with its total'],
    [
      ...figures.map((each, at) => [count(SIZES[at]!), ...texts(each)]),
      // B-trees become deeper by less than one level. Sizes and counts grow with the rows, sorting a little faster.
      [
        `${count(SIZES.at(-1)! * 10)}, computed`,
        ...texts([gigabytes * 10, indexSeconds * 11, byId, page, counted * 10]),
      ],
    ],
  )
  await listing(databases[0]!.url, databases.at(-1)!.url, home)
  for (const { sql, plain } of databases) await Promise.all([sql.end(), plain.end()])
})

function count(rows: number): string {
  return rows.toLocaleString('en')
}

function texts([gigabytes, indexSeconds, ...milliseconds]: Figures): string[] {
  return [
    `${gigabytes.toFixed(2)} GB`,
    `${indexSeconds.toFixed(1)} s`,
    ...milliseconds.map((value) => `${value.toFixed(2)} ms`),
  ]
}

async function figuresOf({ sql, host, ids, indexSeconds }: Filled): Promise<Figures> {
  const table = ids.get('product') ?? 0
  const [size] = await sql<{ bytes: number; first: number; last: number }[]>`
    select pg_total_relation_size('ingot.records')::float8 as bytes, min(id)::float8 as first, max(id)::float8 as last
    from ingot.records where table_id = ${table}`
  const { bytes = 0, first = 0, last = 0 } = size ?? {}
  let turn = 0
  const run = (text: string, variables: () => Record<string, unknown>) => {
    const plan = planOperation(text)
    return () => execute(plan, variables(), host)
  }
  const category = (): Record<string, unknown> => ({ category: `c${turn++ % 100}`, page: 1 })
  const rates = await interleaveAsync(
    [
      { name: 'one', run: run(ONE, () => ({ id: String(Math.floor(first + Math.random() * (last - first))) })) },
      { name: 'page', run: run(PRODUCTS, category) },
      { name: 'counted', run: run(COUNTED, category) },
    ],
    5,
    1,
  )
  const milliseconds = (name: string, of: Rates = rates): number => 1000 / median(of.get(name)!)
  return [bytes / 1e9, indexSeconds, milliseconds('one'), milliseconds('page'), milliseconds('counted')]
}

/** Measures the listing page with many rows, compared with few. */
async function listing(few: string, many: string, home: string): Promise<void> {
  const site = join(home, 'listing')
  await writeSiteOfAll(site)
  const servers = []
  for (const url of [many, few]) {
    const env = { DATABASE_URL: url, INGOT_WORKERS: '2', INGOT_POOL: POOL, INGOT_LOG: 'warn', INGOT_ENV: 'production' }
    servers.push(await started([bin, 'serve', site], env))
  }
  try {
    const rates = await inTurns(servers, (each, seconds) => load(each.url, seconds), { rounds: 7, seconds: 2, warm: 8 })
    const [of = [], than = []] = rates
    console.log('\nthe listing page over HTTP: one query, 50 rows, 16 connections')
    printTable(
      ['listing pages a second, over HTTP', 'of', 'time, ratio', 'goal'],
      [
        [than, SIZES[0]!, '', ''] as const,
        [of, SIZES.at(-1)!, `${median(of.map((rate, at) => than[at]! / rate)).toFixed(2)}x`, '1.30x'] as const,
      ].map(([each, rows, ratio, goal]) => [median(each).toFixed(0), `${count(rows)} rows`, ratio, goal]),
    )
  } finally {
    await Promise.all(servers.map((each) => each.stop()))
  }
}

/** The site whose property `amount` is converted. Its pages write a row in each release's own form. */
function site(type: 'string' | 'integer'): Readonly<Record<string, string>> {
  const value = type === 'string' ? 'value: "7"' : 'value_int: 7'
  const page = (name: string, id: string): string =>
    `---\nslug: ${name}\nmethod: post\n---\n{% graphql done = '${name}'${id} %}{{ done.row.id }}`
  return {
    'app/schema/entry.yml': `name: entry\nproperties:\n  - name: title\n  - name: amount\n    type: ${type}\n`,
    'app/graphql/add.graphql': `mutation add {\n  row: record_create(record: { table: "entry", properties: [{ ${value}, name: "amount" }] }) { id }\n}\n`,
    'app/graphql/change.graphql': `mutation change($id: ID!) {\n  row: record_update(id: $id, record: { table: "entry", properties: [{ ${value}, name: "amount" }] }) { id }\n}\n`,
    'app/views/pages/index.liquid': 'ready',
    'app/views/pages/add.liquid': page('add', ''),
    'app/views/pages/change.liquid': page('change', ', id: context.params.id'),
  }
}

async function converting(url: string, home: string): Promise<void> {
  const folder = (type: string): string => join(home, `converting-${type}`)
  for (const type of ['string', 'integer'] as const) await write(folder(type), site(type))
  const env = {
    DATABASE_URL: url,
    INGOT_RELEASES: 'database',
    INGOT_SECRET: 'the secret of the benchmark',
    INGOT_HOSTS: '127.0.0.1',
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: '0',
    INGOT_LOG: 'error',
    INGOT_ENV: 'production',
    INGOT_DATA: join(home, 'converting-data'),
  }
  const push = async (type: string): Promise<string> => {
    await ran(['build', folder(type), '--pack', `${folder(type)}.tgz`], env)
    return (await ran(['release', 'push', `${folder(type)}.tgz`, home], env)).trim()
  }
  await ran(['release', 'activate', await push('string'), home], env)
  const sql = await connect(url, 'DATABASE_URL', { pool: 1, name: 'bench' })
  await sql`insert into ingot.records (table_id, properties)
    select t.id, jsonb_build_object('title', 'Entry ' || n, 'amount', (n % 1000)::text)
    from ingot.tables t, generate_series(1, ${CONVERTED}::integer) n where t.name = 'entry'`
  const [range] = await sql<{ first: number }[]>`select min(id)::float8 as first from ingot.records`
  const next = await push('integer')
  const server = await started([bin, 'serve', home], env, '/')
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const visit = (n: number): Promise<void> => {
    const id = (range?.first ?? 0) + Math.floor(Math.random() * CONVERTED)
    const [path, body] = n % 2 === 0 ? ['add', ''] : ['change', `id=${id}`]
    return post(`${server.url}/${path}`, body, agent)
  }
  try {
    await visits(visit, RATE, sleep(5_000), 0)
    const idle = await visits(visit, RATE, Promise.resolve(), REQUESTS)
    const begun = performance.now()
    const activation = ran(['release', 'activate', next, home], env)
    const seconds = activation.then(() => (performance.now() - begun) / 1000)
    const busy = await visits(visit, RATE, activation, REQUESTS)
    const [left] = await sql<{ rows: number }[]>`
      select count(*)::float8 as rows from ingot.records where jsonb_typeof(properties -> 'amount') <> 'number'`
    report(idle, busy, await seconds, left?.rows ?? 0)
  } finally {
    agent.destroy()
    await server.stop()
    await sql.end()
  }
}

function report(idle: Visits, busy: Visits, seconds: number, left: number): void {
  for (const reason of busy.failed.slice(0, 5)) console.log(`failed: ${reason}`)
  const [before, during] = [idle, busy].map(({ times }) => percentile(times, 0.99)) as [number, number]
  console.log(`\nwrites while a release converts a property of ${count(CONVERTED)} rows, ${RATE} in a second`)
  printTable(
    [
      `writes, ${count(CONVERTED)} rows converted meanwhile`,
      'failed',
      'release',
      'idle p99',
      'busy p50',
      'busy p99',
      'p99, ratio',
      'goal',
      'not converted',
    ],
    [
      [
        String(busy.times.length),
        String(busy.failed.length),
        `${seconds.toFixed(1)} s`,
        `${before.toFixed(1)} ms`,
        `${percentile(busy.times, 0.5).toFixed(1)} ms`,
        `${during.toFixed(1)} ms`,
        `${(during / before).toFixed(2)}x`,
        '3.00x',
        String(left),
      ],
    ],
  )
}
