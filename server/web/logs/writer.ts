/**
 * Writes log entries in batches in the background. While the database is unavailable, entries wait in memory, up to a
 * limit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { codeOf } from '../../core/error-code.ts'
import { LOGGED, type LogRow } from './model.ts'

export interface LogWriter {
  /** Queues an entry. Never waits, never throws. */
  add(row: LogRow): void
  /** Writes the remaining entries within a short time and disconnects. */
  close(): Promise<void>
}

export interface WriterLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface WriterLimits {
  /** Most entries, and characters, that may wait for the database. */
  readonly entries: number
  readonly characters: number
  /** Timeout of one statement in milliseconds. */
  readonly patience?: number
}

const LIMITS: WriterLimits = { entries: 10_000, characters: 16_000_000 }
/** Most entries, and characters, written at once. */
const BATCH_SIZE = 500
const BATCH_CHARACTERS = 2_000_000
/** Milliseconds to collect entries, and between attempts. */
const COLLECT_TIME = 50
const RETRY = { first: 250, last: 5_000 } as const
/** Milliseconds for a statement, for its cancellation, and for the final write. */
const TIMEOUT = 10_000
const CANCELLING = 2_000
const FAREWELL = 2_000
/** SQLSTATE classes of rows that the database rejects. */
const DATA_FAULT = /^2[23]/

/** @param sql a client that nothing else uses */
export function createLogWriter(sql: Sql, log: WriterLog, limits = LIMITS): LogWriter {
  return new BatchWriter(sql, log, limits)
}

class BatchWriter implements LogWriter {
  readonly #sql: Sql
  readonly #log: WriterLog
  readonly #limits: WriterLimits

  #waiting: LogRow[] = []
  #characters = 0
  #lost = 0
  #writing: Promise<void> | null = null
  #closing = false
  readonly #hurry = new AbortController()

  constructor(sql: Sql, log: WriterLog, limits: WriterLimits) {
    this.#sql = sql
    this.#log = log
    this.#limits = limits
  }

  add(row: LogRow): void {
    this.#queue([row], false)
    if (!this.#closing) this.#begin()
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#hurry.abort()
    const left = (async () => {
      await this.#writing
      await this.#drain()
    })()
    await Promise.race([left, sleep(FAREWELL, null, { ref: false })])
    if (this.#waiting.length > 0) this.#log.warn({}, `${this.#waiting.length} entries of the log of the site are lost`)
    await this.#sql.end({ timeout: 1 })
  }

  #queue(rows: readonly LogRow[], front: boolean): void {
    this.#waiting = front ? [...rows, ...this.#waiting] : this.#waiting
    if (!front) this.#waiting.push(...rows)
    for (const row of rows) this.#characters += sizeOf(row)
    let over = 0
    while (this.#waiting.length - over > this.#limits.entries || this.#characters > this.#limits.characters) {
      const oldest = this.#waiting[over]
      if (oldest === undefined) break
      this.#characters -= sizeOf(oldest)
      over++
    }
    if (over > 0) this.#waiting.splice(0, over)
    this.#lost += over
  }

  #batch(): readonly LogRow[] {
    let count = 0
    for (let size = 0; count < Math.min(this.#waiting.length, BATCH_SIZE); count++) {
      const row = this.#waiting[count]
      if (row === undefined) break
      size += sizeOf(row)
      if (size > BATCH_CHARACTERS && count > 0) break
    }
    const rows = this.#waiting.splice(0, count)
    for (const row of rows) this.#characters -= sizeOf(row)
    return rows
  }

  async #drain(): Promise<void> {
    await this.#pause(COLLECT_TIME)
    let unavailable = false
    let wait: number = RETRY.first
    while (this.#waiting.length > 0) {
      const rows = this.#batch()
      const missed = this.#lost
      this.#lost = 0
      try {
        await this.#written(missed === 0 ? rows : [remark(missed), ...rows])
        if (unavailable) this.#log.info({}, 'the log of the site is written again')
        unavailable = false
        wait = RETRY.first
      } catch (error) {
        this.#lost += missed
        this.#queue(rows, true)
        if (this.#closing) return
        if (!unavailable) {
          const why = error instanceof Error ? error.message : String(error)
          this.#log.warn({}, `the log of the site cannot be written now (${why}): its entries wait`)
        }
        unavailable = true
        await this.#pause(wait)
        wait = Math.min(wait * 2, RETRY.last)
      }
    }
  }

  /** Rows that the database rejects are dropped, so that the others are stored. */
  async #written(rows: readonly LogRow[]): Promise<void> {
    try {
      await inTime(insert(this.#sql, rows), this.#limits.patience ?? TIMEOUT)
    } catch (error) {
      if (!isDataFault(error)) throw error
      const [only] = rows
      if (only === undefined) return
      if (rows.length === 1) {
        this.#log.warn({ type: only.type }, `an entry of the log could not be kept: ${(error as Error).message}`)
        return
      }
      const half = Math.ceil(rows.length / 2)
      await this.#written(rows.slice(0, half))
      await this.#written(rows.slice(half))
    }
  }

  #pause(milliseconds: number): Promise<unknown> {
    // Rejects when `hurry` aborts it; the pause is then over.
    return sleep(milliseconds, null, { signal: this.#hurry.signal }).catch(() => null)
  }

  #begin(): void {
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = null
      if (this.#waiting.length > 0 && !this.#closing) this.#begin()
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
    select pg_notify(${LOGGED}, '') where exists (select from added)`
}

/** A statement of the client. */
interface Statement extends Promise<unknown> {
  cancel(): unknown
}

/** Cancels a statement that takes too long: if it continued, its rows would be written twice. */
function inTime(statement: Statement, patience: number): Promise<void> {
  const late = (): Error => new Error(`no answer within ${patience / 1000} seconds`)
  return new Promise((done, fail) => {
    let cancelled = false
    let timer = setTimeout(() => {
      cancelled = true
      statement.cancel()
      // The cancellation got no answer either, so the connection is lost.
      timer = setTimeout(() => fail(late()), CANCELLING).unref()
    }, patience).unref()
    statement.then(
      () => {
        clearTimeout(timer)
        done()
      },
      (error: unknown) => {
        clearTimeout(timer)
        fail(cancelled ? late() : error)
      },
    )
  })
}

function isDataFault(error: unknown): boolean {
  return DATA_FAULT.test(codeOf(error) ?? '')
}

function remark(count: number): LogRow {
  const message = `${count} older entries of the log are lost: there were more than could be written`
  return { at: new Date(), type: 'warning', message, data: '{}' }
}

function sizeOf({ message, type, data }: LogRow): number {
  return message.length + type.length + data.length + 64
}
