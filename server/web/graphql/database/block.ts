/**
 * The transaction that a template has opened. Each operation inside runs in its own savepoint, so that a failure undoes
 * only that operation. Nested blocks join the transaction.
 */
import { identifier, sql, type Sql, type SqlStatement, toStatement } from '../../../../runtime/data/sql/sql.ts'
import { LiquidFault, Unwind } from '../../../../runtime/page/fault.ts'
import type { RunOptions } from '../../../../runtime/data/query/host.ts'
import { DatabaseFailure, type ResultRows } from './statements.ts'
import { type OpenTransaction, ROLLBACK_TIMEOUT } from './transactions.ts'
import { Turns } from '../../../core/turns.ts'

/** One `{% transaction %}` block. The outermost block comes first. */
export interface TransactionLevel {
  /** In seconds; null for no limit. */
  readonly timeout: number | null
  /** Deadline as a value of `performance.now()`. */
  readonly deadline: number
  /** Why the level has ended; null while it runs. */
  over: Unwind | null
}

export function createLevel(timeout: number | null): TransactionLevel {
  return {
    timeout,
    deadline: timeout === null ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000,
    over: null,
  }
}

/** Runs the statements of one atomic unit inside the block. */
export interface StatementRunner {
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows>
  /** Records that the constants have changed. */
  constantsChanged(): void
  /** Runs a callback after the commit. */
  afterCommit(callback: () => Promise<unknown>): void
}

const UNIT_SAVEPOINT = identifier('ingot_unit')

export class TransactionBlock implements StatementRunner {
  readonly #open: OpenTransaction
  readonly #levels: TransactionLevel[]
  /** Nested blocks that are still running. */
  readonly #nestedBlocks = new Set<Promise<unknown>>()
  readonly #turns = new Turns()
  #names = 0

  constructor(transaction: OpenTransaction, outermost: TransactionLevel) {
    this.#open = transaction
    this.#levels = [outermost]
  }

  /**
   * Runs statements that succeed or fail together; units run one at a time. A failure rolls back to the state before
   * the unit.
   * @throws the errors of `body`, and `Unwind` when the block has ended
   */
  unit<T>(body: (runner: StatementRunner) => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      this.check()
      // The savepoint is sent together with the first statement, so it costs no extra round trip.
      this.#send(sql`savepoint ${UNIT_SAVEPOINT}`)
      try {
        const value = await body(this)
        this.#send(sql`release savepoint ${UNIT_SAVEPOINT}`)
        return value
      } catch (error) {
        if (error instanceof Unwind) throw error
        await this.#rollbackTo(UNIT_SAVEPOINT)
        throw error
      }
    })
  }

  /** Runs a statement of a unit. */
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    this.check()
    const remaining = Math.min(...this.#levels.map(({ deadline }) => deadline)) - performance.now()
    const timed = { ...options, timeout: Math.min(options.timeout, remaining / 1000) }
    // Failures are classified here, because callers convert them to errors of the operation.
    return this.#open.run(statement, timed).catch((error: unknown) => this.#classify(error))
  }

  constantsChanged(): void {
    this.#open.constantsChanged = true
  }

  afterCommit(callback: () => Promise<unknown>): void {
    this.#open.afterCommit.add(callback)
  }

  /**
   * Runs a nested block.
   * @throws the errors of `body`, and the fault of the block's timeout
   */
  async nested(timeout: number | null, body: () => Promise<void>): Promise<void> {
    const level = createLevel(timeout)
    const name = identifier(`ingot_block_${++this.#names}`)
    await this.#turns.run(async () => {
      this.check()
      this.#levels.push(level)
      this.#send(sql`savepoint ${name}`)
    })
    const done = this.#runNested(level, name, body)
    this.#nestedBlocks.add(done)
    try {
      await done
    } finally {
      this.#nestedBlocks.delete(done)
    }
  }

  /** Resolves when all nested blocks have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#nestedBlocks)
  }

  /** Ends a level with a reason, the outermost one by default. Nothing runs in it afterwards. */
  end(unwind: Unwind, level: TransactionLevel | undefined = this.#levels[0]): Unwind {
    if (level === undefined) return unwind
    level.over ??= unwind
    if (level === this.#levels[0]) this.#open.endReason ??= level.over
    return level.over
  }

  /**
   * Checks that the block and its nested blocks have not ended, for example by a timeout.
   * @throws Unwind when one of them has ended
   */
  check(): void {
    const now = performance.now()
    for (const level of this.#levels) {
      if (level.over === null && now >= level.deadline) this.end(new Unwind(timeoutFault(level)), level)
      if (level.over !== null) throw level.over
    }
  }

  async #runNested(level: TransactionLevel, name: Sql, body: () => Promise<void>): Promise<void> {
    try {
      await body()
      this.check()
      await this.#turns.run(async () => this.#send(sql`release savepoint ${name}`))
      this.#close(level)
    } catch (error) {
      this.#close(level)
      // The outermost block has ended, so this level is rolled back with it.
      if (this.#levels[0]?.over !== null) throw error
      await this.#turns.run(() => this.#rollbackTo(name))
      throw error instanceof Unwind && error === level.over && error.fault !== null ? error.fault : error
    }
  }

  #close(level: TransactionLevel): void {
    const index = this.#levels.indexOf(level)
    if (index >= 0) this.#levels.splice(index, 1)
  }

  #send(command: Sql): void {
    // When this command fails, the next statement fails too, and its error is reported.
    this.#open.command(toStatement(command)).catch(() => undefined)
  }

  /**
   * Rethrows a failure.
   * @throws Unwind for a failure that breaks the whole block, otherwise the failure
   */
  #classify(error: unknown): never {
    if (error instanceof DatabaseFailure) {
      if (error.answer.code === 'UNREACHABLE') throw this.end(new Unwind(brokenFault(error)))
      // The statement timeout was the timeout of the block.
      if (error.answer.code === 'TIMEOUT') this.check()
    }
    throw error
  }

  async #rollbackTo(savepoint: Sql): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeoutRejection = new Promise<never>((_done, reject) => {
      timer = setTimeout(() => reject(new Error('the transaction does not answer')), ROLLBACK_TIMEOUT)
    })
    try {
      const undone = this.#open.command(
        toStatement(sql`rollback to savepoint ${savepoint}; release savepoint ${savepoint}`),
      )
      await Promise.race([undone, timeoutRejection])
    } catch (error) {
      if (error instanceof Unwind) throw error
      // The state of the transaction is unknown.
      throw this.end(new Unwind(brokenFault(error)))
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Returns the fault of a block that exceeded its timeout. */
export function timeoutFault({ timeout }: TransactionLevel): LiquidFault {
  return new LiquidFault(`the transaction exceeded its timeout of ${timeout} seconds and was rolled back`)
}

function brokenFault(cause: unknown): LiquidFault {
  const fault = new LiquidFault('the connection to the database was lost during the transaction, which was rolled back')
  fault.cause = cause
  return fault
}
