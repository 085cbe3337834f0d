/** Transactions of one request: how one begins, what its statements are told when it is over, and how all of it is kept or undone. */
import { send } from '../../store/send.ts'
import type { SqlStatement } from '../../../runtime/data/sql/sql.ts'
import type { TransactionSql } from 'postgres'
import type { RunOptions } from '../../../runtime/data/query/host.ts'
import type { Meter } from '../../contracts/meter.ts'
import { CONSTANTS_CHANGED, type Constants } from '../values/constants.ts'
import { isUnreachable } from './database-error.ts'
import { again, type Databases, DatabaseFailure, type ResultRows, type Statements } from './statements.ts'

/** What the transactions of a process share. */
export interface TransactionParts {
  readonly databases: Databases
  readonly statements: Statements
  readonly constants: Constants
}

/** Milliseconds in which a free connection must have begun a transaction. */
const BEGIN = 30_000
/** So long a transaction gets to be undone after a statement whose time was up. */
export const UNDO = 2_000

/** An open transaction. Its statements run one after another, and none runs when it is over. */
export class OpenTransaction {
  /** Why it takes no statements any more. */
  over: Error | null = null
  constantsTouched = false
  /** What is to be done when it is kept. */
  readonly kept = new Set<() => Promise<unknown>>()
  readonly #parts: TransactionParts
  readonly #meter: Meter
  readonly #connection: TransactionSql
  readonly #lost: (failure: DatabaseFailure) => void
  #last: Promise<unknown> = Promise.resolve()

  /** @param lost called with the failure of a statement after which the connection may never answer again */
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

  /** @throws DatabaseFailure, and `over` */
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    // A statement that waits in the client would be sent to the next connection when this one breaks.
    const rows = this.#last.then(() => this.#ask(statement, options))
    // Whoever asked gets the failure; the next statement only waits for the end of this one.
    this.#last = rows.catch(() => undefined)
    return rows
  }

  /** Runs a command without parameters, behind what was sent before. @throws what the client throws, and `over` */
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
  /** `performance.now()` at which it must have begun; null where the usual time is enough. */
  readonly deadline: number | null
  /** Ends the waiting, and the transaction, when it rejects. */
  readonly stop?: Promise<never>
}

/**
 * Runs `body` in a transaction of its own; a rejection undoes it.
 * @throws what `body` and the client throw
 */
export async function inTransaction<T>(
  parts: TransactionParts,
  { meter, deadline, stop }: TransactionStart,
  body: (open: OpenTransaction) => Promise<T>,
): Promise<T> {
  const { databases, constants } = parts
  let begun = false
  let left = false
  let kept: OpenTransaction['kept'] = new Set()
  let giveUp: (failure: unknown) => void = () => undefined
  const lost = new Promise<never>((_done, reject) => {
    giveUp = reject
  })
  const patience = deadline === null ? BEGIN : Math.min(BEGIN, Math.max(0, deadline - performance.now()))
  const timers = [setTimeout(() => begun || giveUp(notBegun()), patience)]
  const attempt = (): Promise<{ value: T }> =>
    databases.sql.begin(async (connection) => {
      // Whoever asked for it has been told that there is none.
      if (left) throw notBegun()
      begun = true
      const open = new OpenTransaction(
        parts,
        meter,
        connection,
        (failure) => void timers.push(setTimeout(() => giveUp(failure), UNDO)),
      )
      try {
        const value = await body(open)
        kept = open.kept
        if (open.constantsTouched) {
          // The request that has set a constant sees it in its next line.
          kept.add(constants.reload)
          // Sent inside of the transaction, the news goes out when it is kept, and not at all when it is undone.
          await connection`select pg_notify(${CONSTANTS_CHANGED}, '')`
        }
        return { value }
      } finally {
        // The connection is others' soon.
        open.over ??= new Error('The transaction is over.')
      }
    }) as Promise<{ value: T }>
  try {
    const ends = stop === undefined ? [lost] : [lost, stop]
    const { value } = await Promise.race([again(attempt, () => !begun && !left), ...ends])
    // What is kept stays so; what of it could not be read again now is, when the database says that it has changed.
    for (const act of kept) await act().catch(() => undefined)
    return value
  } finally {
    left = true
    for (const timer of timers) clearTimeout(timer)
  }
}

function notBegun(): Error {
  return Object.assign(new Error('no connection began a transaction in time'), { code: 'CONNECT_TIMEOUT' })
}
