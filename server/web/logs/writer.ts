/**
 * Writes log entries to the database in batches, in the background. While the database is unavailable, a limited number
 * of entries waits in memory.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { errorCodeOf } from '../../core/error-code.ts'
import { LOG_CHANNEL, type LogRow } from './model.ts'

export interface LogWriter {
  /** Queues an entry. Returns immediately and never throws. */
  add(row: LogRow): void
  /** Writes the remaining entries within a short time and disconnects. */
  close(): Promise<void>
}

/** The log for problems of the writer. */
export interface WriterLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Limits of the writer. */
interface WriterLimits {
  /** Maximum number of entries and of characters that may wait for the database. */
  readonly entries: number
  readonly characters: number
  /** Timeout of one statement in milliseconds. */
  readonly timeout?: number
}

const LIMITS: WriterLimits = { entries: 10_000, characters: 16_000_000 }
/** Maximum number of entries and of characters in one batch. */
const BATCH_SIZE = 500
const BATCH_CHARACTERS = 2_000_000
/** Milliseconds to collect entries, and between attempts. */
const COLLECT_TIME = 50
const RETRY = { first: 250, last: 5_000 } as const
/** Timeouts in milliseconds: of a statement, of its cancellation, and of the final write. */
const TIMEOUT = 10_000
const CANCEL_TIMEOUT = 2_000
const CLOSE_TIMEOUT = 2_000
/** SQLSTATE classes of rows that the database rejects. */
const DATA_FAULT = /^2[23]/

/**
 * Creates the writer.
 * @param sql a client that is only used by the writer
 */
export function createLogWriter(sql: Sql, log: WriterLog, limits = LIMITS): LogWriter {
  return new BatchWriter(sql, log, limits)
}

class BatchWriter implements LogWriter {
  readonly #sql: Sql
  readonly #log: WriterLog
  readonly #limits: WriterLimits

  #queue: LogRow[] = []
  #characters = 0
  #lostCount = 0
  #drainTask: Promise<void> | null = null
  #closing = false
  readonly #closeSignal = new AbortController()

  constructor(sql: Sql, log: WriterLog, limits: WriterLimits) {
    this.#sql = sql
    this.#log = log
    this.#limits = limits
  }

