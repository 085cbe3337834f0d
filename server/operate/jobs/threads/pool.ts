/**
 * The pool of job threads. A thread that hangs, runs out of memory, or dies is replaced without affecting other jobs.
 */
import { Piscina } from 'piscina'
import { errorCodeOf } from '../../../core/error-code.ts'
import type { MeasuredChange } from '../../../core/contracts/measured.ts'
import type { RecordedRequest } from '../../observe/recorded-request.ts'
import type { EndedSpan } from '../../../core/contracts/tracer.ts'
import type { LogRow } from '../../../web/logs/model.ts'
import { createDeadlines } from '../../../core/services/deadlines.ts'
import { type CallStart, createCallStarts } from './call-starts.ts'
import {
  type FollowedBuild,
  isThreadNews,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadData,
  type ThreadTask,
} from './calls.ts'
import { cpuWaitOf } from './cpu-wait.ts'
import { bareFailure } from '../task/failure.ts'
import type { BuiltSite } from '../../../web/site/load.ts'
import { heapLimit } from './memory.ts'
import { lostJobRecord } from './recorded-job.ts'

export interface PoolOptions {
  /** Path of the thread module, which exports `run`. */
  readonly file: string
  /** Start parameters of a thread: plain data. */
  readonly start: unknown
  readonly threads: number
  /** Maximum number of threads that are added while all others are busy; none by default. They end after a minute without a job. */
  readonly extra?: number
  /** Memory limit of a job in megabytes. */
  readonly memory: number
  /** Whether to start threads with the first jobs instead of immediately. */
  readonly lazy?: boolean
  /** Stores log entries of jobs. */
  readonly storeLog?: (row: LogRow) => void
  /** Receives what the threads have measured. */
  readonly onMeasured?: (changes: readonly MeasuredChange[]) => void
  /** Receives the spans of the threads. */
  readonly onSpan?: (span: EndedSpan) => void
  /** Receives the records of jobs in development. */
  readonly onRecorded?: (record: RecordedRequest) => void
}

/** The result of a call. `ended`: the signal aborted it, or the threads had been ended before it. */
export type ThreadResult = ThreadAnswer | { readonly kind: 'ended' }

export interface JobPool {
  /**
   * Runs a task in a free thread. Never rejects.
   * @param signal ends the task at once, together with its thread
   * @param seconds time limit, counted from the task's start, without the time in which the thread waited for a processor
   */
  run(task: ThreadTask, signal: AbortSignal, seconds: number): Promise<ThreadResult>
  /** Starts further tasks with another build, or with other edits of the same build. */
  follow(builtSite: BuiltSite): void
  /** Returns the number of threads. */
  size(): number
  /** Returns the number of running tasks. */
  busy(): number
  /** Ends the threads after their current tasks. */
  drain(): Promise<void>
  /** Ends the threads now. */
  destroy(): Promise<void>
}

/** Seconds beyond the limit in which a call may end itself and report its location. */
const GRACE_TIME = 1
/** Seconds within which a thread must have loaded the site. */
const LOAD_TIMEOUT = 120
/** Milliseconds after which an added thread without a job ends. */
const IDLE_TIME = 60_000

/** One timer for the calls of all pools. */
const deadlines = createDeadlines()

