/**
 * A database session that runs one transaction at a time. After its connection is lost, it accepts no further statements and rejects the
 * pending ones.
 */
import type { Sql, TransactionSql } from 'postgres'
import { identifier, sql as statement, type SqlStatement, toStatement } from '../../../runtime/data/sql/sql.ts'
import { send } from './send.ts'

const READ_WRITE = toStatement(statement`begin`)
/** The supported transaction modes, each with the statement that begins it. */
const MODES: ReadonlyMap<string, SqlStatement> = new Map([
  ['', READ_WRITE],
  ['read only', toStatement(statement`begin read only`)],
  [
    'isolation level repeatable read read only',
    toStatement(statement`begin isolation level repeatable read read only`),
  ],
])
const COMMIT = toStatement(statement`commit`)
const ROLLBACK = toStatement(statement`rollback`)

/**
 * The statement that begins a transaction.
 * @param mode what follows `begin` in SQL
 * @throws TypeError for an unsupported mode
 */
export function beginStatement(mode: string): SqlStatement {
  const statement = MODES.get(mode)
  if (statement === undefined) throw new TypeError(`There is no transaction mode '${mode}'.`)
  return statement
}

/** A function that runs the statements of a transaction with its client. */
export type TransactionBody<T> = (sql: TransactionSql) => Promise<T>

/** A query of the client, which is sent when `then` is called. */
interface Thenable {
  then: Promise<unknown>['then']
}

export class TransactionSession {
  readonly #sql: Sql
  readonly #createdAt = performance.now()
  /** Rejects the statements that have no answer yet. */
  readonly #pending = new Set<(error: Error) => void>()
  #broken = false
  #savepoints = 0

  /**
   * Creates a session.
   * @param open creates a client of one connection; `onclose` is called when the connection is lost
   */
  constructor(open: (onclose: () => void) => Sql) {
    this.#sql = open(() => {
      this.#broken = true
      for (const fail of this.#pending) fail(connectionLost())
    })
  }

  /** Whether the connection is lost, or in an unknown state. */
  get isBroken(): boolean {
    return this.#broken
  }

  /** Milliseconds since the session was created. */
  get age(): number {
    return performance.now() - this.#createdAt
  }

  /**
   * Runs a transaction, and rolls it back when `body` rejects.
   * @param begin from `beginStatement`
   */
  async run<T>(begin: SqlStatement, body: TransactionBody<T>): Promise<T> {
    try {
      await this.#send(begin)
      // The database reports this with its answer when it has become read-only.
      if (begin === READ_WRITE && String(this.#sql.parameters.default_transaction_read_only) === 'on') throw readOnly()
      const result = await body(this.#guardedClient())
      this.#requireConnection()
      const { command } = await this.#send(COMMIT)
      // PostgreSQL answers with `ROLLBACK` when a statement failed and the error was caught.
      if (command === 'ROLLBACK')
        throw new Error(
          'A statement of the transaction failed, but its error was caught. The transaction was rolled back.',
        )
      return result
    } catch (error) {
      await this.#rollBack()
      throw error
    }
  }

  /**
   * Closes the connection.
   * @param timeout seconds that an open transaction is waited for
   */
  async end(timeout: number): Promise<void> {
    await this.#sql.end({ timeout })
  }

  /** Closes the connection at once. The session is not used again. */
  drop(): void {
    this.#broken = true
    // No statement is running, so errors of a lost connection can be ignored.
    void this.#sql.end({ timeout: 0 }).catch(() => undefined)
  }

  async #rollBack(): Promise<void> {
    if (this.#broken) return
    try {
      await this.#send(ROLLBACK)
    } catch {
      // The caller gets the first error. The state of the session is unknown, so it is not used again.
      this.#broken = true
    }
  }

  #requireConnection(): void {
    if (this.#broken) throw connectionLost()
  }

  #send(command: SqlStatement) {
    return this.#ensureSettles(send(this.#sql, command))
  }

  /**
   * Ensures that a query settles. Between the error and the end of a connection, the client accepts queries that it never
   * answers; they are rejected when the connection is closed.
   */
  #ensureSettles<T extends object>(query: T): T {
    // The client's types do not let `then` be replaced.
    const thenable: Thenable = query as unknown as Thenable
    const then = thenable.then.bind(query)
    // biome-ignore lint/suspicious/noThenProperty: the client sends a query when its `then` is called.
    thenable.then = (done, failed) =>
      new Promise<unknown>((resolve, reject) => {
        if (this.#broken) {
          reject(connectionLost())
          return
        }
        this.#pending.add(reject)
        then(
          (value) => {
            this.#pending.delete(reject)
            resolve(value)
          },
          (error: unknown) => {
            this.#pending.delete(reject)
            reject(error)
          },
        )
      }).then(done, failed)
    return query
  }

  /** The session's client, which refuses queries after the connection is lost. */
  #guardedClient(): TransactionSql {
    const callClient = (make: (...args: never) => object, args: readonly unknown[]): object => {
      this.#requireConnection()
      const result: object = Reflect.apply(make, this.#sql, args)
      // The client's helpers for lists of names and values are called in the same way, but are not queries.
      return 'then' in result ? this.#ensureSettles(result) : result
    }
    // The proxy adds `savepoint`, which a plain client lacks.
    return new Proxy(this.#sql as unknown as TransactionSql, {
      apply: (target, _, args) => callClient(target, args),
      get: (target, name) => {
        // Called by `send.ts`.
        if (name === 'unsafe') return (...args: readonly unknown[]) => callClient(Reflect.get(target, name), args)
        if (name === 'savepoint') return (...args: readonly unknown[]) => this.#savepoint(args.at(-1))
        return Reflect.get(target, name)
      },
    })
  }

  async #savepoint(body: unknown): Promise<unknown> {
    if (typeof body !== 'function') throw new TypeError('A savepoint needs a function.')
    const name = identifier(`s${++this.#savepoints}`)
    this.#requireConnection()
    await this.#send(toStatement(statement`savepoint ${name}`))
    try {
      const result: unknown = await body(this.#guardedClient())
      this.#requireConnection()
      await this.#send(toStatement(statement`release savepoint ${name}`))
      return result
    } catch (error) {
      if (!this.#broken) await this.#send(toStatement(statement`rollback to savepoint ${name}`))
      throw error
    }
  }
}

function readOnly(): Error {
  return Object.assign(new Error('The database is read-only.'), { code: '25006' })
}

function connectionLost(): Error {
  return Object.assign(new Error('The connection was lost during a transaction, which was rolled back.'), {
    code: 'CONNECTION_CLOSED',
  })
}
