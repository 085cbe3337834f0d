/**
 * Measures how far a site goes: `ingot check` and `ingot build` as whole processes with nothing cached, their memory with all their
 * processes, the size of the build, and the time from `ingot serve` to the first page, for sites of 1,500, 6,000 and 24,000 templates. The
 * installed product is measured, without its sources.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantPids } from '../support/processes.ts'
import { withCluster } from './cluster.ts'
import { installed } from './installed.ts'
import { median } from './measure.ts'
import { started } from './serving.ts'
import { generateSite } from './site.ts'
import { printTable } from './table.ts'

const SIZES = (process.env['TEMPLATES'] ?? '1500,6000,24000').split(',').map(Number)
const ROUNDS = Number(process.env['ROUNDS'] ?? 3)

interface Run {
  readonly seconds: number
  /** Peak memory of all processes, in MB. */
  readonly memory: number
}

interface Figures {
  readonly check: Run
  readonly build: Run
  /** Size of the packed build, in MB. */
  readonly size: number
  /** Seconds from `ingot serve` to the first page. */
  readonly start: number
}

let home = ''
let database = ''

await withCluster('128MB', async (url, folder) => {
  home = folder
  database = url
  await report()
})

async function report(): Promise<void> {
  const bin = installed(join(home, 'product'))
  const figures: Figures[] = []
  for (const templates of SIZES) figures.push(await measured(bin, templates))
  printTable(
    ['templates', 'check', 'memory', 'build', 'memory', 'packed build', 'start to the first page'],
    figures.map(({ check, build, size, start }, at) => [
      SIZES[at]!.toLocaleString('en'),
      ...[check, build].flatMap(({ seconds, memory }) => [`${seconds.toFixed(1)} s`, `${memory.toFixed(0)} MB`]),
      `${size.toFixed(1)} MB`,
      `${start.toFixed(2)} s`,
    ]),
  )
  const [small, large] = figures
  if (small === undefined || large === undefined) return
  const ratio = (pick: (each: Figures) => number): string => `${(pick(large) / pick(small)).toFixed(2)}x`
  printTable(
    [`${SIZES[1]} templates, of ${SIZES[0]}`, 'time', 'goal', 'memory', 'goal'],
    [
      ['check', ratio(({ check }) => check.seconds), '4.2x', ratio(({ check }) => check.memory), '3.0x'],
      ['build', ratio(({ build }) => build.seconds), '4.2x', ratio(({ build }) => build.memory), '3.0x'],
    ],
  )
}

async function measured(bin: string, templates: number): Promise<Figures> {
  const site = join(home, `site-${templates}`)
  // The pages of the generated site would take minutes, because their partials call others.
  const ready = { path: 'app/views/pages/ready.liquid', text: `---\nslug: ready\nlayout: ''\n---\nready` }
  for (const { path, text } of [...generateSite(templates), ready]) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  const archive = join(home, `${templates}.tgz`)
  const rounds = Array.from({ length: ROUNDS })
  const checks: Run[] = []
  const builds: Run[] = []
  for (const _ of rounds) {
    for (const [runs, words] of [
      [checks, ['check', site]],
      [builds, ['build', site, '--pack', archive]],
    ] as const) {
      rmSync(join(site, '.ingot'), { recursive: true, force: true })
      runs.push(await run([bin, ...words]))
    }
  }
  const middle = (runs: readonly Run[]): Run => ({
    seconds: median(runs.map(({ seconds }) => seconds)),
    memory: median(runs.map(({ memory }) => memory)),
  })
  return {
    check: middle(checks),
    build: middle(builds),
    size: statSync(archive).size / 1e6,
    start: await startTime(bin, archive, '/ready'),
  }
}

/** Returns the median time in seconds from `ingot serve` to the first page, with a database that is there. */
async function startTime(bin: string, archive: string, path: string): Promise<number> {
  const env = {
    DATABASE_URL: database,
    INGOT_DATA: join(home, 'data'),
    INGOT_LOG: 'error',
    INGOT_SECRET: 'a secret of the benchmark, long enough',
  }
  const times: number[] = []
  // The first start creates the database and unpacks the build.
  for (let start = 0; start <= ROUNDS; start++) {
    const begun = performance.now()
    const server = await started([bin, 'serve', archive], env, path)
    times.push((performance.now() - begun) / 1000)
    await server.stop()
  }
  return median(times.slice(1))
}

/** Runs a command to its end. @throws Error if it fails */
async function run(args: readonly string[]): Promise<Run> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(home, 'cache') },
    stdio: 'ignore',
  })
  const peaks = new Map<number, number>()
  const ended = new Promise<number | null>((end) => child.once('close', end))
  let isRunning = true
  void ended.then(() => {
    isRunning = false
  })
  while (isRunning) {
    const pid = child.pid ?? 0
    for (const each of [pid, ...descendantPids(pid)]) peaks.set(each, Math.max(peaks.get(each) ?? 0, peakMemory(each)))
    await sleep(50)
  }
  const code = await ended
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`)
  return { seconds, memory: [...peaks.values()].reduce((sum, each) => sum + each, 0) }
}

/** Returns the peak of a process's resident memory so far, in MB; 0 when it has ended. */
function peakMemory(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