  add(row: LogRow): void {
    this.#enqueue([row], false)
    if (!this.#closing) this.#startDraining()
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#closeSignal.abort()
    const finalWrite = (async () => {
      await this.#drainTask
      await this.#drain()
    })()
    await Promise.race([finalWrite, sleep(CLOSE_TIMEOUT, null, { ref: false })])
    if (this.#queue.length > 0) this.#log.warn({}, `${this.#queue.length} entries of the site log are lost`)
    await this.#sql.end({ timeout: 1 })
  }

  #enqueue(rows: readonly LogRow[], front: boolean): void {
    this.#queue = front ? [...rows, ...this.#queue] : this.#queue
    if (!front) this.#queue.push(...rows)
    for (const row of rows) this.#characters += rowSize(row)
    let excess = 0
    while (this.#queue.length - excess > this.#limits.entries || this.#characters > this.#limits.characters) {
      const oldest = this.#queue[excess]
      if (oldest === undefined) break
      this.#characters -= rowSize(oldest)
      excess++
    }
    if (excess > 0) this.#queue.splice(0, excess)
    this.#lostCount += excess
  }

  #takeBatch(): readonly LogRow[] {
    let count = 0
    for (let size = 0; count < Math.min(this.#queue.length, BATCH_SIZE); count++) {
      const row = this.#queue[count]
      if (row === undefined) break
      size += rowSize(row)
      if (size > BATCH_CHARACTERS && count > 0) break
    }
    const rows = this.#queue.splice(0, count)
    for (const row of rows) this.#characters -= rowSize(row)
    return rows
  }

  async #drain(): Promise<void> {
    await this.#pause(COLLECT_TIME)
    let unavailable = false
    let delay: number = RETRY.first
    while (this.#queue.length > 0) {
      const rows = this.#takeBatch()
      const lostBefore = this.#lostCount
      this.#lostCount = 0
      try {
        await this.#write(lostBefore === 0 ? rows : [lossNotice(lostBefore), ...rows])
        if (unavailable) this.#log.info({}, 'the site log is written again')
        unavailable = false
        delay = RETRY.first
      } catch (error) {
        this.#lostCount += lostBefore
        this.#enqueue(rows, true)
        if (this.#closing) return
        if (!unavailable) {
          const reason = error instanceof Error ? error.message : String(error)
          this.#log.warn({}, `the site log cannot be written (${reason}): its entries wait in memory`)
        }
        unavailable = true
        await this.#pause(delay)
        delay = Math.min(delay * 2, RETRY.last)
      }
    }
  }

  /** Writes rows. Rows that the database rejects are dropped, so that the others are stored. */
  async #write(rows: readonly LogRow[]): Promise<void> {
    try {
      await withTimeout(insert(this.#sql, rows), this.#limits.timeout ?? TIMEOUT)
    } catch (error) {
      if (!isDataFault(error)) throw error
      const [only] = rows
      if (only === undefined) return
      if (rows.length === 1) {
        this.#log.warn(
          { type: only.type },
          `an entry of the site log was rejected: ${error instanceof Error ? error.message : String(error)}`,
        )
        return
      }
      const half = Math.ceil(rows.length / 2)
      await this.#write(rows.slice(0, half))
      await this.#write(rows.slice(half))
    }
  }

  #pause(milliseconds: number): Promise<unknown> {
    // The pause ends early when `closeSignal` aborts it, so the rejection is ignored.
    return sleep(milliseconds, null, { signal: this.#closeSignal.signal }).catch(() => null)
  }

  #startDraining(): void {
    this.#drainTask ??= this.#drain().finally(() => {
      this.#drainTask = null
      if (this.#queue.length > 0 && !this.#closing) this.#startDraining()
    })
  }
}

function insert(sql: Sql, rows: readonly LogRow[]): Statement {
  const list = rows.map(({ at, type, message, data }) => ({ at: at.toISOString(), type, message, data }))
  return sql`
    with added as (
      insert into ingot.logs (created_at, type, message, data)
      select at, type, message, data::jsonb
      from json_to_recordset(${JSON.stringify(list)}::text::json) as row (at timestamptz, type text, message text, data text)
      returning id
    )
    select pg_notify(${LOG_CHANNEL}, '') where exists (select from added)`
}

/** A statement of the client that can be cancelled. */
interface Statement extends Promise<unknown> {
  cancel(): unknown
}

/**
 * Waits for a statement. Cancels a statement that takes too long, because its rows would be written twice if it
 * continued.
 */
function withTimeout(statement: Statement, timeout: number): Promise<void> {
  const timeoutError = (): Error => new Error(`no answer within ${timeout / 1000} seconds`)
  return new Promise((resolve, reject) => {
    let cancelled = false
    let timer = setTimeout(() => {
      cancelled = true
      statement.cancel()
      // The cancellation got no answer either, so the connection is lost.
      timer = setTimeout(() => reject(timeoutError()), CANCEL_TIMEOUT).unref()
    }, timeout).unref()
    statement.then(
      () => {
        clearTimeout(timer)
        resolve()
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(cancelled ? timeoutError() : error)
      },
    )
  })
}

function isDataFault(error: unknown): boolean {
  return DATA_FAULT.test(errorCodeOf(error) ?? '')
}

function lossNotice(count: number): LogRow {
  const message = `${count} older log entries are lost, because there were more entries than could be written`
  return { at: new Date(), type: 'warning', message, data: '{}' }
}

function rowSize({ message, type, data }: LogRow): number {
  return message.length + type.length + data.length + 64
}
