/** Tests that job threads have a lower priority than pages. */
import { execFileSync, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { builtQueueSite, type BuiltQueueSite, job, jobsOf, queue, until } from './queue-site.ts'

/** The time limit of a job in this test, in seconds. */
const SECONDS = 1
/** Works for twice the limit in real time, and checks for the limit as emitted code does. */
const SPIN = `(r) => {
  const end = performance.now() + ${SECONDS * 2_000}
  while (performance.now() < end) r.tick(0)
  note('spun')
}`

let ingot: Programs
let site: BuiltQueueSite
let program: Program

beforeAll(async () => {
  ingot = await programs()
  site = builtQueueSite({ jobs: { short: '() => note("short")', spin: SPIN } })
  program = ingot.start(['serve', site.root], {
    INGOT_JOB_THREADS: '2',
    INGOT_JOB_SECONDS: String(SECONDS),
  })
  await program.port()
  await queue(ingot.database.sql, job('short'))
  await until('jobs run', () => site.notes().includes('short'))
})
afterAll(() => ingot.clean())

/** Returns the id of the process that runs jobs. */
function process(): number {
  const rows = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(program.child.pid)], { encoding: 'utf8' })
  return Number(
    rows
      .split('\n')
      .find((row) => row.includes('job-worker'))
      ?.trim()
      .split(' ')[0],
  )
}

it('its threads are nice, and its first one is not: it has to give signs of life', () => {
  const pid = process()
  const threads = execFileSync('ps', ['-L', '-o', 'lwp=,ni=', '-p', String(pid)], { encoding: 'utf8' })
  const nice = new Map(
    threads
      .split('\n')
      .filter(Boolean)
      .map((row) => row.trim().split(/\s+/).map(Number) as [number, number]),
  )
  expect([...nice.values()].filter((one) => one === 19)).toHaveLength(2)
  expect(nice.get(pid)).toBe(0)
})

it('the time in which there is no processor for a job is not held against it', async () => {
  // These run in the server's session, because the system distributes time first between sessions, and then between the threads of each
  // session.
  const others = Array.from({ length: availableParallelism() }, () =>
    spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
  )
  try {
    await queue(ingot.database.sql, job('spin'))
    await until('it has ended', async () => !(await jobsOf(ingot.database.sql)).some(({ state }) => state !== 'DEAD'))
  } finally {
    for (const one of others) one.kill('SIGKILL')
  }
  expect(site.notes()).toContain('spun')
})
