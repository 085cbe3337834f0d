/**
 * Runs single statements. Repeated statements are prepared, statements are cancelled after their timeout, and reads may
 * use the replica.
 */
import { errorCodeOf } from '../../../core/error-code.ts'
import { onConnection, sendTexts } from '../../../data/store/send.ts'
import type { SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'
import { QueryError, RUN } from '../../../../runtime/data/query/model.ts'
import type { RunOptions } from '../../../../runtime/data/query/host.ts'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Meter } from '../../../core/contracts/meter.ts'
import type { Measures } from '../../../core/contracts/observer.ts'
import type { Recording } from '../../../core/contracts/recording.ts'
import { failureOf } from '../../../data/store/failure.ts'
import { LATE_ANSWER_TIME, PRIMARY_AWAY, type Primary } from '../../../data/store/primary.ts'
import type { Replica } from '../../../data/store/replica.ts'
import { retryUnsent } from '../../../data/store/retry-unsent.ts'
import { createDeadlines } from '../../../core/services/deadlines.ts'
import { type ExplainedFailure, explainFailure, isUnreachable } from './database-error.ts'

export interface Databases {
  readonly sql: Sql
  /** A read-only copy that may lag behind. */
  readonly replica: Replica | null
  /** Watches the database that `sql` connects to. Absent when the database is not watched. */
  readonly primary?: Primary
}

/** A database error with a message for the sender of the query. */
export class DatabaseFailure extends QueryError {
  readonly answer: ExplainedFailure

  constructor(answer: ExplainedFailure) {
    const details = { code: answer.code }
    super([{ code: 'value', message: answer.message, range: null, hint: null, mistake: RUN, details }])
    this.answer = answer
  }
}

/** When and where a recorded statement was sent. */
interface SentMoment {
  /** When a connection was free for it, as a value of `performance.now()`; null while it waits. */
  at: number | null
  replica: boolean
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
  /** Logs an error of the database client and returns an error that users may see. */
  toFailure(error: unknown, meter: Meter): DatabaseFailure
}

/** Maximum number of statements prepared on each connection. */
const MAX_PREPARED = 1_000
/** Milliseconds for which a read is retried when no server is reachable, and milliseconds between two attempts. */
const READ_RETRY_TIME = 2_000
const READ_PAUSE = 100
/** Milliseconds to wait for a cancelled statement before the caller is released. */
const CANCEL_TIMEOUT = 2_000

/** Query name for statements that belong to no query of the site. */
const INTERNAL_QUERY = '(own)'

