/**
 * Runs single statements: prepared where that pays off, cancelled after their timeout, on the replica when it may
 * answer.
 */
import { codeOf } from '../../../core/error-code.ts'
import { sendTexts } from '../../../data/store/send.ts'
import type { SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'
import { QueryError } from '../../../../runtime/data/query/model.ts'
import type { RunOptions } from '../../../../runtime/data/query/host.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Meter } from '../../../core/contracts/meter.ts'
import type { Measures } from '../../../core/contracts/observer.ts'
import { failureOf } from '../../../data/store/failure.ts'
import { LATE_ANSWER, PRIMARY_AWAY, type Primary } from '../../../data/store/primary.ts'
import type { Replica } from '../../../data/store/replica.ts'
import { retryUnsent } from '../../../data/store/retry-unsent.ts'
import { createDeadlines } from '../../../core/services/deadlines.ts'
import { type ExplainedFailure, explainFailure, isUnreachable } from './database-error.ts'

export interface Databases {
  readonly sql: Sql
  /** A read-only copy that may lag behind. */
  readonly replica: Replica | null
  /** The watch of the database that `sql` leads to; absent where nobody watches it. */
  readonly primary?: Primary
}

/** An error of the database with a message for the sender of the query. */
export class DatabaseFailure extends QueryError {
  readonly answer: ExplainedFailure

  constructor(answer: ExplainedFailure) {
    super([{ code: 'value', message: answer.message, at: null, hint: null, details: { code: answer.code } }])
    this.answer = answer
  }
}

export type ResultRows = readonly (readonly unknown[])[]

export interface Statements {
  /**
   * Runs a statement and returns its rows, each as a list of columns.
   * @param options `connection` is an open transaction, or null for any free connection
   * @throws DatabaseFailure
   */
  run(
    statement: SqlStatement,
    options: RunOptions & { readonly connection: TransactionSql | null; readonly meter: Meter },
  ): Promise<ResultRows>
  /** Logs an error of the client and returns it as one that may be shown. */
  failed(error: unknown, meter: Meter): DatabaseFailure
}

/** Most statements prepared on each connection. */
const MAX_PREPARED = 1_000
/** Milliseconds in which a query is read again when no server can be reached, and between two attempts. */
const READ_PATIENCE = 2_000
const READ_PAUSE = 100
/** Milliseconds that a statement may take to be cancelled after its timeout, before its caller stops waiting. */
const CANCEL_TIMEOUT = 2_000

/** What statements are called that belong to no query of the site. */
const OWN = '(own)'

/**
 * Creates the statements of a process.
 * @param measures null where nothing is measured
 */
export function createStatements(databases: Databases, logger: Logger, measures: Measures | null = null): Statements {
  return new DatabaseStatements(databases, logger, measures)
}

class DatabaseStatements implements Statements {
  readonly #databases: Databases
  readonly #logger: Logger
  readonly #worthPreparing = prepareFromSecondUse()
  readonly #deadlines = createDeadlines()
  readonly #measures: Measures | null
  /** Statements outside of transactions that have no answer yet. */
  #open = 0

  constructor(databases: Databases, logger: Logger, measures: Measures | null) {
    this.#databases = databases
    this.#logger = logger
    this.#measures = measures
    if (measures !== null) this.#showPool(databases.sql, measures)
  }

  run(...[statement, options]: Parameters<Statements['run']>): Promise<ResultRows> {
    const { meter } = options
    meter.statements++
    const started = performance.now()
    if (options.connection === null) this.#open++
    return this.#answered(statement, options, started).then(
      (rows) => {
        this.#ended(options, started, 'ok')
        return rows
      },
      (error: unknown) => {
        this.#ended(options, started, 'failed')
        throw this.failed(error, meter)
      },
    )
  }

  #ended(
    { connection, meter, query = OWN }: Parameters<Statements['run']>[1],
    started: number,
    outcome: 'ok' | 'failed',
  ): void {
    if (connection === null) this.#open--
    const milliseconds = performance.now() - started
    meter.milliseconds += milliseconds
    this.#measures?.statement(query, outcome, milliseconds / 1000)
  }

  #showPool({ options: { max } }: Sql, measures: Measures): void {
    const pool = 'statements'
    measures.gauge('pool', () => [
      { labels: [pool, 'limit'], value: max },
      { labels: [pool, 'busy'], value: Math.min(max, this.#open) },
    ])
    measures.gauge('poolWaiting', () => [{ labels: [pool], value: Math.max(0, this.#open - max) }])
  }

  failed(error: unknown, meter: Meter): DatabaseFailure {
    if (error instanceof DatabaseFailure) return error
    const explained = explainFailure(error)
    if (explained.code === 'UNREACHABLE') meter.unreachable = true
    const reason = failureOf(error)?.sentence ?? (error instanceof Error ? error.message : String(error))
    this.#logger[explained.expected ? 'debug' : 'error']({ code: codeOf(error), reason }, explained.message)
    return new DatabaseFailure(explained)
  }

  #answered(...[statement, options, started]: [...Parameters<Statements['run']>, number]): Promise<ResultRows> {
    const { connection, timeout } = options
    const { sql, primary } = this.#databases
    const left = (): number => timeout - (performance.now() - started) / 1000
    if (connection !== null) return this.#askPrimary(connection, statement, timeout)
    // Without a copy there is one place to read from, and nothing to choose.
    if (!options.write && this.#databases.replica === null)
      return retryDisconnected(() => this.#askPrimary(sql, statement, left()))
    if (!options.write) return this.#read(statement, options.replica, left)
    // A wait for the primary does not count.
    return retryUnsent(() => this.#askPrimary(sql, statement, timeout), primary)
  }

  /** Reads where the query wants it. When that server is away, the other one answers. */
  async #read(statement: SqlStatement, wantsReplica: boolean, left: () => number): Promise<ResultRows> {
    const { replica, primary } = this.#databases
    let copy = replica
    if (copy !== null && wantsReplica && (await copy.usable())) {
      try {
        return await this.#ask(copy.sql, statement, left())
      } catch (error) {
        if (!isUnreachable(error)) throw error
        copy.failed(error)
        copy = null
      }
    }
    // While a copy becomes the primary, neither of them may be reachable for a moment.
    const end = performance.now() + READ_PATIENCE
    for (;;) {
      try {
        return await this.#readHome(statement, copy, left)
      } catch (error) {
        const isOver = performance.now() >= end || primary === undefined || replica === null
        if (isOver || !isUnreachable(error)) throw error
        await sleep(READ_PAUSE)
        copy = replica
      }
    }
  }

  /** Reads from the primary; while it is away, from the copy. */
  async #readHome(statement: SqlStatement, copy: Replica | null, left: () => number): Promise<ResultRows> {
    const { sql, primary } = this.#databases
    if (primary?.away === true && copy !== null) return this.#ask(copy.sql, statement, left())
    try {
      const staysHere = (): boolean => primary?.away !== true || copy === null
      return await retryDisconnected(() => this.#askPrimary(sql, statement, left()), staysHere)
    } catch (error) {
      if (copy === null || !isUnreachable(error)) throw error
      return this.#ask(copy.sql, statement, left())
    }
  }

  readonly #suspect = (): void => this.#databases.primary?.suspect()

  /** Lets the primary be asked whether it is there when the answer is late, and when a connection broke. */
  #askPrimary(client: Sql | TransactionSql, statement: SqlStatement, seconds: number): Promise<ResultRows> {
    const { primary } = this.#databases
    return this.#ask(client, statement, seconds, primary === undefined ? null : this.#suspect)
  }

  /** @param suspect called when the answer is late, and when there is none because no server can be reached */
  #ask(
    client: Sql | TransactionSql,
    statement: SqlStatement,
    seconds: number,
    suspect: (() => void) | null = null,
  ): Promise<ResultRows> {
    if (seconds <= 0) return Promise.reject(timeoutError())
    // Statements without parameters are prepared too, so that a text never contains several statements.
    const options = { prepare: this.#worthPreparing(statement.text), simple: false }
    const query = sendTexts(client, statement, options).values()
    return new Promise<ResultRows>((done, reject) => {
      const late = suspect === null ? null : this.#deadlines.set(LATE_ANSWER, suspect)
      let deadline = this.#deadlines.set(seconds * 1000, () => {
        query.cancel()
        deadline = this.#deadlines.set(CANCEL_TIMEOUT, () => reject(timeoutError()))
      })
      query.then(
        (rows) => {
          deadline.met()
          late?.met()
          done(rows as unknown as ResultRows)
        },
        (error: unknown) => {
          deadline.met()
          late?.met()
          if (suspect !== null && isUnreachable(error)) suspect()
          reject(error)
        },
      )
    })
  }
}

/** Milliseconds before each retry. */
const RETRY_PAUSES = [20, 100, 300]

/**
 * Retries what changes nothing when its connection broke: a connection that the database has closed is handed out until
 * the client notices, and a restarted database is back within a moment.
 */
export function retryDisconnected<T>(
  attempt: () => Promise<T>,
  harmless: () => boolean = () => true,
  before = 0,
): Promise<T> {
  return attempt().catch(async (error: unknown) => {
    const pause = RETRY_PAUSES[before]
    const code = codeOf(error)
    const broken = failureOf(error)?.kind === 'away' && code !== 'CONNECT_TIMEOUT' && code !== PRIMARY_AWAY
    if (pause === undefined || !broken || !harmless()) throw error
    await sleep(pause)
    return retryDisconnected(attempt, harmless, before + 1)
  })
}

function timeoutError(): Error {
  return Object.assign(new Error('canceling statement due to timeout'), { code: '57014' })
}

/**
 * Whether to prepare a text: from its second use on. Visitors can decide which conditions a query has, so the number of
 * texts is unbounded, and a connection keeps every prepared statement. Therefore only some are prepared, and the choice
 * starts again after an hour, when connections are renewed.
 */
function prepareFromSecondUse(): (text: string) => boolean {
  let seen = new Set<string>()
  let prepared = new Set<string>()
  let until = performance.now() + 3_600_000
  return (text) => {
    if (prepared.has(text)) return true
    if (performance.now() > until) {
      prepared = new Set()
      until = performance.now() + 3_600_000
    }
    if (seen.has(text)) {
      if (prepared.size >= MAX_PREPARED) return false
      prepared.add(text)
      seen.delete(text)
      return true
    }
    if (seen.size >= MAX_PREPARED) seen = new Set()
    seen.add(text)
    return false
  }
}
