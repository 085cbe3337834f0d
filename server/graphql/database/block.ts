/** The transaction that a template has opened: each operation inside is undone alone where it fails, and blocks inside it join. */
import { identifier, sql, type Sql, type SqlStatement, toStatement } from '../../../runtime/data/sql/sql.ts'
import { LiquidFault, Unwind } from '../../../runtime/page/fault.ts'
import type { RunOptions } from '../../../runtime/data/query/host.ts'
import { DatabaseFailure, type ResultRows } from './statements.ts'
import { type OpenTransaction, UNDO } from './transactions.ts'

/** One `{% transaction %}`, the outermost first. */
export interface TransactionLevel {
  /** Seconds; null without a limit. */
  readonly timeout: number | null
  /** `performance.now()` at its end. */
  readonly ends: number
  over: Unwind | null
}

export function levelOf(timeout: number | null): TransactionLevel {
  return { timeout, ends: timeout === null ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000, over: null }
}

/** What a unit of work in the block runs its statements by. */
export interface StatementRunner {
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows>
  /** The constants have changed. */
  touched(): void
  /** Does something when the transaction is kept. */
  whenKept(act: () => Promise<unknown>): void
}

const UNIT = identifier('ingot_unit')

export class TransactionBlock implements StatementRunner {
  readonly #open: OpenTransaction
  readonly #levels: TransactionLevel[]
  /** Blocks inside that have not ended. */
  readonly #inside = new Set<Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()
  #names = 0

  constructor(open: OpenTransaction, outermost: TransactionLevel) {
    this.#open = open
    this.#levels = [outermost]
  }

  /**
   * Runs what happens all or not at all, one at a time. What fails leaves the transaction as it was before.
   * @throws what `body` throws, and `Unwind` when the block is over
   */
  unit<T>(body: (lane: StatementRunner) => Promise<T>): Promise<T> {
    return this.#turn(async () => {
      this.check()
      // Sent right before the first statement, it costs no waiting.
      this.#send(sql`savepoint ${UNIT}`)
      try {
        const value = await body(this)
        this.#send(sql`release savepoint ${UNIT}`)
        return value
      } catch (error) {
        if (error instanceof Unwind) throw error
        await this.#undoTo(UNIT)
        throw error
      }
    })
  }

  /** Of a unit. */
  run(statement: SqlStatement, options: RunOptions): Promise<ResultRows> {
    this.check()
    const left = Math.min(...this.#levels.map(({ ends }) => ends)) - performance.now()
    const timed = { ...options, timeout: Math.min(options.timeout, left / 1000) }
    // Judged here: on their way up, failures become those of the operation.
    return this.#open.run(statement, timed).catch((error: unknown) => this.#judge(error))
  }

  touched(): void {
    this.#open.constantsTouched = true
  }

  whenKept(act: () => Promise<unknown>): void {
    this.#open.kept.add(act)
  }

  /** Runs a block inside of this one. @throws what `body` throws, and the fault of its time */
  async nested(timeout: number | null, body: () => Promise<void>): Promise<void> {
    const level = levelOf(timeout)
    const name = identifier(`ingot_block_${++this.#names}`)
    await this.#turn(async () => {
      this.check()
      this.#levels.push(level)
      this.#send(sql`savepoint ${name}`)
    })
    const done = this.#inner(level, name, body)
    this.#inside.add(done)
    try {
      await done
    } finally {
      this.#inside.delete(done)
    }
  }

  /** When all blocks inside have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inside)
  }

  /** Ends a level for the reason given, the outermost where none is named. Nothing runs in it from now on. */
  end(unwind: Unwind, level: TransactionLevel | undefined = this.#levels[0]): Unwind {
    if (level === undefined) return unwind
    level.over ??= unwind
    if (level === this.#levels[0]) this.#open.over ??= level.over
    return level.over
  }

  /** @throws Unwind when the block, or one of those inside, is over */
  check(): void {
    const now = performance.now()
    for (const level of this.#levels) {
      if (level.over === null && now >= level.ends) this.end(new Unwind(lateFault(level)), level)
      if (level.over !== null) throw level.over
    }
  }

  async #inner(level: TransactionLevel, name: Sql, body: () => Promise<void>): Promise<void> {
    try {
      await body()
      this.check()
      await this.#turn(async () => this.#send(sql`release savepoint ${name}`))
      this.#leave(level)
    } catch (error) {
      this.#leave(level)
      // What ends the outermost block undoes this one too.
      if (this.#levels[0]?.over !== null) throw error
      await this.#turn(() => this.#undoTo(name))
      throw error instanceof Unwind && error === level.over && error.fault !== null ? error.fault : error
    }
  }

  #leave(level: TransactionLevel): void {
    const at = this.#levels.indexOf(level)
    if (at >= 0) this.#levels.splice(at, 1)
  }

  #turn<T>(body: () => Promise<T>): Promise<T> {
    const done = this.#last.then(body)
    // Whoever asked gets the failure; the next turn only waits for the end of this one.
    this.#last = done.catch(() => undefined)
    return done
  }

  #send(command: Sql): void {
    // Where it fails, so does what is sent behind it.
    this.#open.command(toStatement(command)).catch(() => undefined)
  }

  /** @throws Unwind for a failure of a statement that is one of the whole block, else the failure */
  #judge(error: unknown): never {
    if (error instanceof DatabaseFailure) {
      if (error.answer.code === 'UNREACHABLE') throw this.end(new Unwind(brokenFault(error)))
      // Its time was the block's.
      if (error.answer.code === 'TIMEOUT') this.check()
    }
    throw error
  }

  async #undoTo(savepoint: Sql): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_done, reject) => {
      timer = setTimeout(() => reject(new Error('the transaction does not answer')), UNDO)
    })
    try {
      const undone = this.#open.command(
        toStatement(sql`rollback to savepoint ${savepoint}; release savepoint ${savepoint}`),
      )
      await Promise.race([undone, late])
    } catch (error) {
      if (error instanceof Unwind) throw error
      // Nobody knows what state it is in.
      throw this.end(new Unwind(brokenFault(error)))
    } finally {
      clearTimeout(timer)
    }
  }
}

/** What a block fails with whose time is up. */
export function lateFault({ timeout }: TransactionLevel): LiquidFault {
  return new LiquidFault(`the transaction took longer than its ${timeout} seconds, and was undone`)
}

function brokenFault(cause: unknown): LiquidFault {
  const fault = new LiquidFault(
    'the connection to the database broke in the middle of the transaction, which was undone',
  )
  fault.cause = cause
  return fault
}
