/**
 * Executes rows of a table in their order, in only one process among all servers of a database. If that process ends, the next one executes
 * the unfinished row again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Logger } from '../../../core/contracts/log.ts'
import { createSession } from '../../../data/store/connection.ts'
import { readDatabaseUrl } from '../../../data/store/database-url.ts'

export interface WorkRow {
  readonly id: string
  /** Number of executions that have begun. */
  readonly attempts: number
  readonly request: { readonly kind: string }
}

export interface WorkQueue<Row extends WorkRow> {
  readonly sql: Sql
  readonly databaseUrl: string
  readonly logger: Logger
  /** Name of a row in the log. */
  readonly name: string
  /** The channel on which new rows are notified. */
  readonly channel: string
  /** The advisory lock for the work. It ends with its connection when the process is killed. */
  readonly lock: number
  /** Returns the rows to execute next, together; none when all are done. */
  next(): Promise<readonly Row[]>
  /** Counts an attempt. */
  begin(id: string): Promise<void>
  /** Ends a row as failed. */
  fail(id: string, reason: string): Promise<void>
  /** Returns why a row is not executed again. @param attempts the maximum number of attempts */
  givenUp(attempts: number): string
  /** Executes rows completely. @throws Error when they must be executed again */
  work(rows: readonly Row[]): Promise<void>
  /** Called with the lock when all rows are done. */
  rest?(): Promise<void>
}

/** Milliseconds between two checks for rows. New rows are also notified. */
const CHECK_INTERVAL = 2_000
/** Milliseconds to wait after a failure of the database. */
const FAILURE_PAUSE = 1_000
/** Maximum number of attempts for a row. */
const MAX_ATTEMPTS = 3
/** Milliseconds that the connection of the lock stays open after the work, because opening one takes longer than much of the work. */
const LOCK_IDLE_TIME = 30_000

/**
 * Executes rows until it is stopped.
 * @param over stops it; current work is aborted, and repeated by the next process
 */
export async function followQueue<Row extends WorkRow>(queue: WorkQueue<Row>, over: AbortSignal): Promise<void> {
  const { sql, logger, channel, name } = queue
  let pause = new AbortController()
  const wake = (): void => pause.abort()
  let listening: { unlisten(): Promise<void> } | null = null
  const lock = new WorkLock(queue)
  while (!over.aborted) {
    pause = new AbortController()
    let wait = CHECK_INTERVAL
    try {
      listening ??= await sql.listen(channel, wake, wake)
      await executePending(queue, lock, over)
    } catch (error) {
      if (over.aborted) break
      logger.error({}, `a ${name} was interrupted: ${error instanceof Error ? error.message : String(error)}`)
      wait = FAILURE_PAUSE
    }
    await sleep(wait, undefined, { signal: AbortSignal.any([over, pause.signal]), ref: false }).catch(() => undefined)
  }
  await lock.close()
  await listening?.unlisten().catch(() => undefined)
}

/** The lock for the work, on a separate connection. */
class WorkLock {
  readonly #queue: Pick<WorkQueue<WorkRow>, 'databaseUrl' | 'name' | 'lock'>
  #session: Sql | null = null
  #closing: NodeJS.Timeout | undefined

  constructor(queue: Pick<WorkQueue<WorkRow>, 'databaseUrl' | 'name' | 'lock'>) {
    this.#queue = queue
  }

  /** Whether the connection, and with it the lock, was lost. */
  get isLost(): boolean {
    return this.#session === null
  }

  async acquire(): Promise<void> {
    clearTimeout(this.#closing)
    const { databaseUrl, name, lock } = this.#queue
    if (this.#session === null) {
      const opened: Sql = createSession(readDatabaseUrl(databaseUrl, 'DATABASE_URL'), `ingot ${name}`, () => {
        if (this.#session === opened) this.#session = null
      })
      this.#session = opened
    }
    await this.#session`select pg_advisory_lock(${lock})`
  }

  async release(): Promise<void> {
    const session = this.#session
    if (session === null) return
    try {
      await session`select pg_advisory_unlock(${this.#queue.lock})`
      this.#closing = setTimeout(() => void this.close(), LOCK_IDLE_TIME).unref()
    } catch {
      // The lock ends with the connection.
      await this.close()
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#closing)
    const session = this.#session
    this.#session = null
    await session?.end({ timeout: 5 })
  }
}

/** Executes all pending rows while holding the lock. */
async function executePending<Row extends WorkRow>(
  queue: WorkQueue<Row>,
  lock: WorkLock,
  over: AbortSignal,
): Promise<void> {
  if ((await queue.next()).length === 0) return
  try {
    await lock.acquire()
    while (!over.aborted && !lock.isLost) {
      const rows = await queue.next()
      if (rows.length === 0) return await queue.rest?.()
      for (const { id } of rows) await queue.begin(id)
      // Rows that another process began and did not finish also count as attempts.
      for (const { id } of rows.filter(isGivenUp)) await queue.fail(id, queue.givenUp(MAX_ATTEMPTS))
      const left = rows.filter((row) => !isGivenUp(row))
      if (left.length > 0) await executeTogether(queue, left, over)
    }
  } finally {
    await lock.release()
  }
}

function isGivenUp({ attempts }: WorkRow): boolean {
  return attempts >= MAX_ATTEMPTS
}

async function executeTogether<Row extends WorkRow>(
  queue: WorkQueue<Row>,
  rows: readonly Row[],
  over: AbortSignal,
): Promise<void> {
  const { logger, name } = queue
  const ids = rows.map(({ id }) => id)
  const startedAt = performance.now()
  try {
    await queue.work(rows)
    const ms = Math.round(performance.now() - startedAt)
    logger.info({ [`${name}s`]: ids, ms }, `${rows[0]?.request.kind} ${ids.join(', ')} took ${ms} ms`)
  } catch (error) {
    // The next process executes the row again.
    if (over.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    const stack = error instanceof Error ? error.stack : null
    logger.error({ [`${name}s`]: ids, stack }, `${name} ${ids.join(', ')}: ${reason}`)
    for (const { id, attempts } of rows) if (attempts + 1 >= MAX_ATTEMPTS) await queue.fail(id, reason)
    throw error
  }
}
