/**
 * Measures how far one machine goes: visitors' pages of the demo per second with 1, 2, 4 and 8 processes, on one and on all processors, and
 * the memory of the whole server. Needs no prepared database.
 */
import { Agent } from 'node:http'
import { cpus } from 'node:os'
import { limitToOneProcessor, residentBytes } from '../support/processes.ts'
import { withCluster } from './cluster.ts'
import { ask, pagesOf, seededDemo } from './demo.ts'
import { median } from './measure.ts'
import { bin, started } from './serving.ts'
import { printTable } from './table.ts'
import { percentile } from './visits.ts'

const PROCESSES = [1, 2, 4, 8]
const PAGES = 12
const CONNECTIONS = 16
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
const SECONDS = 3

await withCluster('256MB', async (url, home) => {
  const { site, env } = await seededDemo(url, home, { INGOT_JOB_THREADS: '1' })
  const rows: string[][] = []
  for (const [processors, count] of [[1, 1] as const, ...PROCESSES.map((each) => [cpus().length, each] as const)]) {
    const server = await started([bin, 'serve', site], { ...env, INGOT_WORKERS: String(count) }, '/')
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    try {
      if (processors === 1) limitToOneProcessor(server.pid)
      const pages = await pagesOf(server.url, agent, PAGES)
      await load(server.url, pages, agent, SECONDS * 2)
      const rounds = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await load(server.url, pages, agent, SECONDS))
      rows.push([
        String(count),
        String(processors),
        median(rounds.map(({ rate }) => rate)).toFixed(0),
        `${median(rounds.map(({ times }) => percentile(times, 0.99))).toFixed(0)} ms`,
        `${(residentBytes(server.pid) / 1e6).toFixed(0)} MB`,
      ])
    } finally {
      agent.destroy()
      await server.stop()
    }
  }
  console.log(
    `\n${PAGES} pages of the demo, ${CONNECTIONS} connections; PostgreSQL and the client use the same processors`,
  )
  printTable(['processes', 'processors', 'pages a second', 'p99', 'memory without PostgreSQL'], rows)
})

interface Load {
  readonly rate: number
  /** The duration of each request, in milliseconds. */
  readonly times: readonly number[]
}

async function load(url: string, pages: readonly string[], agent: Agent, seconds: number): Promise<Load> {
  const start = performance.now()
  const end = start + seconds * 1000
  const times: number[] = []
  let next = 0
  const visitor = async (): Promise<void> => {
    while (performance.now() < end) {
      const path = pages[next++ % pages.length] ?? '/'
      const begun = performance.now()
      const { status } = await ask(url + path, agent)
      if (status !== 200) throw new Error(`${path}: ${status}`)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, visitor))
  return { rate: times.length / ((performance.now() - start) / 1000), times }
}
