/** Runs the jobs of the queue: graphile-worker fetches them, and threads execute them. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, type Job, type Runner, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Sql } from 'postgres'
import type { Observer } from '../../../core/contracts/observer.ts'
import type { Span, TraceHeaders } from '../../../core/contracts/tracer.ts'
import { describeTask } from '../../../data/queue/payload.ts'
import { nameFlag, priorityOf, TASKS } from '../../../data/queue/names.ts'
import { pgConfig } from '../../../data/queue/pg-config.ts'
import { quietLogger } from '../../../data/queue/quiet-logger.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import type { JobSettings } from '../../../core/settings.ts'
import { type Failure, formatStack } from '../task/failure.ts'
import { createGate, type Gate } from './gate.ts'
import {
  type Heartbeat,
  type HeartbeatOptions,
  recoverJobs,
  startHeartbeat,
  startChecks,
  logError,
} from './heartbeat.ts'
import { createHeldJobs } from './held.ts'
import { createLongNames } from './long-names.ts'
import { forgetFailure, giveBack, recordFailure, leaveToOtherRelease } from './keep.ts'
import type { JobPool, ThreadResult } from '../threads/pool.ts'
import { unregister, intervalsOf } from './recovery.ts'

export interface RunnerOptions {
  readonly databaseUrl: string
  /** A client of the same database. */
  readonly sql: Sql
  /** Returns the threads for jobs that start now. */
  readonly pool: () => JobPool
  readonly settings: JobSettings
  readonly logger: Logger
  /** Called with every recorded failure. */
  readonly onFailure: (job: FailedJob) => void
  /** Absent or null when nothing is observed. */
  readonly observer?: Pick<Observer, 'measures' | 'tracer'> | null
}

export interface FailedJob {
  readonly id: string
  readonly failure: Failure
  /** Remaining attempts. */
  readonly remaining: number
}

export interface JobRunner {
  /** Rejects when the queue can no longer be processed. */
  readonly ended: Promise<void>
  /**
   * Stops fetching jobs, and waits for the running ones. After `grace` milliseconds, they are given back to the queue. In a second
   * call, a shorter time takes effect.
   */
  stop(grace: number): Promise<void>
}

/**
 * Seconds until a job that was given back may start, so that the engine has noticed the loss before it fetches the job again.
 */
const RESTART_DELAY = 1
/** Seconds until a job may start again after its thread could not load the site. */
const UNREADY_DELAY = 5

/**
 * Milliseconds within which a finished job counts as short, even if it counted as long while it ran. On a busy machine, starting a
 * thread may take that long.
 */
const MAX_SHORT_JOB_TIME = 15_000

/**
 * Maximum number of threads that are added while jobs run long. Jobs whose names are known to run long do not run in these threads, so
 * short jobs continue beside jobs that never end.
 */
export const EXTRA_THREADS = 2

/** Milliseconds between attempts to record the outcome of a job. */
const RETRY_INTERVAL = { first: 100, last: 5_000 } as const

/**
 * Starts the runner.
 * @throws the clients' errors
 */
export async function startRunner(options: RunnerOptions): Promise<JobRunner> {
  const { settings } = options
  const groups = taskGroupsOf(settings.threads)
  const client = await openClient(options, 2 * settings.threads + EXTRA_THREADS + groups.length + 1)
  const runner = new QueueRunner(options, client)
  await runner.start(groups)
  return runner
}

/**
 * Opens a client of the engine's library.
 * @param maxConnections connections
 */
async function openClient({ databaseUrl, sql }: RunnerOptions, maxConnections: number): Promise<pg.Pool> {
  const client = new pg.Pool({
    ...(await pgConfig(databaseUrl, sql)),
    max: maxConnections,
    types: TEXT_TYPES,
    onConnect: async (connection) => {
      await refuseReadOnlyServer(connection)
      await connection.query(PLANNER_SETTINGS)
    },
  })
  // The engine reconnects automatically. Without a listener, the error would end the process.
  client.on('error', () => undefined)
  client.on('connect', (connection) => connection.on('error', () => undefined))
  return client
}

/**
 * Refuses a connection to a read-only server, to which the address may lead for a while after a failover.
 * @throws Error for such a server, so that the engine connects again
 */
async function refuseReadOnlyServer(connection: pg.ClientBase): Promise<void> {
  const { rows } = await connection.query<{ copy: boolean }>('select pg_is_in_recovery() as copy')
  if (rows[0]?.copy === true) throw new Error('the address leads to a read-only replica of the database')
}

