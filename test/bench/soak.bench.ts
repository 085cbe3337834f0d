/**
 * Sends 300 requests per second for five minutes to twelve pages of the demo, at a constant rate that does not wait for responses. Measures
 * failures, response times, and the memory of the server's processes in the second minute and in the last one. Runs only if it is named.
 * `SOAK_MINUTE` sets the seconds of a minute, and `SOAK_RATE` the rate; the goals apply only without these variables.
 */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join, resolve } from 'node:path'
import { withCluster } from './cluster.ts'
import { residentBytes } from '../support/processes.ts'
import { bin, build, type Started, started } from './serving.ts'
import { printTable } from './table.ts'

const MINUTES = 5
const MINUTE = Number(process.env['SOAK_MINUTE'] ?? 60)
const RATE = Number(process.env['SOAK_RATE'] ?? 300)
const PAGES = 12
/** Milliseconds between two bursts of requests. */
const BURST = 10
/** Milliseconds after which a request counts as failed. */
const PATIENCE = 30_000

await withCluster('128MB', soak)

async function soak(url: string, home: string): Promise<void> {
  const site = join(home, 'demo')
  cpSync(resolve('fixtures/sites/marketplace'), site, { recursive: true })
  build(site)
  const env = {
    DATABASE_URL: url,
    INGOT_DATA: join(home, 'data'),
    INGOT_SECRET: 'a secret of the benchmark, long enough for it',
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: '1',
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
  }
  const first = await started([bin, 'serve', site], env, '/')
  await first.stop()
  const seeded = spawnSync(process.execPath, [bin, 'data', 'seed', site], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })
  if (seeded.status !== 0) throw new Error(seeded.stderr)
  const server = await started([bin, 'serve', site], env, '/')
  try {
    const agent = new Agent({ keepAlive: true, maxSockets: 128 })
    const pages = await pagesOf(server.url, agent)
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
        `${quantile(times, 0.5).toFixed(0)} ms`,
        `${quantile(times, 0.99).toFixed(0)} ms`,
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

/** Returns the first pages that links lead to, starting at the home page. */
async function pagesOf(url: string, agent: Agent): Promise<readonly string[]> {
  const pages: string[] = []
  const seen = new Set(['/'])
  for (const path of seen) {
    const { status, text } = await ask(url + path, agent)
    if (status !== 200) continue
    pages.push(path)
    if (pages.length === PAGES) return pages
    for (const [, link = ''] of text.matchAll(/<a\b[^>]*?href="(\/[^"#]*)"/g)) {
      const next = link.replaceAll('&amp;', '&')
      if (!/^\/\/|\/(?:assets|uploads|_ingot)\//.test(next)) seen.add(next)
    }
  }
  throw new Error(`The demo has only ${pages.length} pages that can be asked for.`)
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

function ask(url: string, agent: Agent): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((done, failed) => {
    const request = get(url, { agent, timeout: PATIENCE }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        text += data
      })
      reply.on('end', () => done({ status: reply.statusCode ?? 0, text }))
      reply.on('error', failed)
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE / 1000} s`)))
    request.on('error', failed)
  })
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