/**
 * Creates the statement runner of a process.
 * @param measures null when metrics are disabled
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
  /** Number of statements outside of transactions that are still running. */
  #runningCount = 0

  constructor(databases: Databases, logger: Logger, measures: Measures | null) {
    this.#databases = databases
    this.#logger = logger
    this.#measures = measures
    if (measures !== null) this.#reportPool(databases.sql, measures)
  }

  run(...[statement, options]: Parameters<Statements['run']>): Promise<ResultRows> {
    const { meter } = options
    const recording = meter.recording()
    if (recording !== null) return this.#runRecorded(recording, statement, options)
    return this.#runMeasured(statement, options, null)
  }

  /** Runs a statement and records it with its values. */
  async #runRecorded(
    recording: Recording,
    ...[statement, options]: Parameters<Statements['run']>
  ): Promise<ResultRows> {
    const startedAt = performance.now()
    const sent: SentMoment = { at: null, replica: false }
    const recorded = (rows: number | null, error: string | null): void => {
      recording.statement({
        ...{ sql: statement.text, values: statement.values, rows, error, replica: sent.replica },
        ms: performance.now() - startedAt,
        waited: sent.at === null ? 0 : sent.at - startedAt,
        transaction: options.connection !== null,
      })
    }
    try {
      const rows = await this.#runMeasured(statement, options, sent)
      recorded(rows.length, null)
      return rows
    } catch (error) {
      recorded(null, error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  #runMeasured(
    ...[statement, options, sent]: [...Parameters<Statements['run']>, SentMoment | null]
  ): Promise<ResultRows> {
    const { meter } = options
    meter.statements++
    if (options.write) meter.hasWritten = true
    const startedAt = performance.now()
    if (options.connection === null) this.#runningCount++
    return this.#route(statement, options, startedAt, sent).then(
      (rows) => {
        this.#recordEnd(options, startedAt, 'ok')
        return rows
      },
      (error: unknown) => {
        this.#recordEnd(options, startedAt, 'failed')
        throw this.toFailure(error, meter)
      },
    )
  }

  #recordEnd(
    { connection, meter, query = INTERNAL_QUERY }: Parameters<Statements['run']>[1],
    startedAt: number,
    outcome: 'ok' | 'failed',
  ): void {
    if (connection === null) this.#runningCount--
    const milliseconds = performance.now() - startedAt
    meter.milliseconds += milliseconds
    this.#measures?.statement(query, outcome, milliseconds / 1000)
  }

  #reportPool({ options: { max } }: Sql, measures: Measures): void {
    const pool = 'statements'
    measures.gauge('pool', () => [
      { labels: [pool, 'limit'], value: max },
      { labels: [pool, 'busy'], value: Math.min(max, this.#runningCount) },
    ])
    measures.gauge('poolWaiting', () => [{ labels: [pool], value: Math.max(0, this.#runningCount - max) }])
  }

  toFailure(error: unknown, meter: Meter): DatabaseFailure {
    if (error instanceof DatabaseFailure) return error
    const explainedFailure = explainFailure(error)
    if (explainedFailure.code === 'UNREACHABLE') meter.unreachable = true
    const reason = failureOf(error)?.sentence ?? (error instanceof Error ? error.message : String(error))
    this.#logger[explainedFailure.expected ? 'debug' : 'error'](
      { code: errorCodeOf(error), reason },
      explainedFailure.message,
    )
    return new DatabaseFailure(explainedFailure)
  }

  #route(
    ...[statement, options, startedAt, sent]: [...Parameters<Statements['run']>, number, SentMoment | null]
  ): Promise<ResultRows> {
    const { connection, timeout } = options
    const { sql, primary } = this.#databases
    const remainingSeconds = (): number => timeout - (performance.now() - startedAt) / 1000
    if (connection !== null) return this.#sendToPrimary(connection, statement, timeout, sent)
    // Without a replica, all reads use the primary.
    if (!options.write && this.#databases.replica === null)
      return retryDisconnected(() => this.#sendToPrimary(sql, statement, remainingSeconds(), sent))
    if (!options.write) return this.#read(statement, options.replica, remainingSeconds, sent)
    // Waiting for the primary does not count toward the timeout.
    return retryUnsent(() => this.#sendToPrimary(sql, statement, timeout, sent), primary)
  }

  /** Reads from the server that the query prefers. When that server is away, reads from the other one. */
  async #read(
    statement: SqlStatement,
    wantsReplica: boolean,
    remainingSeconds: () => number,
    sent: SentMoment | null,
  ): Promise<ResultRows> {
    const { replica, primary } = this.#databases
    let availableReplica = replica
    if (availableReplica !== null && wantsReplica && (await availableReplica.usable())) {
      try {
        return await this.#sendToReplica(availableReplica, statement, remainingSeconds(), sent)
      } catch (error) {
        if (!isUnreachable(error)) throw error
        availableReplica.failed(error)
        availableReplica = null
      }
    }
    // While a replica becomes the primary, both servers may be unreachable for a moment.
    const retryDeadline = performance.now() + READ_RETRY_TIME
    for (;;) {
      try {
        return await this.#readFromPrimary(statement, availableReplica, remainingSeconds, sent)
      } catch (error) {
        const isOver = performance.now() >= retryDeadline || primary === undefined || replica === null
        if (isOver || !isUnreachable(error)) throw error
        await sleep(READ_PAUSE)
        availableReplica = replica
      }
    }
  }

  /** Reads from the primary, or from the replica while the primary is away. */
  async #readFromPrimary(
    statement: SqlStatement,
    replica: Replica | null,
    remainingSeconds: () => number,
    sent: SentMoment | null,
  ): Promise<ResultRows> {
    const { sql, primary } = this.#databases
    if (primary?.away === true && replica !== null)
      return this.#sendToReplica(replica, statement, remainingSeconds(), sent)
    try {
      const staysOnPrimary = (): boolean => primary?.away !== true || replica === null
      return await retryDisconnected(
        () => this.#sendToPrimary(sql, statement, remainingSeconds(), sent),
        staysOnPrimary,
      )
    } catch (error) {
      if (replica === null || !isUnreachable(error)) throw error
      return this.#sendToReplica(replica, statement, remainingSeconds(), sent)
    }
  }

  #sendToReplica(
    replica: Replica,
    statement: SqlStatement,
    seconds: number,
    sent: SentMoment | null,
  ): Promise<ResultRows> {
    if (sent !== null) sent.replica = true
    return this.#sendTo(replica.sql, statement, seconds, null, sent)
  }

  readonly #suspect = (): void => this.#databases.primary?.suspect()

  /** Sends a statement to the primary. A late answer or a broken connection starts a check of the primary. */
  #sendToPrimary(
    client: Sql | TransactionSql,
    statement: SqlStatement,
    seconds: number,
    sent: SentMoment | null,
  ): Promise<ResultRows> {
    const { primary } = this.#databases
    if (sent !== null) sent.replica = false
    return this.#sendTo(client, statement, seconds, primary === undefined ? null : this.#suspect, sent)
  }

  /**
   * Sends a statement with a timeout.
   * @param onSuspect called when the answer is late, and when no server is reachable
   */
  #sendTo(
    client: Sql | TransactionSql,
    statement: SqlStatement,
    seconds: number,
    onSuspect: (() => void) | null = null,
    sent: SentMoment | null = null,
  ): Promise<ResultRows> {
    if (seconds <= 0) return Promise.reject(timeoutError())
    // Statements without parameters are prepared too, so that a text can never contain several statements.
    const options = { prepare: this.#worthPreparing(statement.text), simple: false }
    const query = sendTexts(client, statement, options).values()
    if (sent !== null) onConnection(query, () => (sent.at ??= performance.now()))
    return new Promise<ResultRows>((resolve, reject) => {
      const lateTimer = onSuspect === null ? null : this.#deadlines.set(LATE_ANSWER_TIME, onSuspect)
      let deadline = this.#deadlines.set(seconds * 1000, () => {
        query.cancel()
        deadline = this.#deadlines.set(CANCEL_TIMEOUT, () => reject(timeoutError()))
      })
      query.then(
        (rows) => {
          deadline.cancel()
          lateTimer?.cancel()
          resolve(rows)
        },
        (error: unknown) => {
          deadline.cancel()
          lateTimer?.cancel()
          if (onSuspect !== null && isUnreachable(error)) onSuspect()
          reject(error)
        },
      )
    })
  }
}

