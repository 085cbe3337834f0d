/**
 * Measures `ingot check` as a whole process, for one page and for a generated site of 1,000 templates: on the first run, with nothing
 * changed since the last run, and with one template changed. The last case is also measured while another process, such as `ingot dev` or
 * an editor's, has the site in memory. The installed product is measured, without its sources.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { installed } from './installed.ts'
import { median } from './measure.ts'
import { generateSite } from './site.ts'
import { printTable } from './table.ts'

const TEMPLATES = 1_000
const ROUNDS = Number(process.env['ROUNDS'] ?? 9)
/** Number of rounds for measurements that take seconds. */
const LONG_ROUNDS = 5
/** Minimum time in milliseconds that a person needs between two saves. */
const PAUSE = 500

const home = mkdtempSync(join(tmpdir(), 'ingot-check-'))
try {
  await measured()
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function measured(): Promise<void> {
  const bin = installed(join(home, 'product'))
  const page = join(home, 'page')
  write(join(page, 'app/views/pages/index.liquid'), '<p>{{ 1 | plus: 2 }}</p>\n')
  const site = join(home, 'site')
  const files = generateSite(TEMPLATES)
  for (const { path, text } of files) write(join(site, path), text)
  const templates = files.filter(({ path }) => path.endsWith('.liquid'))
  let changes = 0
  const change = (): void => {
    const { path, text } = templates[(++changes * 61) % templates.length]!
    write(join(site, path), `${text}<b>${changes}</b>\n`)
  }
  // The very first run compiles the command. The compiled code is cached for the later runs.
  for (const folder of [page, site]) check(bin, folder)
  const node = times(ROUNDS, () => run(['-e', '0']))
  const first = times(
    ROUNDS,
    () => check(bin, page),
    () => forget(page),
  )
  const again = times(ROUNDS, () => check(bin, page))
  const cold = times(
    LONG_ROUNDS,
    () => check(bin, site),
    () => forget(site),
  )
  const same = times(ROUNDS, () => check(bin, site))
  const changed = times(LONG_ROUNDS, () => check(bin, site), change)
  const watcher = spawn(process.execPath, [bin, 'watch', site], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: watcher.stdout })
  await new Promise<void>((done) => lines.on('line', (line) => line.includes('"checked"') && done()))
  const beside: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(PAUSE)
    change()
    beside.push(check(bin, site))
  }
  watcher.kill('SIGKILL')
  const row = (what: string, taken: readonly number[], goal = '') => [
    what,
    `${(median(taken) / 1000).toFixed(2)} s`,
    goal,
  ]
  printTable(
    ['`ingot check`, the whole process', 'time', 'goal'],
    [
      row('one page', first, '0.20 s'),
      row('one page, nothing changed', again),
      row(`${TEMPLATES} templates`, cold),
      row(`${TEMPLATES} templates, nothing changed`, same),
      row(`${TEMPLATES} templates, one changed`, changed, '0.25 s'),
      row(`${TEMPLATES} templates, one changed, beside a running compiler`, beside, '0.25 s'),
      row('`node -e 0`, for comparison', node),
    ],
  )
}

/** Returns the milliseconds of each round. */
function times(rounds: number, act: () => number, before: () => void = () => undefined): readonly number[] {
  return Array.from({ length: rounds }, () => {
    before()
    return act()
  })
}

function forget(folder: string): void {
  rmSync(join(folder, '.ingot'), { recursive: true, force: true })
}

function check(bin: string, folder: string): number {
  return run([bin, 'check', folder])
}

/** Returns the milliseconds that a command takes. */
function run(args: readonly string[]): number {
  const started = performance.now()
  const { signal } = spawnSync(process.execPath, args, {
    env: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(home, 'cache') },
  })
  if (signal !== null) throw new Error(`It was ended by ${signal}.`)
  return performance.now() - started
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
