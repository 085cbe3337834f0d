/**
 * The database access of one request. Statements run on any free connection, or in the transaction that the request has
 * opened.
 */
import { errorCodeOf } from '../../../core/error-code.ts'
import { LOCKS } from '../../../data/store/locks.ts'
import { integer, sql, type SqlStatement, toStatement } from '../../../../runtime/data/sql/sql.ts'
import { LiquidFault, Unwind } from '../../../../runtime/page/fault.ts'
import { QueryError } from '../../../../runtime/data/query/model.ts'
import type { RunOptions } from '../../../../runtime/data/query/host.ts'
import type { Meter } from '../../../core/contracts/meter.ts'
import { TransactionBlock, type StatementRunner, timeoutFault, createLevel } from './block.ts'
import { CONSTANTS_CHANGED } from '../values/constants.ts'
import { DatabaseFailure, type ResultRows } from './statements.ts'
import { inTransaction, type TransactionDependencies } from './transactions.ts'

/** Runs the statements of a request or a job. All its hosts and ports share this object. */
export class RequestDatabase {
  readonly #dependencies: TransactionDependencies
  readonly #meter: Meter
  /**
   * Deadline of every statement as a value of `performance.now()`. Null when each statement's own timeout is enough.
   */
  readonly #deadline: number | null
  /** Who makes changes that are recorded, as JSON for `ingot.actor`; null when changes are not recorded. */
  readonly #actor: string | null
  #block: TransactionBlock | null = null
  /** Settles when the block that waits for a connection has opened its transaction or failed. */
  #opening: Promise<void> | null = null

  constructor(
    dependencies: TransactionDependencies,
    meter: Meter,
    deadline: number | null,
    actor: string | null = null,
  ) {
    this.#dependencies = dependencies
    this.#meter = meter
    this.#deadline = deadline
    this.#actor = actor
  }

  /** Whether its changes are recorded, as those of the studio are. */
  get recordsChanges(): boolean {
    return this.#actor !== null
  }

  /** Whether a template has opened a transaction that has not ended. */
  get inBlock(): boolean {
    return this.#block !== null
  }

