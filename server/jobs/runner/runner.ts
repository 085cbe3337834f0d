/** Takes jobs from the queue and has them done: graphile-worker gives them out, threads run them. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, type Job, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Sql } from 'postgres'
import { priorityOf, TASKS } from '../../queue/names.ts'
import { pgConfig } from '../../queue/pg-config.ts'
import { quietLogger } from '../../queue/quiet-logger.ts'
import type { Logger } from '../../contracts/log.ts'
import type { JobSettings } from '../../settings.ts'
import { type Failure, shownStack } from '../task/failure.ts'
import { createGate, type Gate } from './gate.ts'
import { recovered, startHeartbeat, startLooks, troubled } from './heartbeat.ts'
import { createHeld } from './held.ts'
import { forgetFailure, giveBack, keepFailure } from './keep.ts'
import type { JobPool, ThreadResult } from '../threads/pool.ts'
import { leave, rhythmOf } from './recovery.ts'

export interface RunnerOptions {
  readonly databaseUrl: string
  /** A client of the same database. */
  readonly sql: Sql
  /** The threads that run what starts now. */
  readonly pool: () => JobPool
  readonly settings: JobSettings
  readonly logger: Logger
  /** Called with every failure that is kept. */
  readonly onFailure: (job: FailedJob) => void
}

export interface FailedJob {
  readonly id: string
  readonly failure: Failure
  /** Attempts that are left. */
  readonly left: number
}

export interface JobRunner {
  /** Rejects when the queue can no longer be worked on. */
  readonly ended: Promise<void>
  /**
   * Takes no more jobs and waits for those that run; after `grace` milliseconds they go back into the queue. Called again, the
   * shorter time counts.
   */
  stop(grace: number): Promise<void>
}

/**
 * Seconds until jobs that were given back may begin: so long that the engine has come to terms with the loss before it fetches them
 * again itself.
 */
const AHEAD = 1
/** The same of jobs whose thread could not load the site. */
const UNREADY = 5

/** Milliseconds between attempts to write down what has become of a job. */
const AGAIN = { first: 100, last: 5_000 } as const