class QueueRunner implements JobRunner {
  readonly #options: RunnerOptions
  readonly #client: pg.Pool
  readonly #parts: HeartbeatOptions
  readonly #pools: string[] = []
  readonly #held = createHeldJobs()
  readonly #longNames = createLongNames()
  readonly #alive: Heartbeat
  readonly #runners: Runner[] = []
  #ended: Promise<void> = Promise.resolve()
  #stopChecks: (() => void) | null = null
  #finished: Promise<void> | null = null
  /** Aborts the running jobs: when the time to stop is over, or when other servers may take over the jobs. */
  #abort = new AbortController()
  #stopping = false

  constructor(options: RunnerOptions, client: pg.Pool) {
    const { sql, settings, logger } = options
    this.#options = options
    this.#client = client
    this.#parts = { sql, pools: this.#pools, intervals: intervalsOf(settings.silence), logger }
    this.#alive = startHeartbeat(this.#parts, () => {
      this.#abort.abort()
      this.#abort = new AbortController()
    })
  }

  get ended(): Promise<void> {
    return this.#ended
  }

  /**
   * Starts taking jobs.
   * @throws the clients' errors, after leaving the database
   */
  async start(groups: readonly TaskGroup[]): Promise<void> {
    const { sql, intervals, logger } = this.#parts
    try {
      await recoverJobs(sql, intervals, logger)
      for (const group of groups) this.#runners.push(await this.#runGroup(group))
      await this.#alive.now()
    } catch (error) {
      this.#alive.stop()
      await this.#stopRunners()
      await this.#client.end()
      throw error
    }
    this.#stopChecks = startChecks(this.#parts, this.#held)
    this.#ended = Promise.race(this.#runners.map(({ promise }) => promise)).then(() => {
      if (!this.#stopping) throw new Error('the queue has stopped unexpectedly')
    })
    // Prevents an unhandled rejection while no one awaits `ended`.
    this.#ended.catch(() => undefined)
  }

  async stop(grace: number): Promise<void> {
    const stopTimer = setTimeout(() => this.#abort.abort(), grace)
    this.#finished ??= this.#finish()
    await this.#finished
    clearTimeout(stopTimer)
  }

  async #finish(): Promise<void> {
    this.#stopping = true
    this.#stopChecks?.()
    await this.#stopRunners()
    this.#alive.stop()
    // Without the database, this server cannot unregister. The others notice its missing heartbeat.
    await unregister(this.#options.sql, this.#pools).catch(() => undefined)
    // A lost connection does not need to be closed.
    await this.#client.end().catch(() => undefined)
  }

  async #stopRunners(): Promise<void> {
    await Promise.allSettled(this.#runners.map((runner) => runner.stop()))
  }

  async #runGroup({ tasks, concurrency, extra }: TaskGroup): Promise<Runner> {
    const events: WorkerEvents = new EventEmitter()
    let pool = ''
    const gate = createGate(concurrency, extra)
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
      // Twice the slots, because half of the workers fetch ahead when the gate allows it.
      concurrency: 2 * concurrency + extra,
      // The engine calls this before each fetch, and skips jobs with one of the flags.
      forbiddenFlags: async () => ((await gate.fetch()) ? this.#longNames.all().map(nameFlag) : null),
      events,
      noHandleSignals: true,
      parsedCronItems: [],
      logger: quietLogger((message) => this.#options.logger.warn({}, `the queue: ${message}`)),
    })
  }

  /**
   * Runs one job in a thread.
   * @throws for an unfinished job, so that the engine does not count it as a success
   */
  async #perform(pool: string, gate: Gate, payload: unknown, job: Job): Promise<void> {
    const seconds = this.#options.settings.seconds[priorityOf(job.priority)]
    const { signal } = this.#abort
    const { name, trace: origin } = describeTask(String(payload))
    const watched = this.#watch(name, origin, job)
    const trace = watched?.span?.internalHeaders()
    const threadTask = {
      kind: 'job',
      id: job.id,
      attempt: job.attempts,
      payload: String(payload),
      seconds,
      ...(trace && { trace }),
    } as const
    this.#held.started(job.id)
    let result: ThreadResult | null = null
    const startedAt = performance.now()
    const rememberLongName = (): void => this.#longNames.add(name)
    try {
      result = await gate.run(
        () => this.#timed(watched, this.#options.pool().run(threadTask, signal, seconds)),
        rememberLongName,
      )
      // A job that ran out of memory also keeps a thread busy for long.
      if (result?.kind === 'failed' && result.failure.reason === 'memory') rememberLongName()
      else if (result?.kind === 'done' && performance.now() - startedAt < MAX_SHORT_JOB_TIME)
        this.#longNames.delete(name)
      if (await this.#settle(pool, job, result)) return
    } finally {
      this.#held.ended(job.id, result?.kind === 'done')
    }
    // The engine tries to fail the job, but no longer holds it.
    throw new Error('not done')
  }

  #watch(name: string, trace: TraceHeaders, { id, attempts }: Job): WatchedJob | null {
    const { measures = null, tracer = null } = this.#options.observer ?? {}
    if (measures === null && tracer === null) return null
    const values = { 'ingot.job.id': id, 'ingot.job.attempt': attempts }
    return { name, span: tracer === null ? null : tracer.job(`job ${name}`, trace, values) }
  }

  async #timed(watched: WatchedJob | null, running: Promise<ThreadResult>): Promise<ThreadResult> {
    if (watched === null) return running
    const { name, span } = watched
    const startedAt = performance.now()
    const result = await running
    const outcome = result.kind === 'done' || result.kind === 'failed' ? result.kind : 'given back'
    this.#options.observer?.measures?.job(name, outcome, (performance.now() - startedAt) / 1000)
    span?.set({ 'ingot.job.outcome': outcome })
    if (result.kind === 'failed') span?.fail(new JobFailed(result.failure.located))
    span?.end()
    return result
  }

  /** Records the result of a job; null means that it did not start. Returns whether it succeeded. */
  async #settle(pool: string, job: Job, result: ThreadResult | null): Promise<boolean> {
    const { sql, logger } = this.#options
    if (result?.kind === 'done') {
      // `removeObsoleteRecords` later removes the record anyway, so a failure here does not matter.
      if (job.last_error !== null) await forgetFailure(sql, job.id).catch(logError(logger))
      return true
    }
    if (result?.kind === 'failed') {
      const { failure } = result
      const isMissing = failure.reason === 'missing'
      if (isMissing && (await persistently(() => leaveToOtherRelease(sql, job.id, pool), logger))) return false
      const left = await persistently(() => recordFailure(sql, job.id, pool, failure), logger)
      if (left !== null) this.#report(job, failure, left)
      return false
    }
    const pause = result?.kind === 'unready' ? UNREADY_DELAY : result !== null && this.#stopping ? 0 : RESTART_DELAY
    await persistently(() => giveBack(sql, job.id, pool, pause, result?.kind === 'ended'), logger)
    if (result?.kind === 'unready') logger.error({ job: job.id }, result.sentence)
    return false
  }

  #report(job: Job, failure: Failure, remaining: number): void {
    const fields = { job: job.id, type: failure.errorClass ?? failure.reason, stack: formatStack(failure.stack) }
    const next = remaining > 0 ? 'it will be retried' : 'it is dead'
    this.#options.logger.error(fields, `job ${job.id}: ${failure.message} (${failure.reason}; ${next})`)
    this.#options.onFailure({ id: job.id, failure, remaining })
  }
}

