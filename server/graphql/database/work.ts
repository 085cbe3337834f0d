/** The database as one request uses it: what it runs goes to any free connection, or into the transaction that it has opened. */
import type { SqlStatement } from '../../../runtime/data/sql/sql.ts'
import { LiquidFault, Unwind } from '../../../runtime/page/fault.ts'
import { QueryError } from '../../../runtime/data/query/model.ts'
import type { RunOptions } from '../../../runtime/data/query/host.ts'
import type { Meter } from '../../contracts/meter.ts'
import { TransactionBlock, type StatementRunner, lateFault, levelOf } from './block.ts'
import { CONSTANTS_CHANGED } from '../values/constants.ts'
import { DatabaseFailure, type ResultRows } from './statements.ts'
import { inTransaction, type TransactionParts } from './transactions.ts'

/** Shared by all hosts and ports of one request, or one job. */
export class RequestDatabase {
  readonly #parts: TransactionParts
  readonly #meter: Meter
  /** `performance.now()` at which every statement must have ended; null where each statement's own time is enough. */
  readonly #deadline: number | null
  #block: TransactionBlock | null = null
  /** Done when the block that waits for a connection has one, or none. */
  #opening: Promise<void> | null = null

  constructor(parts: TransactionParts, meter: Meter, deadline: number | null) {
    this.#parts = parts
    this.#meter = meter
    this.#deadline = deadline
  }

  /** Whether a template has opened a transaction that has not ended. */
  get inBlock(): boolean {
    return this.#block !== null
  }

  /** @throws DatabaseFailure, and Unwind where the open transaction is over */
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    const timed = { ...options, timeout: this.#timeOf(options) }
    if (this.#block !== null) return this.#block.unit((lane) => lane.run(statement, timed))
    return this.#parts.statements.run(statement, { ...timed, connection: null, meter: this.#meter })
  }

  /**
   * Runs what happens all or not at all: in the open transaction, or in one of its own.
   * @throws what `body` throws, and DatabaseFailure
   */
  async unit<T>(body: (lane: StatementRunner) => Promise<T>): Promise<T> {
    if (this.#block !== null) return this.#block.unit(body)
    try {
      return await inTransaction(this.#parts, { meter: this.#meter, deadline: this.#deadline }, (open) =>
        body({
          run: (statement, options) => open.run(statement, { ...options, timeout: this.#timeOf(options) }),
          touched: () => {
            open.constantsTouched = true
          },
          whenKept: (act) => void open.kept.add(act),
        }),
      )
    } catch (error) {
      // What the body threw is its own; what `begin` and `commit` threw is the client's.
      if (error instanceof QueryError || !isClientError(error)) throw error
      throw this.#parts.statements.failed(error, this.#meter)
    }
  }

  /**
   * Runs a block in one transaction, which joins the one that is open. What `rollback` ends is no failure.
   * @param timeout seconds for all of it, null without a limit
   * @throws what `body` throws, and LiquidFault where all was undone for another reason
   */
  async block(timeout: number | null, body: () => Promise<void>): Promise<void> {
    // Settings of a map render side by side.
    while (this.#opening !== null) await this.#opening
    if (this.#block !== null) return this.#block.nested(timeout, body)
    let opened: () => void = () => undefined
    this.#opening = new Promise((done) => {
      opened = () => {
        this.#opening = null
        done()
      }
    })
    const level = levelOf(timeout)
    let stop: (unwind: Unwind) => void = () => undefined
    const stopped = new Promise<never>((_done, reject) => {
      stop = reject
    })
    // It is raced against the body; where that has ended first, nobody waits for it.
    stopped.catch(() => undefined)
    let failure: { readonly error: unknown } | null = null
    let ended: Promise<void> | null = null
    const late = (): void => stop(this.#block?.end(new Unwind(lateFault(level))) ?? new Unwind(lateFault(level)))
    const timer = timeout === null ? null : setTimeout(late, Math.min(timeout * 1000, LONGEST))
    try {
      await inTransaction(this.#parts, { meter: this.#meter, deadline: this.#deadline, stop: stopped }, (open) => {
        const block = new TransactionBlock(open, level)
        this.#block = block
        opened()
        ended = bodyOf(block, body).catch((error: unknown) => {
          failure = { error }
          throw error
        })
        // What waits for something else must not keep its locks beyond its time.
        return Promise.race([ended, stopped])
      })
    } catch (error) {
      // The body shares its variables with what follows, so it must have ended before that begins.
      await (ended as Promise<void> | null)?.catch(() => undefined)
      this.#answer(error, failure)
    } finally {
      if (timer !== null) clearTimeout(timer)
      this.#block = null
      opened()
    }
  }

  /** Ends the open transaction, all of it undone. @throws Unwind, and LiquidFault where none is open */
  rollback(): never {
    if (this.#block === null) throw new LiquidFault('rollback performed outside of transaction')
    throw this.#block.end(new Unwind(null))
  }

  /** The constants have changed: every process reads them again, once what is open is kept. */
  async touched(): Promise<void> {
    if (this.#block !== null) {
      this.#block.touched()
      return
    }
    const { databases, constants } = this.#parts
    await databases.sql`select pg_notify(${CONSTANTS_CHANGED}, '')`
    await constants.reload()
  }

  /** Does something when the open transaction is kept, at once where none is open. */
  async whenKept(act: () => Promise<unknown>): Promise<void> {
    if (this.#block !== null) this.#block.whenKept(act)
    else await act()
  }

  /** @throws unless the block was rolled back by its own wish */
  #answer(error: unknown, failure: { readonly error: unknown } | null): void {
    if (error instanceof Unwind) {
      if (error.fault !== null) throw placed(error.fault)
      return
    }
    if (failure !== null && failure.error === error) throw error
    if (!isClientError(error)) throw error
    const { message } = this.#parts.statements.failed(error, this.#meter)
    const fault = new LiquidFault(`the transaction was undone: ${message}`)
    fault.cause = error
    throw fault
  }

  #timeOf(options: RunOptions): number {
    if (this.#deadline === null) return options.timeout
    return Math.min(options.timeout, (this.#deadline - performance.now()) / 1000)
  }
}

/** A fault that a timer or a broken connection made, with a stack that leads to the template that waits. */
function placed({ message, cause }: LiquidFault): LiquidFault {
  const fault = new LiquidFault(message)
  fault.cause = cause
  return fault
}

/** Milliseconds that a timer can wait. */
const LONGEST = 2_147_483_647

async function bodyOf(block: TransactionBlock, body: () => Promise<void>): Promise<void> {
  try {
    await body()
  } finally {
    await block.settled()
  }
  block.check()
}

function isClientError(error: unknown): boolean {
  return error instanceof DatabaseFailure || (error instanceof Error && 'code' in error)
}
