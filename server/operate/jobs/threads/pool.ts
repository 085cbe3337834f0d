/**
 * The pool of job threads. A thread that hangs, runs out of memory or dies is replaced without affecting other jobs.
 */
import { Piscina } from 'piscina'
import { codeOf } from '../../../core/error-code.ts'
import type { MeasuredChange } from '../../../core/contracts/measured.ts'
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

export interface PoolOptions {
  /** Path of the thread module, which exports `run`. */
  readonly file: string
  /** Start parameters of a thread: plain data. */
  readonly start: unknown
  readonly threads: number
  /** Most threads that are started besides while all others are busy; none by default. They end after a minute without a job. */
  readonly extra?: number
  /** Memory limit of a job in megabytes. */
  readonly memory: number
  /** Whether to start threads with the first jobs instead of now. */
  readonly lazy?: boolean
  /** Stores log entries of jobs. */
  readonly keep?: (row: LogRow) => void
  /** Takes what the threads have measured. */
  readonly measured?: (changes: readonly MeasuredChange[]) => void
  /** Takes the spans of the threads. */
  readonly traced?: (span: EndedSpan) => void
}

/** The result of a call; `ended`: the signal aborted it. */
export type ThreadResult = ThreadAnswer | { readonly kind: 'ended' }

export interface JobPool {
  /**
   * Runs a task in a free thread. Never rejects.
   * @param signal ends it at once, together with its thread
   * @param seconds time limit, counted from its start without the time in which the thread waited for a processor
   */
  run(task: ThreadTask, signal: AbortSignal, seconds: number): Promise<ThreadResult>
  /** Runs what begins from now on with another build, or with other edits of the same. */
  follow(built: BuiltSite): void
  /** Number of threads. */
  size(): number
  /** Number of tasks that run. */
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
  keep,
  measured,
  traced,
}: PoolOptions): JobPool {
  const starts = createCallStarts(threads + extra)
  const workerData: ThreadData = { start, slots: starts.slots }
  const threadsOf = (least: number, most: number, idleTimeout: number): Piscina<ThreadCall, ThreadAnswer> => {
    const made = new Piscina<ThreadCall, ThreadAnswer>({
      filename: file,
      name: 'run',
      workerData,
      minThreads: least,
      maxThreads: most,
      concurrentTasksPerWorker: 1,
      idleTimeout,
      // Waiting with Atomics would block the timers and connections of an idle thread.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit(memory) },
    })
    // A thread may die while idle; the next call gets a new one.
    made.on('error', () => undefined)
    made.on('message', (message: unknown) => {
      if (!isThreadNews(message)) return
      if (message.kind === 'log') keep?.(message.row)
      else if (message.kind === 'measured') measured?.(message.changes)
      else traced?.(message.span)
    })
    return made
  }
  const pool = threadsOf(lazy ? 0 : threads, threads, Number.POSITIVE_INFINITY)
  const added = extra === 0 ? null : threadsOf(0, extra, IDLE_TIME)
  /** Calls that run in threads that are not added. */
  let usual = 0
  let running = 0
  let follows: FollowedBuild | null = null
  const idle: (() => void)[] = []

  async function inThread(call: ThreadCall, signal: AbortFlag): Promise<ThreadAnswer> {
    if (added !== null && usual >= threads) return added.run(call, { signal })
    usual++
    try {
      return await pool.run(call, { signal })
    } finally {
      usual--
    }
  }

  async function run(task: ThreadTask, signal: AbortSignal, seconds: number): Promise<ThreadResult> {
    const free = starts.take()
    const slot = free instanceof Promise ? await free : free
    const over = new AbortFlag()
    const cut = (): void => over.abort()
    signal.addEventListener('abort', cut, { once: true })
    const asked = Date.now()
    const limit = (seconds + GRACE_TIME) * 1000
    let late = false
    const check = (): void => {
      const since = starts.of(slot)
      const end = since === null ? asked + LOAD_TIMEOUT * 1000 : since.at + limit + cpuWaitSince(since)
      const left = end - Date.now()
      if (left <= 0) {
        late = true
        over.abort()
      } else deadline = deadlines.set(Math.min(left, limit), check)
    }
    let deadline = deadlines.set(limit, check)
    try {
      if (signal.aborted) return { kind: 'ended' }
      return await inThread({ task, slot, follows }, over)
    } catch (error) {
      if (signal.aborted) return { kind: 'ended' }
      if (late && starts.of(slot) === null)
        return { kind: 'unready', sentence: `No thread of jobs has loaded the site within ${LOAD_TIMEOUT} seconds.` }
      if (late) return { kind: 'failed', failure: bareFailure('timeout', `it took more than ${seconds} seconds`) }
      return { kind: 'failed', failure: deathOf(error, memory) }
    } finally {
      deadline.met()
      signal.removeEventListener('abort', cut)
      starts.give(slot)
    }
  }

  async function destroy(): Promise<void> {
    await Promise.all([pool.destroy(), added?.destroy()])
  }

  return {
    async run(task, signal, seconds) {
      running++
      try {
        return await run(task, signal, seconds)
      } finally {
        running--
        if (running === 0) for (const done of idle.splice(0)) done()
      }
    },
    follow(built) {
      follows = { built, number: (follows?.number ?? 0) + 1 }
    },
    size: () => pool.threads.length + (added?.threads.length ?? 0),
    busy: () => running,
    async drain() {
      if (running > 0) await new Promise<void>((done) => idle.push(done))
      await destroy()
    },
    destroy,
  }
}

function cpuWaitSince({ thread, cpuWait }: CallStart): number {
  return Math.max(0, cpuWaitOf(thread) - cpuWait)
}

/** The minimal abort signal that piscina needs, because every job creates one. */
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

function deathOf(error: unknown, memory: number): ReturnType<typeof bareFailure> {
  const code = codeOf(error)
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return bareFailure('memory', `it needed more than ${memory} MB of memory`)
  const why = error instanceof Error ? error.message : String(error)
  return bareFailure('crash', `its thread ended (${why})`)
}
