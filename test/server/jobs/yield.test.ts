/** Jobs leave the processors to those who ask for pages: what the system is told of the process that runs them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { yieldSession } from '../../../server/jobs/yield.ts'
import { type Program, type Programs, programs } from '../program.ts'
import { builtQueueSite, type BuiltQueueSite, job, queue, until } from './queue-site.ts'

/** Where the kernel weighs sessions. */
const WEIGHED = existsSync('/proc/self/autogroup')

let ingot: Programs
let site: BuiltQueueSite
let program: Program

beforeAll(async () => {
  ingot = await programs('yield')
  site = builtQueueSite({
    jobs: { long: '() => { note("long"); return sleep(600_000) }', short: '() => note("short")' },
  })
  program = ingot.start(['serve', site.root], { INGOT_WORKERS: '2', INGOT_JOB_THREADS: '2' })
  await program.port()
  await queue(ingot.database.sql, job('short'))
  await until('jobs run', () => site.notes().includes('short'))
})
afterAll(() => ingot.clean())

interface Running {
  readonly pid: number
  readonly session: number
  readonly jobs: boolean
}

function children(): readonly Running[] {
  const rows = execFileSync('ps', ['-o', 'pid=,sess=,args=', '--ppid', String(program.child.pid)], { encoding: 'utf8' })
  return rows
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [pid, session, ...args] = row.trim().split(/\s+/)
      return { pid: Number(pid), session: Number(session), jobs: args.join(' ').includes('job-worker') }
    })
}

const niceness = (pid: number): string =>
  readFileSync(`/proc/${pid}/autogroup`, 'utf8')
    .replace(/^.*nice /s, '')
    .trim()

it('the process of jobs has a session of its own, and those that answer have not', () => {
  const [answers, jobs] = [children().filter((one) => !one.jobs), children().filter((one) => one.jobs)]
  expect(answers).toHaveLength(2)
  expect(jobs).toHaveLength(1)
  for (const { pid, session } of jobs) expect(session).toBe(pid)
  for (const { pid, session } of answers) expect(session).not.toBe(pid)
})

it.skipIf(!WEIGHED)(
  'its session is as nice as can be, where the kernel weighs sessions; ours is as it was',
  async () => {
    const own = niceness(process.pid)
    for (const { pid, jobs } of children()) {
      if (jobs) await until('the session is nice', () => niceness(pid) === '19')
      else expect(niceness(pid)).toBe(own)
    }
    // A process that shares its session with others, as this one does, leaves it alone.
    await yieldSession()
    expect(niceness(process.pid)).toBe(own)
  },
)

it('its threads are nice, and its first one is not: it has to give signs of life', () => {
  const pid = children().find((one) => one.jobs)?.pid ?? 0
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

it('it ends with the process that has started it, although no signal of a terminal reaches it', async () => {
  await queue(ingot.database.sql, job('long'))
  await until('it runs', () => site.notes().includes('long'))
  const jobs = children().find((one) => one.jobs)?.pid ?? 0
  program.child.kill('SIGKILL')
  await program.ended
  await until('it is gone', () => !existsOf(jobs), 15)
})

function existsOf(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
