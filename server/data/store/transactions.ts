/**
 * A pool of sessions for transactions. The client's own `begin` is not used, for two reasons. It writes to a connection that was lost
 * between
 * two statements, which ends the process. And a client that reconnects would run the rest of the transaction outside of any transaction.
 */
import type { Sql } from 'postgres'
import { beginStatement, type TransactionBody, TransactionSession } from './transaction-session.ts'

/** Milliseconds after which an unused session is closed. */
const IDLE_TIMEOUT = 300_000
/** Milliseconds after which a session is not used again. */
const MAX_AGE = 2_700_000

interface UnusedSession {
  readonly session: TransactionSession
  /** Closes the session. */
  readonly timer: NodeJS.Timeout
}

export class TransactionPool {
  readonly #open: (onclose: () => void) => Sql
  readonly #limit: number
  readonly #all = new Set<TransactionSession>()
  /** The most recently used session is the last one. */
  readonly #free: UnusedSession[] = []
  readonly #waiting: ((session: TransactionSession) => void)[] = []

  /**
   * Creates a pool.
   * @param open creates a client of one connection that does not close it automatically; `onclose` is called when the connection is lost
   * @param limit maximum number of concurrent transactions; further ones wait
   */
  constructor(open: (onclose: () => void) => Sql, limit: number) {
    this.#open = open
    this.#limit = limit
  }

  /** Sessions in use. */
  get busy(): number {
    return this.#all.size - this.#free.length
  }

  /** Transactions that wait for a session. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Runs `body` in a transaction, which is rolled back when it rejects.
   * @param mode what follows `begin` in SQL
   * @throws TypeError for an unsupported mode
   */
  async begin<T>(mode: string, body: TransactionBody<T>): Promise<T> {
    const begin = beginStatement(mode)
    const session = await this.#acquire()
    try {
      return await session.run(begin, body)
    } finally {
      this.#release(session)
    }
  }

  /**
   * Closes all sessions.
   * @param timeout milliseconds that open transactions are waited for
   */
  async end(timeout: number): Promise<void> {
    for (const { timer } of this.#free) clearTimeout(timer)
    await Promise.all([...this.#all].map((session) => session.end(timeout / 1000)))
  }

  #acquire(): Promise<TransactionSession> {
    for (let unused = this.#free.pop(); unused !== undefined; unused = this.#free.pop()) {
      clearTimeout(unused.timer)
      if (!unused.session.isBroken) return Promise.resolve(unused.session)
      this.#drop(unused.session)
    }
    if (this.#all.size < this.#limit) return Promise.resolve(this.#create())
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #release(session: TransactionSession): void {
    const isUsable = !session.isBroken && session.age < MAX_AGE
    if (!isUsable) this.#drop(session)
    const next = this.#waiting.shift()
    if (next !== undefined) next(isUsable ? session : this.#create())
    else if (isUsable) this.#free.push({ session, timer: setTimeout(() => this.#drop(session), IDLE_TIMEOUT).unref() })
  }

  #create(): TransactionSession {
    const session = new TransactionSession(this.#open)
    this.#all.add(session)
    return session
  }

  #drop(session: TransactionSession): void {
    this.#all.delete(session)
    const at = this.#free.findIndex((unused) => unused.session === session)
    if (at >= 0) this.#free.splice(at, 1)
    session.drop()
  }
}
