/** The threads that jobs run in. One that hangs, grows without end or dies is replaced, and takes no other job with it. */
import { Piscina } from 'piscina'
import type { LogRow } from '../logs/model.ts'
import { isThreadNews, type ThreadAnswer, type ThreadCall, type ThreadTask } from './calls.ts'
import { bareFailure } from './failure.ts'

export interface PoolOptions {
  /** The module of a thread; exports `run`. */
  readonly file: string
  /** What a thread is started with: plain data. */
  readonly start: unknown
  readonly threads: number
  /** Megabytes of a thread. */
  readonly memory: number
  /** Start threads with the first jobs instead of now. */
  readonly lazy?: boolean
  /** Keeps what jobs write into the log of the site. */
  readonly keep?: (row: LogRow) => void
}

/** How a call ended; `ended`: it was cut off by the signal. */
export type Outcome = ThreadAnswer | { readonly kind: 'ended' }

export interface JobPool {
  /**
   * Runs a task in a thread of its own. Never rejects.
   * @param signal ends it at once, with its thread
   * @param seconds after which it is ended, whatever it does; counted from its beginning
   */
  run(task: ThreadTask, signal: AbortSignal, seconds: number): Promise<Outcome>
  /** Threads that there are. */
  size(): number
  /** Ends the threads when what they do is done. */
  drain(): Promise<void>
  /** Ends the threads now. */
  destroy(): Promise<void>
}

/** Seconds that a call gets beyond its time to end itself, and to say where it was. */
const COURTESY = 1
/** Seconds in which a thread must have loaded the site. */
const LOADING = 120

export function createPool({ file, start, threads, memory, lazy = false, keep }: PoolOptions): JobPool {
  const pool = new Piscina<ThreadCall, ThreadAnswer>({
    filename: file,
    name: 'run',
    workerData: start,
    minThreads: lazy ? 0 : threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    // An idle thread has timers and connections, which a wait would stop.
    atomics: 'disabled',
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  })
  // A thread that dies while it does nothing: the next call gets a new one.
  pool.on('error', () => undefined)
  pool.on('message', (message: unknown) => {
    if (isThreadNews(message)) keep?.(message.row)
  })
  const running = new Set<Promise<unknown>>()

  async function run(task: ThreadTask, signal: AbortSignal, seconds: number): Promise<Outcome> {
    if (signal.aborted) return { kind: 'ended' }
    const begun = new Float64Array(new SharedArrayBuffer(8))
    // Not `AbortSignal.any`: a signal that lives long would keep what is made of it for each call.
    const end = new AbortController()
    let late = false
    const cut = (): void => end.abort()
    signal.addEventListener('abort', cut, { once: true })
    const asked = Date.now()
    const limit = (seconds + COURTESY) * 1000
    const look = (): void => {
      const since = begun[0] || null
      const left = since === null ? asked + LOADING * 1000 - Date.now() : since + limit - Date.now()
      if (left <= 0) {
        late = true
        end.abort()
      } else timer = setTimeout(look, Math.min(left, limit))
    }
    let timer = setTimeout(look, limit)
    try {
      return await pool.run({ ...task, begun }, { signal: end.signal })
    } catch (error) {
      if (signal.aborted) return { kind: 'ended' }
      if (late && begun[0] === 0)
        return { kind: 'unready', sentence: `No thread of jobs has loaded the site within ${LOADING} seconds.` }
      if (late) return { kind: 'failed', failure: bareFailure('timeout', `it took more than ${seconds} seconds`) }
      return { kind: 'failed', failure: deathOf(error, memory) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cut)
    }
  }

  return {
    run(task, signal, seconds) {
      const outcome = run(task, signal, seconds)
      running.add(outcome)
      void outcome.then(() => running.delete(outcome))
      return outcome
    },
    size: () => pool.threads.length,
    async drain() {
      while (running.size > 0) await Promise.all(running)
      await pool.destroy()
    },
    destroy: () => pool.destroy(),
  }
}

function deathOf(error: unknown, memory: number): ReturnType<typeof bareFailure> {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return bareFailure('memory', `it needed more than ${memory} MB of memory`)
  const why = error instanceof Error ? error.message : String(error)
  return bareFailure('crash', `its thread ended (${why})`)
}