/** Milliseconds before each retry. */
const RETRY_PAUSES = [20, 100, 300]

/**
 * Retries harmless work after its connection broke. The client hands out a closed connection until it notices, and a
 * restarted database is available again within a moment.
 * @param isHarmless whether a retry changes nothing
 */
export function retryDisconnected<T>(
  attempt: () => Promise<T>,
  isHarmless: () => boolean = () => true,
  retries = 0,
): Promise<T> {
  return attempt().catch(async (error: unknown) => {
    const pause = RETRY_PAUSES[retries]
    const code = errorCodeOf(error)
    const isBroken = failureOf(error)?.kind === 'away' && code !== 'CONNECT_TIMEOUT' && code !== PRIMARY_AWAY
    if (pause === undefined || !isBroken || !isHarmless()) throw error
    await sleep(pause)
    return retryDisconnected(attempt, isHarmless, retries + 1)
  })
}

function timeoutError(): Error {
  return Object.assign(new Error('canceling statement due to timeout'), { code: '57014' })
}

/**
 * Returns a function that decides whether to prepare a statement: from its second use on. Visitors can decide which
 * conditions a query has, so the number of texts is unbounded, and a connection keeps every prepared statement.
 * Therefore the number is limited. The choice starts again after an hour, when connections are renewed.
 */
function prepareFromSecondUse(): (text: string) => boolean {
  let seenTexts = new Set<string>()
  let preparedTexts = new Set<string>()
  let resetTime = performance.now() + 3_600_000
  return (text) => {
    if (preparedTexts.has(text)) return true
    if (performance.now() > resetTime) {
      preparedTexts = new Set()
      resetTime = performance.now() + 3_600_000
    }
    if (seenTexts.has(text)) {
      if (preparedTexts.size >= MAX_PREPARED) return false
      preparedTexts.add(text)
      seenTexts.delete(text)
      return true
    }
    if (seenTexts.size >= MAX_PREPARED) seenTexts = new Set()
    seenTexts.add(text)
    return false
  }
}