/** A job that is measured or traced. */
interface WatchedJob {
  readonly name: string
  readonly span: Span | null
}

class JobFailed extends Error {
  override readonly name = 'JobFailed'
}

interface TaskGroup {
  readonly tasks: readonly string[]
  readonly concurrency: number
  /** The group's share of `EXTRA_THREADS`. */
  readonly extra: number
}

/** Divides the threads into groups. With two or more threads, one never runs jobs of low priority. */
function taskGroupsOf(threads: number): readonly TaskGroup[] {
  const all = [TASKS.default, TASKS.low]
  if (threads === 1) return [{ tasks: all, concurrency: 1, extra: EXTRA_THREADS }]
  return [
    { tasks: [TASKS.default], concurrency: 1, extra: EXTRA_THREADS / 2 },
    { tasks: all, concurrency: threads - 1, extra: EXTRA_THREADS / 2 },
  ]
}

/**
 * The engine's statements are planned once per connection, usually while the queue is empty and a sequential scan looks cheapest. With
 * many jobs, every fetch would then scan and sort the whole table. An index scan is fast in both cases.
 */
const PLANNER_SETTINGS = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off'

/** Keeps JSON and timestamps as text: JSON is passed to the thread as text, and timestamps are not read. */
const TEXT_TYPES: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    const isText = oid === pg.types.builtins.JSON || oid === pg.types.builtins.TIMESTAMPTZ
    return isText ? (text: string | Buffer) => text : pg.types.getTypeParser(oid, format)
  },
}

/**
 * Repeats a task until it succeeds. The result of a job must be recorded: otherwise the engine counts a failed attempt when the
 * database is unavailable. If the process ends first, other servers find the job.
 */
async function persistently<T>(task: () => Promise<T>, logger: Logger): Promise<T> {
  for (let pause: number = RETRY_INTERVAL.first; ; pause = Math.min(2 * pause, RETRY_INTERVAL.last)) {
    try {
      return await task()
    } catch (error) {
      if (pause === RETRY_INTERVAL.first) logError(logger)(error)
      await sleep(pause)
    }
  }
}
