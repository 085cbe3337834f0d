/**
 * Measures the cost of observability: pages per second of a built site with metrics and traces, compared with the same site without them,
 * in turns. Also compares the CPU time of the server alone, which depends less on other work of the machine. Needs no prepared database.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { DataSchema } from '../../runtime/page/compiled.ts'
import { connect } from '../../server/data/store/connection.ts'
import { migrate } from '../../server/data/store/migrate.ts'
import { applySchema } from '../../server/data/store/tables.ts'
import { withCluster } from './cluster.ts'
import { median } from './measure.ts'
import { totalCpuSeconds } from '../support/processes.ts'
import { bin, load, type Started, started, writeListing } from './serving.ts'
import { printTable } from './table.ts'

const OFF = 'off'
const ALL = 'metrics, traces of all requests'
const ROUNDS = 9
/** Duration of one turn. */
const SECONDS = 1.5
const DATA: DataSchema = {
  tables: [
    {
      name: 'product',
      file: 'app/schema/product.yml',
      properties: (['title', 'category', 'price'] as const).map((name) => {
        const type = name === 'price' ? 'integer' : 'string'
        return { name, type, default: null, belongsTo: null, options: null }
      }),
    },
  ],
  user: [],
  profiles: [],
}

await withCluster('256MB', watching)

async function watching(url: string, home: string): Promise<void> {
  const sql = await connect(url, 'DATABASE_URL', { pool: 2, name: 'bench' })
  await migrate(sql)
  const site = join(home, 'site')
  await writeListing(site)
  const table = (await applySchema(sql, DATA)).get('product') ?? 0
  await sql`insert into ingot.records (table_id, properties)
    select ${table}, jsonb_build_object('title', 'Product ' || n, 'category', 'c' || n % 100, 'price', n)
    from generate_series(1, 5000) n`
  await sql.end()
  // Receives the spans and discards them.
  const receiver = createServer((request, response) => {
    request.resume()
    request.once('end', () => response.end())
  })
  const endpoint = await new Promise<string>((done) => {
    receiver.listen(0, '127.0.0.1', () => {
      const place = receiver.address()
      done(`http://127.0.0.1:${typeof place === 'object' && place !== null ? place.port : 0}`)
    })
  })
  const common = {
    DATABASE_URL: url,
    INGOT_DATA: join(home, 'data'),
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: '0',
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
  }
  const metrics = { INGOT_METRICS_TOKEN: 'the-token-of-the-benchmark' }
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const all = { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }
  const servers = new Map<string, Started>()
  for (const [name, variables] of Object.entries({
    [OFF]: {},
    metrics,
    // The default, without a setting for sampling.
    'metrics and traces': { ...metrics, ...traces },
    [ALL]: { ...metrics, ...traces, ...all },
  }))
    servers.set(name, await started([bin, 'serve', site], { ...common, ...variables }))
  try {
    const rates = new Map([...servers.keys()].map((name) => [name, [] as number[]]))
    const costs = new Map([...servers.keys()].map((name) => [name, [] as number[]]))
    for (const server of servers.values()) await load(server.url, 4)
    const turns = [...servers]
    for (let round = 0; round < ROUNDS; round++)
      for (let turn = 0; turn < turns.length; turn++) {
        // The order changes in each round, so that no server always runs after the same one.
        const [name, server] = turns[(turn + round) % turns.length]!
        const before = totalCpuSeconds(server.pid)
        const rate = await load(server.url, SECONDS)
        rates.get(name)?.push(rate)
        costs.get(name)?.push((totalCpuSeconds(server.pid) - before) / (rate * SECONDS))
      }
    const off = rates.get(OFF) ?? []
    const offCosts = costs.get(OFF) ?? []
    console.log('\nwatched: a listing page with one query and 50 rows, 16 connections')
    printTable(
      ['what is on', 'pages a second', 'of those with it off', 'goal', 'in a second of processor time'],
      [...rates].map(([name, own]) => {
        const ratio = median(own.map((rate, at) => rate / (off[at] ?? rate)))
        const cost = median((costs.get(name) ?? []).map((each, at) => (offCosts[at] ?? each) / each))
        const goal = name === OFF || name === ALL ? '' : '0.97x'
        return [name, median(own).toFixed(0), `${ratio.toFixed(3)}x`, goal, `${cost.toFixed(3)}x`]
      }),
    )
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()))
    receiver.close()
  }
}
