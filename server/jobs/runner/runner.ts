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
import { type Heartbeat, type HeartbeatParts, recovered, startHeartbeat, startLooks, troubled } from './heartbeat.ts'
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
  const { settings } = options
  const groups = taskGroupsOf(settings.threads)
  const client = await openClient(options, 2 * settings.threads + groups.length + 1)
  const runner = new QueueRunner(options, client)
  await runner.start(groups)
  return runner
}

/** A client of the engine's kind. @param most connections */
async function openClient({ databaseUrl, sql }: RunnerOptions, most: number): Promise<pg.Pool> {
  const client = new pg.Pool({
    ...(await pgConfig(databaseUrl, sql)),
    max: most,
    types: RAW,
    onConnect: async (connection) => {
      await connection.query(PLANS)
    },
  })
  // Lost connections are made anew by the engine; without listeners they would end the process.
  client.on('error', () => undefined)
  client.on('connect', (connection) => connection.on('error', () => undefined))
  return client
}

class QueueRunner implements JobRunner {
  readonly #options: RunnerOptions
  readonly #client: pg.Pool
  readonly #parts: HeartbeatParts
  readonly #pools: string[] = []
  readonly #held = createHeld()
  readonly #alive: Heartbeat
  readonly #runners: Runner[] = []
  #ended: Promise<void> = Promise.resolve()
  #stopLooks: (() => void) | null = null
  #finished: Promise<void> | null = null
  /** Aborts what runs: when the time to stop is over, and when other servers may have taken our jobs. */
  #cut = new AbortController()
  #stopping = false

  constructor(options: RunnerOptions, client: pg.Pool) {
    const { sql, settings, logger } = options
    this.#options = options
    this.#client = client
    this.#parts = { sql, pools: this.#pools, rhythm: rhythmOf(settings.silence), logger }
    this.#alive = startHeartbeat(this.#parts, () => {
      this.#cut.abort()
      this.#cut = new AbortController()
    })
  }

  get ended(): Promise<void> {
    return this.#ended
  }

  /** Begins to take jobs. @throws what the clients throw, and leaves the database then */
  async start(groups: readonly TaskGroup[]): Promise<void> {
    const { sql, rhythm, logger } = this.#parts
    try {
      await recovered(sql, rhythm, logger)
      for (const group of groups) this.#runners.push(await this.#runGroup(group))
      await this.#alive.now()
    } catch (error) {
      this.#alive.stop()
      await this.#stopRunners()
      await this.#client.end()
      throw error
    }
    this.#stopLooks = startLooks(this.#parts, this.#held)
    this.#ended = Promise.race(this.#runners.map(({ promise }) => promise)).then(() => {
      if (!this.#stopping) throw new Error('the queue has stopped by itself')
    })
    // Whoever waits for the end gets the failure; until somebody does, it must not count as one that nobody handles.
    this.#ended.catch(() => undefined)
  }

  async stop(grace: number): Promise<void> {
    const late = setTimeout(() => this.#cut.abort(), grace)
    this.#finished ??= this.#finish()
    await this.#finished
    clearTimeout(late)
  }

  async #finish(): Promise<void> {
    this.#stopping = true
    this.#stopLooks?.()
    await this.#stopRunners()
    this.#alive.stop()
    // Without the database nothing can be said goodbye to: the other servers find this one silent.
    await leave(this.#options.sql, this.#pools).catch(() => undefined)
    // A connection that is lost already needs no end.
    await this.#client.end().catch(() => undefined)
  }

  async #stopRunners(): Promise<void> {
    await Promise.allSettled(this.#runners.map((runner) => runner.stop()))
  }

  async #runGroup({ tasks, concurrency }: TaskGroup): Promise<Runner> {
    const events: WorkerEvents = new EventEmitter()
    let pool = ''
    const gate = createGate(concurrency)
    events.on('pool:create', ({ workerPool }) => {
      pool = workerPool.id
      this.#pools.push(pool)
    })
    const task = (payload: unknown, { job }: { job: Job }): Promise<void> => this.#perform(pool, gate, payload, job)
    events.on('worker:getJob:empty', () => gate.empty())
    events.on('worker:getJob:error', () => gate.empty())
    const taskList: TaskList = Object.fromEntries(tasks.map((name) => [name, task]))
    return run({
      pgPool: this.#client,
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
      logger: quietLogger((message) => this.#options.logger.warn({}, `the queue: ${message}`)),
    })
  }

  /** Runs one job in a thread. @throws for a job that is not done: the engine must not count it as a success */
  async #perform(pool: string, gate: Gate, payload: unknown, job: Job): Promise<void> {
    const seconds = this.#options.settings.seconds[priorityOf(job.priority)]
    const { signal } = this.#cut
    const call = { kind: 'job', id: job.id, payload: String(payload), seconds } as const
    this.#held.begun(job.id)
    let result: ThreadResult | null = null
    try {
      result = await gate.run(() => this.#options.pool().run(call, signal, seconds))
      if (await this.#settle(pool, job, result)) return
    } finally {
      this.#held.ended(job.id, result?.kind === 'done')
    }
    // The engine fails what throws, and finds that the job is no longer its own.
    throw new Error('not done')
  }

  /** Writes down how a job ended; null: it did not begin. Whether it succeeded. */
  async #settle(pool: string, job: Job, result: ThreadResult | null): Promise<boolean> {
    const { sql, logger } = this.#options
    if (result?.kind === 'done') {
      // The next `forget` removes at the latest what is kept of an earlier failure: no reason to fail.
      if (job.last_error !== null) await forgetFailure(sql, job.id).catch(troubled(logger))
      return true
    }
    if (result?.kind === 'failed') {
      const { failure } = result
      const left = await persistently(() => keepFailure(sql, job.id, pool, failure), logger)
      if (left !== null) this.#report(job, failure, left)
      return false
    }
    const pause = result?.kind === 'unready' ? UNREADY : result !== null && this.#stopping ? 0 : AHEAD
    await persistently(() => giveBack(sql, job.id, pool, pause), logger)
    if (result?.kind === 'unready') logger.error({ job: job.id }, result.sentence)
    return false
  }

  #report(job: Job, failure: Failure, left: number): void {
    const fields = { job: job.id, type: failure.errorClass ?? failure.reason, stack: shownStack(failure.stack) }
    const next = left > 0 ? 'it is tried again' : 'it is dead'
    this.#options.logger.error(fields, `job ${job.id}: ${failure.message} (${failure.reason}; ${next})`)
    this.#options.onFailure({ id: job.id, failure, left })
  }
}

interface TaskGroup {
  readonly tasks: readonly string[]
  readonly concurrency: number
}

/** Where there are two threads or more, one is never busy with jobs of low priority. */
function taskGroupsOf(threads: number): readonly TaskGroup[] {
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
 * Repeats work until it succeeds. The state of a job must be written: if the database is away and nothing is written, the engine counts
 * a failed attempt against the job. If the process ends before it succeeds, other servers find the job.
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
