/** Runs the jobs of one process: threads that have loaded the current site, and the runner that gives them jobs. */
import type { DevBuild, ToSupervisor, ToWorker, WorkerSite } from '../cluster/messages.ts'
import { installQueue } from '../../data/queue/install.ts'
import { openLogs } from '../../web/logs/open.ts'
import type { GaugeValue } from '../../core/contracts/observer.ts'
import { type Logger, NO_ORIGIN } from '../../core/contracts/log.ts'
import type { ReadySettings } from '../../core/settings.ts'
import { createDatabaseCheck } from '../observe/database-check.ts'
import { isMeasured, startTraces } from '../observe/observer.ts'
import { answerQuestion, measureProcess } from '../observe/process.ts'
import type { BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import { openStore } from '../../data/store/store.ts'
import type { ThreadSite, ThreadStart } from './threads/calls.ts'
import { createPool, type JobPool } from './threads/pool.ts'
import { EXTRA_THREADS, type FailedJob, type JobRunner, startRunner } from './runner/runner.ts'

export interface JobProcessOptions {
  readonly site: WorkerSite
  readonly settings: ReadySettings
  readonly version: string
  readonly logger: Logger
  /** Path of the thread module. */
  readonly file: string
  /** Sends a message to the supervisor. */
  readonly send: (message: ToSupervisor, onSent?: () => void) => void
}

export interface JobProcess {
  /** Rejects when the queue can no longer be processed. */
  readonly ended: Promise<void>
  /** Switches to another build in development. Running jobs finish with the old one. */
  renew(build: DevBuild): void
  /** Starts further jobs with another build, or with other edits of the same build. */
  swap(builtSite: BuiltSite): void
  /** Answers a question of the supervisor. */
  answer(message: Extract<ToWorker, { type: 'ask' }>): void
  /** Stops fetching jobs, and waits for the running ones; see `JobRunner.stop`. */
  stop(grace: number): Promise<void>
}

/** Connections for job states and heartbeats. */
const POOL = 4

/**
 * Starts processing jobs.
 * @throws StartError
 */
export async function startJobs(options: JobProcessOptions): Promise<JobProcess> {
  const { site: work, settings, logger } = options
  const { databaseUrl, jobs } = settings
  const store = await openStore({ url: databaseUrl, replicaUrl: null, pool: POOL, logger })
  const logs = openLogs(databaseUrl, { environment: settings.environment, logger })
  const database = createDatabaseCheck(databaseUrl)
  const measures = isMeasured(settings.observe) ? measureProcess(options.send, database) : null
  const traces = startTraces(settings, { release: null, send: options.send })
  let pool: JobPool | null = null
  let runner: JobRunner | null = null
  /** The runner in development, which starts after the first build. */
  let runnerStart: Promise<JobRunner> | null = null

  function createThreads(site: ThreadSite): JobPool {
    const { version, file } = options
    // In development every save creates new threads, and most of them never run a job.
    const lazy = site.kind === 'dev'
    const start: ThreadStart = { site, settings, version }
    const report = {
      storeLog: logs.store,
      ...(measures !== null && { onMeasured: measures.forward }),
      ...(traces !== null && { onSpan: traces.pass, onRecorded: traces.keep }),
    }
    return createPool({
      file,
      start,
      threads: jobs.threads,
      extra: EXTRA_THREADS,
      memory: jobs.memory,
      lazy,
      ...report,
    })
  }

  function begin(): Promise<JobRunner> {
    const current = (): JobPool => {
      if (pool === null) throw new Error('no site has been loaded')
      return pool
    }
    const onFailure = ({ id, failure: { reason, errorClass, located, stack } }: FailedJob): void =>
      logs.failed({ type: errorClass ?? reason, message: located, stack }, { ...NO_ORIGIN, job: id })
    const { collector = null } = measures ?? {}
    collector?.gauge('threads', () => threadStates(pool, jobs.threads))
    const common = { databaseUrl, sql: store.sql, settings: jobs, logger, onFailure }
    return startRunner({ ...common, pool: current, observer: { measures: collector, tracer: traces?.tracer ?? null } })
  }

  let failed: (error: unknown) => void = () => undefined
  const ended = new Promise<void>((_done, reject) => {
    failed = reject
  })
  // Prevents an unhandled rejection while no one awaits `ended`.
  ended.catch(() => undefined)

  try {
    await installQueue(databaseUrl, store.sql)
    if (work.kind === 'built') {
      pool = createThreads(work)
      await warmUpThreads(pool, jobs.threads)
      runner = await begin()
      runner.ended.catch(failed)
    }
  } catch (error) {
    await pool?.destroy()
    await Promise.all([logs.close(), store.close(), database.close()])
    throw error
  }

  return {
    ended,
    renew(build) {
      if (work.kind !== 'dev') return
      const old = pool
      pool = createThreads({ kind: 'dev', root: work.root, build })
      void old?.drain()
      runnerStart ??= begin()
      runnerStart.then((started) => {
        runner = started
        started.ended.catch(failed)
      }, failed)
    },
    swap: (builtSite) => pool?.follow(builtSite),
    answer: (message) => void answerQuestion(message, database, measures, options.send),
    async stop(grace) {
      // `failed` has already reported a failed start.
      await runnerStart?.catch(() => null)
      await runner?.stop(grace)
      await pool?.destroy()
      measures?.collector.flush()
      await Promise.all([logs.close(), store.close(), database.close(), traces?.close()])
    },
  }
}

function threadStates(pool: JobPool | null, limit: number): readonly GaugeValue[] {
  return [
    { labels: ['limit'], value: limit },
    { labels: ['busy'], value: Math.min(limit, pool?.busy() ?? 0) },
  ]
}

/**
 * Waits until all threads have loaded the site.
 * @throws StartError
 */
async function warmUpThreads(pool: JobPool, threads: number): Promise<void> {
  const never = new AbortController().signal
  const calls = Array.from({ length: threads }, () => pool.run({ kind: 'warm' }, never, WARM_UP_TIMEOUT))
  for (const outcome of await Promise.all(calls)) {
    if (outcome.kind === 'unready') throw new StartError(outcome.sentence)
    if (outcome.kind === 'failed') throw new StartError(`The job threads could not start: ${outcome.failure.message}.`)
  }
}

/** Seconds. */
const WARM_UP_TIMEOUT = 120