/** @throws what the clients throw */
export async function startRunner(options: RunnerOptions): Promise<JobRunner> {
  const { sql, settings, logger } = options
  const rhythm = rhythmOf(settings.silence)
  const lanes = lanesOf(settings.threads)
  const config = await pgConfig(options.databaseUrl, sql)
  const client = new pg.Pool({
    ...config,
    max: 2 * settings.threads + lanes.length + 1,
    types: RAW,
    onConnect: async (connection) => {
      await connection.query(PLANS)
    },
  })
  // Lost connections are made anew by the engine; without listeners they would end the process.
  client.on('error', () => undefined)
  client.on('connect', (connection) => connection.on('error', () => undefined))
  const pools: string[] = []
  const held = createHeld()
  /** Cuts off what runs: at the end of the time to stop, and where others may have taken our jobs. */
  let cut = new AbortController()
  let stopping = false

  const perform = async (pool: string, gate: Gate, payload: unknown, job: Job): Promise<void> => {
    const seconds = settings.seconds[priorityOf(job.priority)]
    const { signal } = cut
    const call = { kind: 'job', id: job.id, payload: String(payload), seconds } as const
    held.begun(job.id)
    let outcome: ThreadResult | null = null
    try {
      outcome = await gate.run(() => options.pool().run(call, signal, seconds))
      // What is kept of an earlier failure goes with the next `forget` at the latest: no reason to fail.
      if (outcome?.kind === 'done') {
        if (job.last_error !== null) await forgetFailure(sql, job.id).catch(troubled(logger))
        return
      }
      if (outcome?.kind === 'failed') {
        const { failure } = outcome
        const left = await persistently(() => keepFailure(sql, job.id, pool, failure), logger)
        if (left !== null) told(job, failure, left)
      } else {
        const pause = outcome?.kind === 'unready' ? UNREADY : outcome !== null && stopping ? 0 : AHEAD
        await persistently(() => giveBack(sql, job.id, pool, pause), logger)
        if (outcome?.kind === 'unready') logger.error({ job: job.id }, outcome.sentence)
      }
    } finally {
      held.ended(job.id, outcome?.kind === 'done')
    }
    // The engine fails what throws, and finds that the job is no longer its own.
    throw new Error('not done')
  }

  function told(job: Job, failure: Failure, left: number): void {
    const fields = { job: job.id, type: failure.errorClass ?? failure.reason, stack: shownStack(failure.stack) }
    const next = left > 0 ? 'it is tried again' : 'it is dead'
    logger.error(fields, `job ${job.id}: ${failure.message} (${failure.reason}; ${next})`)
    options.onFailure({ id: job.id, failure, left })
  }

  async function lane({ tasks, concurrency }: TaskGroup): Promise<Runner> {
    const events: WorkerEvents = new EventEmitter()
    let own = ''
    const gate = createGate(concurrency)
    events.on('pool:create', ({ workerPool }) => {
      own = workerPool.id
      pools.push(own)
    })
    const task = (payload: unknown, { job }: { job: Job }): Promise<void> => perform(own, gate, payload, job)
    events.on('worker:getJob:empty', () => gate.empty())
    events.on('worker:getJob:error', () => gate.empty())
    const taskList: TaskList = Object.fromEntries(tasks.map((name) => [name, task]))
    return run({
      pgPool: client,
      taskList,
      // Half of them fetch ahead, when the gate lets them.
      concurrency: 2 * concurrency,
      // Asked before each job is fetched.
      forbiddenFlags: async () => {
        await gate.fetch()
        return null
      },
      events,
      noHandleSignals: true,
      parsedCronItems: [],
      logger: quietLogger((message) => logger.warn({}, `the queue: ${message}`)),
    })
  }

  const parts = { sql, pools, rhythm, logger }
  const alive = startHeartbeat(parts, () => {
    cut.abort()
    cut = new AbortController()
  })
  const runners: Runner[] = []
  try {
    await recovered(sql, rhythm, logger)
    for (const one of lanes) runners.push(await lane(one))
    await alive.now()
  } catch (error) {
    alive.stop()
    await Promise.allSettled(runners.map((runner) => runner.stop()))
    await client.end()
    throw error
  }
  const stopLooks = startLooks(parts, held)
  const ended = Promise.race(runners.map(({ promise }) => promise)).then(() => {
    if (!stopping) throw new Error('the queue has stopped by itself')
  })
  // Whoever waits for the end gets the failure; until somebody does, it must not count as one that nobody handles.
  ended.catch(() => undefined)

  let finished: Promise<void> | null = null
  const finish = async (): Promise<void> => {
    stopping = true
    stopLooks()
    await Promise.allSettled(runners.map((runner) => runner.stop()))
    alive.stop()
    // Without the database nothing can be said goodbye to: the other servers find this one silent.
    await leave(sql, pools).catch(() => undefined)
    await client.end().catch(() => undefined)
  }
  return {
    ended,
    async stop(grace) {
      const late = setTimeout(() => cut.abort(), grace)
      finished ??= finish()
      await finished
      clearTimeout(late)
    },
  }
}

interface TaskGroup {
  readonly tasks: readonly string[]
  readonly concurrency: number
}

/** Where there are two threads or more, one is never busy with jobs of low priority. */
function lanesOf(threads: number): readonly TaskGroup[] {
  const all = [TASKS.default, TASKS.low]
  if (threads === 1) return [{ tasks: all, concurrency: 1 }]
  return [
    { tasks: [TASKS.default], concurrency: 1 },
    { tasks: all, concurrency: threads - 1 },
  ]
}

/**
 * The engine's statements are planned once a connection, as a rule while the queue is empty, where reading and sorting the whole table
 * looks cheapest; with many jobs in it, each fetch would do that. By the index they are as fast then as now.
 */
const PLANS = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off'

/** JSON goes to the thread as the text that it is; nobody reads the times of a job. */
const RAW: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.JSON || oid === pg.types.builtins.TIMESTAMPTZ
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/**
 * Does until it is done what the fate of a job hangs on: where the database is away, the engine would hold that against the job. What
 * the end of the process cuts off is found by other servers.
 */
async function persistently<T>(work: () => Promise<T>, logger: Logger): Promise<T> {
  for (let pause: number = AGAIN.first; ; pause = Math.min(2 * pause, AGAIN.last)) {
    try {
      return await work()
    } catch (error) {
      if (pause === AGAIN.first) troubled(logger)(error)
      await sleep(pause)
    }
  }
}
