/** Writes entries in batches, beside everything else. A database that is away loses nothing while memory lasts. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { LOGGED, type LogRow } from './model.ts'

export interface LogWriter {
  /** Keeps an entry. Never waits, never throws. */
  add(row: LogRow): void
  /** Writes what there is, as far as the database lets it within a moment, and leaves the database. */
  close(): Promise<void>
}

export interface WriterLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface WriterLimits {
  /** Entries, and characters of them, that wait for the database. */
  readonly entries: number
  readonly characters: number
  /** Milliseconds that one statement may take. */
  readonly patience?: number
}

const LIMITS: WriterLimits = { entries: 10_000, characters: 16_000_000 }
/** Entries, and characters, that are written at once. */
const BATCH = 500
const BATCH_CHARACTERS = 2_000_000
/** Milliseconds that entries wait for others, and between attempts. */
const GATHER = 50
const RETRY = { first: 250, last: 5_000 } as const
/** Milliseconds for one statement, for its cancelling, and for the end. */
const PATIENCE = 10_000
const CANCELLING = 2_000
const FAREWELL = 2_000
/** Of rows that the database refuses. */
const DATA_FAULT = /^2[23]/

/** @param sql a client that nothing else waits for */
export function createLogWriter(sql: Sql, log: WriterLog, limits = LIMITS): LogWriter {
  let waiting: LogRow[] = []
  let characters = 0
  let lost = 0
  let writing: Promise<void> | null = null
  let closing = false
  const hurry = new AbortController()

  function queue(rows: readonly LogRow[], front: boolean): void {
    waiting = front ? [...rows, ...waiting] : waiting
    if (!front) waiting.push(...rows)
    for (const row of rows) characters += sizeOf(row)
    let over = 0
    while (waiting.length - over > limits.entries || characters > limits.characters) {
      const oldest = waiting[over]
      if (oldest === undefined) break
      characters -= sizeOf(oldest)
      over++
    }
    if (over > 0) waiting.splice(0, over)
    lost += over
  }

  function batch(): readonly LogRow[] {
    let count = 0
    for (let size = 0; count < Math.min(waiting.length, BATCH); count++) {
      const row = waiting[count]
      if (row === undefined) break
      size += sizeOf(row)
      if (size > BATCH_CHARACTERS && count > 0) break
    }
    const rows = waiting.splice(0, count)
    for (const row of rows) characters -= sizeOf(row)
    return rows
  }

  async function drain(): Promise<void> {
    await pause(GATHER)
    let away = false
    let wait: number = RETRY.first
    while (waiting.length > 0) {
      const rows = batch()
      const missed = lost
      lost = 0
      try {
        await written(missed === 0 ? rows : [remark(missed), ...rows])
        if (away) log.info({}, 'the log of the site is written again')
        away = false
        wait = RETRY.first
      } catch (error) {
        lost += missed
        queue(rows, true)
        if (closing) return
        if (!away) {
          const why = error instanceof Error ? error.message : String(error)
          log.warn({}, `the log of the site cannot be written now (${why}): its entries wait`)
        }
        away = true
        await pause(wait)
        wait = Math.min(wait * 2, RETRY.last)
      }
    }
  }

  /** A row that the database will never take is left out, so that the others are kept. */
  async function written(rows: readonly LogRow[]): Promise<void> {
    try {
      await inTime(insert(sql, rows), limits.patience ?? PATIENCE)
    } catch (error) {
      if (!isDataFault(error)) throw error
      const [only] = rows
      if (only === undefined) return
      if (rows.length === 1) {
        log.warn({ type: only.type }, `an entry of the log could not be kept: ${(error as Error).message}`)
        return
      }
      const half = Math.ceil(rows.length / 2)
      await written(rows.slice(0, half))
      await written(rows.slice(half))
    }
  }

  function pause(milliseconds: number): Promise<unknown> {
    return sleep(milliseconds, null, { signal: hurry.signal }).catch(() => null)
  }

  function begin(): void {
    writing ??= drain().finally(() => {
      writing = null
      if (waiting.length > 0 && !closing) begin()
    })
  }

  return {
    add(row) {
      queue([row], false)
      if (!closing) begin()
    },
    async close() {
      closing = true
      hurry.abort()
      const left = (async () => {
        await writing
        await drain()
      })()
      await Promise.race([left, sleep(FAREWELL, null, { ref: false })])
      if (waiting.length > 0) log.warn({}, `${waiting.length} entries of the log of the site are lost`)
      await sql.end({ timeout: 1 })
    },
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

/** What the client makes of a statement. */
interface Statement extends Promise<unknown> {
  cancel(): unknown
}

/** One that takes too long is cancelled: if it went on, what it writes would be written twice. */
function inTime(statement: Statement, patience: number): Promise<void> {
  const late = (): Error => new Error(`no answer within ${patience / 1000} seconds`)
  return new Promise((done, fail) => {
    let cancelled = false
    let timer = setTimeout(() => {
      cancelled = true
      statement.cancel()
      // Where nobody answers at all, the connection is lost.
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
  return error instanceof Error && 'code' in error && DATA_FAULT.test(String(error.code))
}

function remark(count: number): LogRow {
  const message = `${count} older entries of the log are lost: there were more than could be written`
  return { at: new Date(), type: 'warning', message, data: '{}' }
}

function sizeOf({ message, type, data }: LogRow): number {
  return message.length + type.length + data.length + 64
}
