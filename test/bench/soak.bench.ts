/**
 * Sends 300 requests per second for five minutes to twelve pages of the demo, at a constant rate that does not wait for responses. Measures
 * failures, response times, and the memory of the server's processes in the second minute and in the last one. Runs only if it is named.
 * `SOAK_MINUTE` sets the seconds of a minute, and `SOAK_RATE` the rate; the goals apply only without these variables.
 */
import { Agent } from 'node:http'
import { withCluster } from './cluster.ts'
import { residentBytes } from '../support/processes.ts'
import { ask, pagesOf, seededDemo } from './demo.ts'
import { bin, type Started, started } from './serving.ts'
import { printTable } from './table.ts'
import { percentile } from './visits.ts'

const MINUTES = 5
const MINUTE = Number(process.env['SOAK_MINUTE'] ?? 60)
const RATE = Number(process.env['SOAK_RATE'] ?? 300)
const PAGES = 12
/** Milliseconds between two bursts of requests. */
const BURST = 10

await withCluster('128MB', soak)

async function soak(url: string, home: string): Promise<void> {
  const { site, env } = await seededDemo(url, home, { INGOT_WORKERS: '2', INGOT_JOB_THREADS: '1' })
  const server = await started([bin, 'serve', site], env, '/')
  try {
    const agent = new Agent({ keepAlive: true, maxSockets: 128 })
    const pages = await pagesOf(server.url, agent, PAGES)
    console.log(
      `\n${MINUTES} minutes of ${MINUTE} s, ${RATE} requests a second over ${pages.length} pages: ${pages.join(' ')}`,
    )
    const minutes: Minute[] = []
    for (let at = 0; at < MINUTES; at++) minutes.push(await minute(server, pages, agent))
    agent.destroy()
    printTable(
      ['minute', 'requests', 'errors', 'p50', 'p99', 'memory'],
      minutes.map(({ times, errors, memory }, at) => [
        String(at + 1),
        String(times.length + errors.length),
        String(errors.length),
        `${percentile(times, 0.5).toFixed(0)} ms`,
        `${percentile(times, 0.99).toFixed(0)} ms`,
        `${(memory / 1e6).toFixed(0)} MB`,
      ]),
    )
    const errors = minutes.flatMap((each) => each.errors)
    for (const why of new Set(errors)) console.log(`${errors.filter((each) => each === why).length} × ${why}`)
    const grown = (minutes.at(-1)?.memory ?? 0) / (minutes[1]?.memory ?? 1)
    printTable(
      ['', 'is', 'goal'],
      [
        ['errors', String(errors.length), '0'],
        ['memory of the last minute to that of the second', `${grown.toFixed(2)}x`, '1.10x'],
      ],
    )
  } finally {
    await server.stop()
  }
}

interface Minute {
  /** The duration of each request, in milliseconds. */
  readonly times: readonly number[]
  readonly errors: readonly string[]
  /** Average memory in bytes. */
  readonly memory: number
}

async function minute(server: Started, pages: readonly string[], agent: Agent): Promise<Minute> {
  const times: number[] = []
  const errors: string[] = []
  const memory: number[] = []
  const open = new Set<Promise<void>>()
  const start = performance.now()
  let sent = 0
  const send = (path: string): void => {
    const begun = performance.now()
    const asked: Promise<void> = ask(server.url + path, agent)
      .then(
        ({ status }) => {
          if (status === 200) times.push(performance.now() - begun)
          else errors.push(`${path}: ${status}`)
        },
        (error: unknown) => void errors.push(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => open.delete(asked))
    open.add(asked)
  }
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const passed = performance.now() - start
      for (; sent < Math.min((passed / 1000) * RATE, MINUTE * RATE); sent++) send(pages[sent % pages.length] ?? '/')
      if (passed > (memory.length + 1) * (MINUTE / 12) * 1000) memory.push(residentBytes(server.pid))
      if (passed < MINUTE * 1000) return
      clearInterval(timer)
      done()
    }, BURST)
  })
  await Promise.all(open)
  return { times, errors, memory: memory.reduce((sum, each) => sum + each, 0) / Math.max(1, memory.length) }
}
