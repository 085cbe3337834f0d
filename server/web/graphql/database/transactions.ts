/**
 * The transactions of one request: how they begin, commit and roll back, and the error for statements after their end.
 */
import { send } from '../../../data/store/send.ts'
import { LATE_ANSWER_TIME } from '../../../data/store/primary.ts'
import { retryUnsent } from '../../../data/store/retry-unsent.ts'
import type { SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import type { TransactionSql } from 'postgres'
import type { RunOptions } from '../../../../runtime/data/query/host.ts'
import type { Meter } from '../../../core/contracts/meter.ts'
import { CONSTANTS_CHANGED, type Constants } from '../values/constants.ts'
import { isUnreachable } from './database-error.ts'
import { retryDisconnected, type Databases, DatabaseFailure, type ResultRows, type Statements } from './statements.ts'

/** The process-wide objects that transactions use. */
export interface TransactionDependencies {
  readonly databases: Databases
  readonly statements: Statements
  readonly constants: Constants
}

/** Milliseconds within which a transaction must have begun on a free connection. */
const BEGIN_TIMEOUT = 30_000
/** Milliseconds for the rollback after a statement timed out. */
export const ROLLBACK_TIMEOUT = 2_000

/** An open transaction. Its statements run one after another. After its end, statements are rejected. */
export class OpenTransaction {
  /** Why the transaction accepts no more statements; null while it is open. */
  endReason: Error | null = null
  constantsChanged = false
  /** Callbacks to run after the commit. */
  readonly afterCommit = new Set<() => Promise<unknown>>()
  readonly #dependencies: TransactionDependencies
  readonly #meter: Meter
  readonly #connection: TransactionSql
  readonly #lost: (failure: DatabaseFailure) => void
  #last: Promise<unknown> = Promise.resolve()

  /** @param onConnectionLost called with the error of a statement after which the connection may never answer again */
  constructor(
    dependencies: TransactionDependencies,
    meter: Meter,
    connection: TransactionSql,
    onConnectionLost: (failure: DatabaseFailure) => void,
  ) {
    this.#dependencies = dependencies
    this.#meter = meter
    this.#connection = connection
    this.#lost = onConnectionLost
  }

  /**
   * Runs a statement.
   * @throws DatabaseFailure, and `endReason` after the end
   */
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    // Statements are sent one at a time. A statement queued in the client would run on another connection when this one
    // breaks.
    const rows = this.#last.then(() => this.#runNow(statement, options))
    // The caller receives the failure. The next statement only waits for this one to end.
    this.#last = rows.catch(() => undefined)
    return rows
  }

  /**
   * Runs a command without parameters after the statements sent before.
   * @throws the client's error, and `endReason` after the end
   */
  async command(statement: SqlStatement): Promise<void> {
    if (this.endReason !== null) throw this.endReason
    try {
      await send(this.#connection, statement)
    } catch (error) {
      if (isUnreachable(error)) this.#meter.unreachable = true
      throw error
    }
  }

  async #runNow(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    if (this.endReason !== null) throw this.endReason
    const statementOptions = { ...options, replica: false, connection: this.#connection, meter: this.#meter }
    try {
      return await this.#dependencies.statements.run(statement, statementOptions)
    } catch (error) {
      if (error instanceof DatabaseFailure && error.answer.code === 'TIMEOUT') this.#lost(error)
      throw error
    }
  }
}

export interface TransactionStart {
  readonly meter: Meter
  /** Deadline for the begin as a value of `performance.now()`; null for the default timeout. */
  readonly deadline: number | null
  /** Who makes the changes, as JSON for `ingot.actor`; null when changes are not recorded. */
  readonly actor: string | null
  /** When this promise rejects, the transaction is ended. */
  readonly stop?: Promise<never>
}

/**
 * Runs `body` in a new transaction. A rejection rolls it back.
 * @throws the errors of `body` and of the client
 */
export async function inTransaction<T>(
  dependencies: TransactionDependencies,
  { meter, deadline, actor, stop }: TransactionStart,
  body: (open: OpenTransaction) => Promise<T>,
): Promise<T> {
  const { databases, constants } = dependencies
  let hasBegun = false
  let callerLeft = false
  let callbacks: OpenTransaction['afterCommit'] = new Set()
  let rejectConnectionLoss: (failure: unknown) => void = () => undefined
  const connectionLoss = new Promise<never>((_done, reject) => {
    rejectConnectionLoss = reject
  })
  const beginTimeout =
    deadline === null ? BEGIN_TIMEOUT : Math.min(BEGIN_TIMEOUT, Math.max(0, deadline - performance.now()))
  const timers = [setTimeout(() => hasBegun || rejectConnectionLoss(notBegun()), beginTimeout)]
  // The client's type of \`begin\` unwraps lists of promises, so TypeScript cannot see that the result is the callback's.
  const attempt = (): Promise<{ value: T }> =>
    databases.sql.begin(async (connection) => {
      // The caller has already received an error because the transaction had not begun in time.
      if (callerLeft) throw notBegun()
      hasBegun = true
      const open = new OpenTransaction(
        dependencies,
        meter,
        connection,
        (failure) => void timers.push(setTimeout(() => rejectConnectionLoss(failure), ROLLBACK_TIMEOUT)),
      )
      try {
        if (actor !== null) await connection`select set_config('ingot.actor', ${actor}, true)`
        const value = await body(open)
        callbacks = open.afterCommit
        if (open.constantsChanged) {
          // The request that has set a constant sees it immediately after the commit.
          callbacks.add(constants.reload)
          // The notification is sent inside the transaction, so the commit publishes it and a rollback drops it.
          await connection`select pg_notify(${CONSTANTS_CHANGED}, '')`
        }
        return { value }
      } finally {
        // Rejects later statements, because other requests use the connection next.
        open.endReason ??= new Error('The transaction is over.')
      }
    }) as Promise<{ value: T }>
  const isUnbegun = (): boolean => !hasBegun && !callerLeft
  const { primary } = databases
  if (primary !== undefined) timers.push(setTimeout(() => primary.suspect(), LATE_ANSWER_TIME))
  try {
    const ends = stop === undefined ? [connectionLoss] : [connectionLoss, stop]
    const begun = retryUnsent(() => retryDisconnected(attempt, isUnbegun), primary, isUnbegun)
    const { value } = await Promise.race([begun, ...ends])
    // The commit has succeeded. A constant that could not be reloaded now is reloaded when the database's notification
    // arrives.
    for (const callback of callbacks) await callback().catch(() => undefined)
    return value
  } catch (error) {
    if (isUnreachable(error)) primary?.suspect()
    throw error
  } finally {
    callerLeft = true
    for (const timer of timers) clearTimeout(timer)
  }
}

function notBegun(): Error {
  return Object.assign(new Error('no connection began a transaction in time'), { code: 'CONNECT_TIMEOUT' })
}
