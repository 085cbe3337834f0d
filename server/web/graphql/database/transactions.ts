/**
 * The transactions of one request: their begin, the error for statements after their end, and their commit or rollback.
 */
import { send } from '../../../data/store/send.ts'
import { LATE_ANSWER } from '../../../data/store/primary.ts'
import { retryUnsent } from '../../../data/store/retry-unsent.ts'
import type { SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import type { TransactionSql } from 'postgres'
import type { RunOptions } from '../../../../runtime/data/query/host.ts'
import type { Meter } from '../../../core/contracts/meter.ts'
import { CONSTANTS_CHANGED, type Constants } from '../values/constants.ts'
import { isUnreachable } from './database-error.ts'
import { retryDisconnected, type Databases, DatabaseFailure, type ResultRows, type Statements } from './statements.ts'

/** What the transactions of a process share. */
export interface TransactionParts {
  readonly databases: Databases
  readonly statements: Statements
  readonly constants: Constants
}

/** Milliseconds within which a transaction must have begun on a free connection. */
const BEGIN_TIMEOUT = 30_000
/** Milliseconds for the rollback after a statement timed out. */
export const ROLLBACK_TIMEOUT = 2_000

/** An open transaction. Its statements run one after another; after its end none runs. */
export class OpenTransaction {
  /** Why it accepts no more statements. */
  over: Error | null = null
  constantsTouched = false
  /** Callbacks to run after the commit. */
  readonly afterCommit = new Set<() => Promise<unknown>>()
  readonly #parts: TransactionParts
  readonly #meter: Meter
  readonly #connection: TransactionSql
  readonly #lost: (failure: DatabaseFailure) => void
  #last: Promise<unknown> = Promise.resolve()

  /** @param lost called with the error of a statement after which the connection may never answer again */
  constructor(
    parts: TransactionParts,
    meter: Meter,
    connection: TransactionSql,
    lost: (failure: DatabaseFailure) => void,
  ) {
    this.#parts = parts
    this.#meter = meter
    this.#connection = connection
    this.#lost = lost
  }

  /**
   * Runs a statement.
   * @throws DatabaseFailure, and `over`
   */
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    // Sent one at a time: a statement queued in the client would be sent on another connection when this one breaks.
    const rows = this.#last.then(() => this.#ask(statement, options))
    // The caller receives the failure; the next statement only waits for the end.
    this.#last = rows.catch(() => undefined)
    return rows
  }

  /**
   * Runs a command without parameters after the statements sent before.
   * @throws the client's error, and `over`
   */
  async command(statement: SqlStatement): Promise<void> {
    if (this.over !== null) throw this.over
    try {
      await send(this.#connection, statement)
    } catch (error) {
      if (isUnreachable(error)) this.#meter.unreachable = true
      throw error
    }
  }

  async #ask(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    if (this.over !== null) throw this.over
    const how = { ...options, replica: false, connection: this.#connection, meter: this.#meter }
    try {
      return await this.#parts.statements.run(statement, how)
    } catch (error) {
      if (error instanceof DatabaseFailure && error.answer.code === 'TIMEOUT') this.#lost(error)
      throw error
    }
  }
}

export interface TransactionStart {
  readonly meter: Meter
  /** Deadline for its begin as a value of `performance.now()`; null for the usual time. */
  readonly deadline: number | null
  /** Ends the transaction when it rejects. */
  readonly stop?: Promise<never>
}

/**
 * Runs `body` in a transaction of its own; a rejection rolls it back.
 * @throws the errors of `body` and of the client
 */
export async function inTransaction<T>(
  parts: TransactionParts,
  { meter, deadline, stop }: TransactionStart,
  body: (open: OpenTransaction) => Promise<T>,
): Promise<T> {
  const { databases, constants } = parts
  let hasBegun = false
  let left = false
  let kept: OpenTransaction['afterCommit'] = new Set()
  let giveUp: (failure: unknown) => void = () => undefined
  const lost = new Promise<never>((_done, reject) => {
    giveUp = reject
  })
  const patience =
    deadline === null ? BEGIN_TIMEOUT : Math.min(BEGIN_TIMEOUT, Math.max(0, deadline - performance.now()))
  const timers = [setTimeout(() => hasBegun || giveUp(notBegun()), patience)]
  const attempt = (): Promise<{ value: T }> =>
    databases.sql.begin(async (connection) => {
      // The caller has already been told that there is no transaction.
      if (left) throw notBegun()
      hasBegun = true
      const open = new OpenTransaction(
        parts,
        meter,
        connection,
        (failure) => void timers.push(setTimeout(() => giveUp(failure), ROLLBACK_TIMEOUT)),
      )
      try {
        const value = await body(open)
        kept = open.afterCommit
        if (open.constantsTouched) {
          // The request that has set a constant sees it immediately after the commit.
          kept.add(constants.reload)
          // Sent inside the transaction, the notification goes out with the commit and is dropped by a rollback.
          await connection`select pg_notify(${CONSTANTS_CHANGED}, '')`
        }
        return { value }
      } finally {
        // Others will use the connection next.
        open.over ??= new Error('The transaction is over.')
      }
    }) as Promise<{ value: T }>
  const isUnbegun = (): boolean => !hasBegun && !left
  const { primary } = databases
  if (primary !== undefined) timers.push(setTimeout(() => primary.suspect(), LATE_ANSWER))
  try {
    const ends = stop === undefined ? [lost] : [lost, stop]
    const begun = retryUnsent(() => retryDisconnected(attempt, isUnbegun), primary, isUnbegun)
    const { value } = await Promise.race([begun, ...ends])
    // The commit stands. What could not be reloaded now is reloaded when the database's notification arrives.
    for (const callback of kept) await callback().catch(() => undefined)
    return value
  } catch (error) {
    if (isUnreachable(error)) primary?.suspect()
    throw error
  } finally {
    left = true
    for (const timer of timers) clearTimeout(timer)
  }
}

function notBegun(): Error {
  return Object.assign(new Error('no connection began a transaction in time'), { code: 'CONNECT_TIMEOUT' })
}
