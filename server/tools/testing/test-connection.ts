/**
 * A connection on which tests run one after the other, each in a transaction that is rolled back at its end. For the code under test it
 * looks like a database client: transactions are savepoints, and a failed statement is rolled back alone.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import { identifier, sql as statement, toStatement } from '../../../runtime/data/sql/sql.ts'
import { createSession } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { send } from '../../data/store/send.ts'
import { beginStatement, TransactionSession } from '../../data/store/transaction-session.ts'
import { Turns } from '../../core/turns.ts'

/** Thrown to roll back the transaction of a test. */
class Rollback extends Error {}

/** A query of the client, which is sent when `then` is called. */
interface Thenable {
  then: Promise<unknown>['then']
}

/** Called with each statement and its rows. */
export type StatementObserver = (text: string, rows: unknown) => void

export class TestConnection {
  /** The client for tests. It accepts no statement outside of `runAndRollBack`. */
  readonly sql: Sql
  readonly #url: string
  readonly #observe: StatementObserver
  #session: TransactionSession
  #open: TransactionSql | null = null
  #savepoints = 0
  /** Set in code that runs inside of a transaction of the test, and need not wait for its end. */
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #turns = new Turns()

  /** @param url in the format of `DATABASE_URL` */
  constructor(url: string, observe: StatementObserver = () => undefined) {
    this.#url = url
    this.#observe = observe
    this.#session = this.#connect()
    this.sql = this.#client()
  }

  /** Runs `body` in a transaction that is rolled back, and returns its result. @throws the errors of `body` */
  async runAndRollBack<T>(body: () => Promise<T>): Promise<T> {
    if (this.#session.isBroken) {
      this.#session.drop()
      this.#session = this.#connect()
    }
    const results: T[] = []
    try {
      await this.#session.run(beginStatement(''), async (transaction) => {
        this.#open = transaction
        try {
          results.push(await body())
        } finally {
          this.#open = null
        }
        throw new Rollback()
      })
    } catch (error) {
      if (!(error instanceof Rollback)) throw error
    }
    for (const result of results) return result
    throw new Error('the transaction ended before the test')
  }

  /** Runs `body` inside of `runAndRollBack`, and rolls back its changes. Calls wait for each other. @throws the errors of `body` */
  async runPartAndRollBack<T>(body: () => Promise<T>): Promise<T> {
    const name = identifier(`ingot_part_${++this.#savepoints}`)
    await this.#inTurn(() => send(this.#requireOpen(), toStatement(statement`savepoint ${name}`)))
    try {
      return await body()
    } finally {
      await this.#inTurn(() => send(this.#requireOpen(), toStatement(statement`rollback to savepoint ${name}`)))
    }
  }

  async close(): Promise<void> {
    await this.#session.end(1)
  }

  #connect(): TransactionSession {
    return new TransactionSession((onclose) =>
      createSession(readDatabaseUrl(this.#url, 'DATABASE_URL'), 'ingot test', onclose),
    )
  }

  #client(): Sql {
    const intercept = (make: (open: TransactionSql) => object): object => {
      const made = make(this.#requireOpen())
      // Only queries of the client have a `then`.
      return 'then' in made ? this.#rollBackAlone(made as PendingQuery<Row[]>) : made
    }
    const own: Readonly<Record<string, unknown>> = {
      unsafe: (...args: readonly unknown[]) => intercept((open) => callMethod(open, 'unsafe', args)),
      begin: (first: unknown, second?: unknown) => this.#begin((second ?? first) as (sql: TransactionSql) => unknown),
      listen: async () => ({ unlisten: async () => undefined, state: {} }),
      end: async () => undefined,
    }
    // The proxy answers all uses of a client; the target only makes it callable.
    return new Proxy(function client() {} as unknown as Sql, {
      apply: (_, __, args) => intercept((open) => Reflect.apply(open as never, undefined, args) as object),
      get: (_, name) => {
        if (Object.hasOwn(own, name)) return own[name as string]
        return name === 'then' ? undefined : (Reflect.get(this.#requireOpen(), name) as unknown)
      },
    })
  }

  #requireOpen(): TransactionSql {
    if (this.#open === null) throw Object.assign(new Error('The test has ended.'), { code: 'CONNECTION_ENDED' })
    return this.#open
  }

  /** Wraps a statement in a savepoint, so that the transaction stays usable when it fails. */
  #rollBackAlone<T extends PendingQuery<Row[]>>(query: T): T {
    const thenable = query as unknown as Thenable
    const then = thenable.then.bind(query)
    // biome-ignore lint/suspicious/noThenProperty: the client sends a query when its `then` is called.
    thenable.then = (done, failed) =>
      this.#inTurn(async () => {
        const open = this.#requireOpen()
        const name = identifier(`ingot_statement_${++this.#savepoints}`)
        // Sent together with the statement, which also fails if the savepoint fails.
        send(open, toStatement(statement`savepoint ${name}`)).catch(() => undefined)
        try {
          const rows = await new Promise<unknown>((resolve, reject) => then(resolve, reject))
          // Not awaited: if the connection is broken, the next statement of the test fails.
          send(open, toStatement(statement`release savepoint ${name}`)).catch(() => undefined)
          this.#observe(queryText(query), rows)
          return rows
        } catch (error) {
          // Errors are ignored, because the statement's error is thrown, and a broken connection has no savepoints.
          await send(open, toStatement(statement`rollback to savepoint ${name}`)).catch(() => undefined)
          throw error
        }
      }).then(done, failed)
    return query
  }

  #begin(body: (sql: TransactionSql) => unknown): Promise<unknown> {
    return this.#inTurn(() =>
      this.#requireOpen().savepoint((inner) => this.#inside.run(true, async () => body(this.#observed(inner)))),
    )
  }

  /** Wraps a transaction, so that the observer gets its statements. */
  #observed(open: TransactionSql): TransactionSql {
    const observe = (made: object): object => {
      if (!('then' in made)) return made
      const query = made as PendingQuery<Row[]>
      const thenable = query as unknown as Thenable
      const then = thenable.then.bind(query)
      // biome-ignore lint/suspicious/noThenProperty: as above.
      thenable.then = (done, failed) =>
        then((rows: unknown) => {
          this.#observe(queryText(query), rows)
          return rows
        }).then(done, failed)
      return query
    }
    return new Proxy(open, {
      apply: (target, _, args) => observe(Reflect.apply(target as never, undefined, args) as object),
      get: (target, name) => {
        if (name === 'unsafe') return (...args: readonly unknown[]) => observe(callMethod(target, name, args))
        if (name === 'savepoint')
          return (...args: readonly unknown[]) =>
            target.savepoint((inner) => (args.at(-1) as (sql: TransactionSql) => unknown)(this.#observed(inner)))
        return Reflect.get(target, name) as unknown
      },
    })
  }

  /** Runs statements and transactions one after the other, because overlapping savepoints would end each other. */
  #inTurn<T>(act: () => PromiseLike<T> | T): Promise<T> {
    if (this.#inside.getStore() === true) return Promise.resolve(act())
    return this.#turns.run(act)
  }
}

/** Returns the text of a sent query. */
function queryText(query: PendingQuery<Row[]>): string {
  const { strings } = query as unknown as { readonly strings?: readonly string[] }
  return strings?.join('$') ?? ''
}

function callMethod(open: TransactionSql, name: 'unsafe', args: readonly unknown[]): object {
  return Reflect.apply(Reflect.get(open, name) as never, open, args) as object
}