export function createPool({
  file,
  start,
  threads,
  extra = 0,
  memory,
  lazy = false,
  storeLog: keep,
  onMeasured,
  onSpan,
  onRecorded,
}: PoolOptions): JobPool {
  const starts = createCallStarts(threads + extra)
  const workerData: ThreadData = { start, slots: starts.slots }
  const createThreads = (
    minThreads: number,
    maxThreads: number,
    idleTimeout: number,
  ): Piscina<ThreadCall, ThreadAnswer> => {
    const created = new Piscina<ThreadCall, ThreadAnswer>({
      filename: file,
      name: 'run',
      workerData,
      minThreads: minThreads,
      maxThreads: maxThreads,
      concurrentTasksPerWorker: 1,
      idleTimeout,
      // Waiting with Atomics would block the timers and connections of an idle thread.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit(memory) },
    })
    // A thread may die while idle. The next call gets a new one.
    created.on('error', () => undefined)
    created.on('message', (message: unknown) => {
      if (!isThreadNews(message)) return
      if (message.kind === 'log') keep?.(message.row)
      else if (message.kind === 'measured') onMeasured?.(message.changes)
      else if (message.kind === 'span') onSpan?.(message.span)
      else onRecorded?.(message.record)
    })
    return created
  }
  const pool = createThreads(lazy ? 0 : threads, threads, Number.POSITIVE_INFINITY)
  const extraThreads = extra === 0 ? null : createThreads(0, extra, IDLE_TIME)
  /** Number of calls in regular threads, in contrast to added threads. */
  let regularCount = 0
  let running = 0
  let isDestroyed = false
  let follows: FollowedBuild | null = null
  const idleCallbacks: (() => void)[] = []

  async function runInThread(call: ThreadCall, signal: AbortFlag): Promise<ThreadAnswer> {
    if (extraThreads !== null && regularCount >= threads) return extraThreads.run(call, { signal })
    regularCount++
    try {
      return await pool.run(call, { signal })
    } finally {
      regularCount--
    }
  }

  async function run(task: ThreadTask, signal: AbortSignal, seconds: number): Promise<ThreadResult> {
    const reserved = starts.reserve()
    const slot = reserved instanceof Promise ? await reserved : reserved
    const abortFlag = new AbortFlag()
    const abort = (): void => abortFlag.abort()
    signal.addEventListener('abort', abort, { once: true })
    const requestedAt = Date.now()
    const limit = (seconds + GRACE_TIME) * 1000
    let isOverdue = false
    const check = (): void => {
      const since = starts.startOf(slot)
      const end = since === null ? requestedAt + LOAD_TIMEOUT * 1000 : since.at + limit + cpuWaitSince(since)
      const remaining = end - Date.now()
      if (remaining <= 0) {
        isOverdue = true
        abortFlag.abort()
      } else deadline = deadlines.set(Math.min(remaining, limit), check)
    }
    let deadline = deadlines.set(limit, check)
    try {
      // Piscina never answers calls of a destroyed pool.
      if (signal.aborted || isDestroyed) return { kind: 'ended' }
      return await runInThread({ task, slot, follows }, abortFlag)
    } catch (error) {
      if (signal.aborted) return { kind: 'ended' }
      if (isOverdue && starts.startOf(slot) === null)
        return { kind: 'unready', sentence: `No job thread has loaded the site within ${LOAD_TIMEOUT} seconds.` }
      const failure = isOverdue
        ? bareFailure('timeout', `it took more than ${seconds} seconds`)
        : threadFailure(error, memory)
      // The thread is gone, and with it what it has recorded.
      if (task.kind === 'job' && onRecorded !== undefined) {
        const record = lostJobRecord(task, failure, Date.now() - (starts.startOf(slot)?.at ?? requestedAt))
        if (record !== null) onRecorded(record)
      }
      return { kind: 'failed', failure }
    } finally {
      deadline.cancel()
      signal.removeEventListener('abort', abort)
      starts.release(slot)
    }
  }

  async function destroy(): Promise<void> {
    isDestroyed = true
    await Promise.all([pool.destroy(), extraThreads?.destroy()])
  }

  return {
    async run(task, signal, seconds) {
      running++
      try {
        return await run(task, signal, seconds)
      } finally {
        running--
        if (running === 0) for (const done of idleCallbacks.splice(0)) done()
      }
    },
    follow(builtSite) {
      follows = { builtSite, number: (follows?.number ?? 0) + 1 }
    },
    size: () => pool.threads.length + (extraThreads?.threads.length ?? 0),
    busy: () => running,
    async drain() {
      if (running > 0) await new Promise<void>((resolve) => idleCallbacks.push(resolve))
      await destroy()
    },
    destroy,
  }
}

function cpuWaitSince({ thread, cpuWait }: CallStart): number {
  return Math.max(0, cpuWaitOf(thread) - cpuWait)
}

/** The minimal abort signal that piscina needs. It is small, because every job creates one. */
class AbortFlag {
  aborted = false
  #listener: (() => void) | null = null

  addEventListener(_name: 'abort', listener: () => void): void {
    this.#listener = listener
  }

  removeEventListener(): void {
    this.#listener = null
  }

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    this.#listener?.()
  }
}

/** Converts the error of a thread that ended to a failure. */
function threadFailure(error: unknown, memory: number): ReturnType<typeof bareFailure> {
  const code = errorCodeOf(error)
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return bareFailure('memory', `it needed more than ${memory} MB of memory`)
  const reason = error instanceof Error ? error.message : String(error)
  return bareFailure('crash', `its thread ended (${reason})`)
}
