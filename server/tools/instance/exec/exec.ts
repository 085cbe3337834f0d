/**
 * Renders templates that clients send. A compiler in a child process compiles each of them with the files of the served site, and a thread
 * runs it. The thread is ended when it takes too long or too much memory. The process that answers requests loads no compiler.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownFolder } from '../../../core/leftovers.ts'
import { DEFAULT_LIMITS } from '../../../../runtime/page/limits.ts'
import { formatSentFailure } from '../../../operate/jobs/task/failure.ts'
import type { ThreadStart, ThreadTask } from '../../../operate/jobs/threads/calls.ts'
import type { JobPool } from '../../../operate/jobs/threads/pool.ts'
import type { LogRow } from '../../../web/logs/model.ts'
import { formatErrors, SiteCompiler } from '../deploys/compiler.ts'

export interface ExecOptions {
  /** Returns the folder with the files of the site. They may have changed since the last call when it is `fresh`. */
  readonly source: () => Promise<string>
  readonly fresh?: boolean
  /** Folder for temporary files of all processes of this machine. */
  readonly folder: string
  /** Path of the `ingot` command. */
  readonly bin: string
  /** Path of the thread module. */
  readonly thread: string
  readonly start: ThreadStart
  /** Stores log entries. */
  readonly keep: (row: LogRow) => void
}

/** The result, as the client reads it. */
export interface Executed {
  readonly result: string | null
  readonly error: string | null
}

/** Number of templates that run at once; others wait. */
const THREAD_COUNT = 2
/** Milliseconds after which an idle compiler and idle threads are ended. */
const IDLE_TIMEOUT = 120_000
const TIME_LIMIT = DEFAULT_LIMITS.time / 1000
/** Seconds for compiling a template with its site, and seconds for running it, with the start of its thread. */
const COMPILE_TIME = 30
const RUN_TIME = TIME_LIMIT + 3
/** Maximum number of times that a template is run, because its threads were replaced by those of another build. */
const MAX_RUNS = 3

export class SentTemplates {
  readonly #options: ExecOptions
  readonly #folder: string
  readonly #compiler: SiteCompiler
  #start: ThreadStart
  #pool: Promise<JobPool> | null = null
  #count = 0
  #busy = 0
  #idle: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: ExecOptions) {
    this.#options = options
    this.#start = options.start
    this.#folder = ownFolder(options.folder)
    this.#compiler = new SiteCompiler(options.bin)
  }

  /** Renders a template. @param host host name of the client's request @throws Error when the compiler ends, and database errors */
  async render(content: string, host: string): Promise<Executed> {
    this.#busy++
    if (this.#idle !== null) clearTimeout(this.#idle)
    try {
      return await this.#render(content, host)
    } finally {
      if (--this.#busy === 0) this.#idle = setTimeout(() => void this.#closeIdle(), IDLE_TIMEOUT).unref()
    }
  }

  /** Renders further templates with another build. */
  renew(start: ThreadStart): void {
    this.#start = start
    const { site } = start
    const pool = this.#pool
    if (site.kind === 'built') return void pool?.then((threads) => threads.follow(site.builtSite))
    // Threads do not follow a site in development. The next template gets new ones.
    this.#pool = null
    void pool?.then((threads) => threads.drain())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#idle !== null) clearTimeout(this.#idle)
    await this.#closeIdle()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #render(content: string, host: string): Promise<Executed> {
    // The compiler, the files and the threads are started concurrently.
    this.#compiler.start()
    // A failure is thrown where the threads are used.
    this.#threads().catch(() => undefined)
    const source = await this.#options.source()
    const folder = join(this.#folder, `sent-${++this.#count}`)
    const compiling = this.#compiler.compileSent(source, content, folder, this.#options.fresh)
    const compiledSite = await within(COMPILE_TIME, compiling)
    const cleanUp = (): Promise<void> => rm(folder, { recursive: true, force: true })
    if (compiledSite === null) {
      // The caller has its answer. A later failure of the compiler changes nothing.
      void compiling.catch(() => undefined).then(cleanUp)
      return failed(`The site was not compiled within ${COMPILE_TIME} seconds. Try again later.`)
    }
    try {
      const { sent } = compiledSite
      if (sent === null) return failed(formatErrors(compiledSite).join('\n'))
      const signal = AbortSignal.timeout(RUN_TIME * 1000)
      return (
        (await within(RUN_TIME, this.#run({ kind: 'sent', folder, unit: sent, host, seconds: TIME_LIMIT }, signal))) ??
        failed(OVERDUE)
      )
    } finally {
      await cleanUp()
    }
  }

  /** Runs a template. Runs it again when another build has replaced its threads meanwhile. */
  async #run(task: SentTask, signal: AbortSignal): Promise<Executed> {
    for (let run = 1; ; run++) {
      // The threads are taken now, because those that were there before the template was compiled may have been replaced.
      const threads = this.#threads()
      const outcome = await (await threads).run(task, signal, TIME_LIMIT)
      if (outcome.kind === 'done') return { result: outcome.printed ?? '', error: null }
      const isLost = outcome.kind !== 'failed' || outcome.failure.reason === 'crash'
      if (isLost && this.#isClosed) return failed('The server is stopping: try again later')
      if (isLost && signal.aborted) return failed(OVERDUE)
      if (isLost && this.#pool !== threads && run < MAX_RUNS) continue
      if (outcome.kind === 'unready') return failed(outcome.sentence)
      if (outcome.kind === 'failed' && !isLost) return failed(formatSentFailure(outcome.failure, task.unit))
      return failed('The template was stopped before it ended. Run it again.')
    }
  }

  async #threads(): Promise<JobPool> {
    this.#pool ??= this.#open()
    return this.#pool
  }

  async #open(): Promise<JobPool> {
    // Loaded here, because most processes never need it.
    const { createPool } = await import('../../../operate/jobs/threads/pool.ts')
    const start = this.#start
    const { thread: file, keep } = this.#options
    const { memory } = start.settings.jobs
    const pool = createPool({ file, start, threads: THREAD_COUNT, memory, lazy: true, storeLog: keep })
    // The thread that was warmed up runs the first template.
    await pool.run({ kind: 'warm' }, neverAborted(), TIME_LIMIT)
    return pool
  }

  async #closeIdle(): Promise<void> {
    this.#compiler.close()
    const pool = this.#pool
    this.#pool = null
    await (await pool)?.destroy()
  }
}

type SentTask = Extract<ThreadTask, { kind: 'sent' }>

const OVERDUE = `The template did not end within ${RUN_TIME} seconds.`

function failed(error: string): Executed {
  return { result: null, error }
}

/** Returns a result; null when it takes more seconds. Later errors are ignored. */
async function within<T>(seconds: number, result: Promise<T>): Promise<T | null> {
  const ended = new AbortController()
  try {
    return await Promise.race([result, sleep(seconds * 1000, null, { signal: ended.signal })])
  } finally {
    ended.abort()
  }
}

/** Returns a signal that never aborts, because only its own limits end a template. */
function neverAborted(): AbortSignal {
  return new AbortController().signal
}