  /**
   * Runs a statement.
   * @throws DatabaseFailure, and Unwind when the open transaction has ended
   */
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    // The properties are copied explicitly, because an object spread is slower than the rest of this method.
    const { write, replica, query } = options
    const timed = {
      write,
      replica,
      query,
      timeout: this.#remainingSeconds(options),
      connection: null,
      meter: this.#meter,
    }
    if (this.#block !== null) return this.#block.unit((runner) => runner.run(statement, timed))
    if (write && this.#actor !== null) return this.unit((runner) => runner.run(statement, timed))
    return this.#dependencies.statements.run(statement, timed)
  }

  /**
   * Runs statements that succeed or fail together, in the open transaction or in a separate one.
   * @param inTurn whether a separate transaction waits for all others with this flag
   * @throws the errors of `body`, and DatabaseFailure
   */
  async unit<T>(body: (runner: StatementRunner) => Promise<T>, inTurn = false): Promise<T> {
    if (this.#block !== null) return this.#block.unit(body)
    try {
      return await inTransaction(
        this.#dependencies,
        { meter: this.#meter, deadline: this.#deadline, actor: this.#actor },
        async (open) => {
          if (inTurn) await open.command(WAIT_FOR_TURN)
          return body({
            run: (statement, options) => open.run(statement, { ...options, timeout: this.#remainingSeconds(options) }),
            constantsChanged: () => {
              open.constantsChanged = true
            },
            afterCommit: (callback) => void open.afterCommit.add(callback),
          })
        },
      )
    } catch (error) {
      // Errors that `body` threw pass unchanged; those of `begin` and `commit` are the client's.
      if (error instanceof QueryError || !isClientError(error)) throw error
      throw this.#dependencies.statements.toFailure(error, this.#meter)
    }
  }

  /**
   * Runs a block in one transaction. A nested block joins the open transaction. `rollback` is not a failure.
   * @param timeout seconds for the whole block, null for no limit
   * @throws the errors of `body`, and LiquidFault when the block was rolled back for another reason
   */
  async block(timeout: number | null, body: () => Promise<void>): Promise<void> {
    // Only one block is opened at a time. Settings of a map are rendered concurrently, so another block may be waiting
    // for its connection.
    while (this.#opening !== null) await this.#opening
    if (this.#block !== null) return this.#block.nested(timeout, body)
    let signalOpened: () => void = () => undefined
    this.#opening = new Promise((resolve) => {
      signalOpened = () => {
        this.#opening = null
        resolve()
      }
    })
    const level = createLevel(timeout)
    let rejectBlock: (unwind: Unwind) => void = () => undefined
    const blockTimeout = new Promise<never>((_done, reject) => {
      rejectBlock = reject
    })
    // The timeout races with the body. After the body has ended, no one handles the rejection.
    blockTimeout.catch(() => undefined)
    let bodyFailure: { readonly error: unknown } | null = null
    const bodyEnd: { promise?: Promise<void> } = {}
    const onTimeout = (): void =>
      rejectBlock(this.#block?.end(new Unwind(timeoutFault(level))) ?? new Unwind(timeoutFault(level)))
    const timer = timeout === null ? null : setTimeout(onTimeout, Math.min(timeout * 1000, MAX_TIMEOUT))
    try {
      await inTransaction(
        this.#dependencies,
        { meter: this.#meter, deadline: this.#deadline, actor: this.#actor, stop: blockTimeout },
        (transaction) => {
          const block = new TransactionBlock(transaction, level)
          this.#block = block
          signalOpened()
          bodyEnd.promise = runBody(block, body).catch((error: unknown) => {
            bodyFailure = { error }
            throw error
          })
          // After the timeout, a body that waits for something outside of the database must not keep its locks.
          return Promise.race([bodyEnd.promise, blockTimeout])
        },
      )
    } catch (error) {
      // The body shares its variables with the code that follows, so it must have ended before that code runs.
      await bodyEnd.promise?.catch(() => undefined)
      this.#rethrow(error, bodyFailure)
    } finally {
      if (timer !== null) clearTimeout(timer)
      this.#block = null
      signalOpened()
    }
  }

  /**
   * Rolls back the open transaction.
   * @throws Unwind, and LiquidFault when none is open
   */
  rollback(): never {
    if (this.#block === null) throw new LiquidFault('rollback performed outside of transaction')
    throw this.#block.end(new Unwind(null))
  }

  /** Records that the constants have changed. Every process reloads them after the commit. */
  async constantsChanged(): Promise<void> {
    if (this.#block !== null) {
      this.#block.constantsChanged()
      return
    }
    const { databases, constants } = this.#dependencies
    await databases.sql`select pg_notify(${CONSTANTS_CHANGED}, '')`
    await constants.reload()
  }

  /** Runs a callback after the commit, or immediately when no transaction is open. */
  async afterCommit(callback: () => Promise<unknown>): Promise<void> {
    if (this.#block !== null) this.#block.afterCommit(callback)
    else await callback()
  }

  /** Rethrows a failure of the block, unless the template requested the rollback. */
  #rethrow(error: unknown, failure: { readonly error: unknown } | null): void {
    if (error instanceof Unwind) {
      if (error.fault !== null) throw withCurrentStack(error.fault)
      return
    }
    if (failure !== null && failure.error === error) throw error
    if (!isClientError(error)) throw error
    const { message } = this.#dependencies.statements.toFailure(error, this.#meter)
    const fault = new LiquidFault(`the transaction was rolled back: ${message}`)
    fault.cause = error
    throw fault
  }

  #remainingSeconds(options: RunOptions): number {
    if (this.#deadline === null) return options.timeout
    return Math.min(options.timeout, (this.#deadline - performance.now()) / 1000)
  }
}

/** Recreates a fault of a timer or a broken connection, so that its stack leads to the waiting template. */
function withCurrentStack({ message, cause }: LiquidFault): LiquidFault {
  const fault = new LiquidFault(message)
  fault.cause = cause
  return fault
}

/** Longest delay of a timer in milliseconds. */
const MAX_TIMEOUT = 2_147_483_647
/** Waits until no other transaction that conflicted is repeated. The end of the transaction releases the lock. */
const WAIT_FOR_TURN = toStatement(sql`select pg_advisory_xact_lock(${integer(LOCKS.repeat)})`)

async function runBody(block: TransactionBlock, body: () => Promise<void>): Promise<void> {
  try {
    await body()
  } finally {
    await block.settled()
  }
  block.check()
}

function isClientError(error: unknown): boolean {
  return error instanceof DatabaseFailure || errorCodeOf(error) !== null
}
