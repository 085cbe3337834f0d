/**
 * A connection on which tests run, one after the other, each in a transaction that is undone at its end. To all that a test reaches it
 * looks like the client of a database: a transaction is a savepoint, and a statement that fails is undone alone.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'
import { identifier, sql as statement, toStatement } from '../../../runtime/data/sql/sql.ts'
import { createSession } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { send } from '../../data/store/send.ts'
import { beginStatement, TransactionSession } from '../../data/store/transaction-session.ts'

/** Ends the transaction of a test, whatever came of it. */
class Undone extends Error {}

/** A query of the client, which is sent when `then` is called. */
interface Thenable {
  then: Promise<unknown>['then']
}

/** Told of each statement that was answered. */
export type LaneObserver = (text: string, rows: unknown) => void

export class Lane {
  /** The client that tests see. Outside of `undone` it takes no statement. */
  readonly sql: Sql
  readonly #url: string
  readonly #observe: LaneObserver
  #session: TransactionSession
  #open: TransactionSql | null = null
  #savepoints = 0
  /** Whoever is inside a transaction of the test, and so need not wait for its end. */
  readonly #inside = new AsyncLocalStorage<true>()
  #last: Promise<unknown> = Promise.resolve()

  /** @param url as in `DATABASE_URL` */
  constructor(url: string, observe: LaneObserver = () => undefined) {
    this.#url = url
    this.#observe = observe
    this.#session = this.#connect()
    this.sql = this.#client()
  }

  /** Runs `body` in a transaction that is undone, and gives what it gives. @throws what it throws */
  async undone<T>(body: () => Promise<T>): Promise<T> {
    if (this.#session.broken) {
      this.#session.drop()
      this.#session = this.#connect()
    }
    let ended: { readonly value: T } | null = null
    try {
      await this.#session.run(beginStatement(''), async (transaction) => {
        this.#open = transaction
        try {
          ended = { value: await body() }
        } finally {
          this.#open = null
        }
        throw new Undone()
      })
    } catch (error) {
      if (!(error instanceof Undone)) throw error
    }
    return (ended as { readonly value: T } | null)?.value as T
  }

  /** Undoes what `body` writes inside of `undone`, one `body` after the other. @throws what it throws */
  async part<T>(body: () => Promise<T>): Promise<T> {
    const name = identifier(`ingot_part_${++this.#savepoints}`)
    await this.#inTurn(() => send(this.#required(), toStatement(statement`savepoint ${name}`)))
    try {
      return await body()
    } finally {
      await this.#inTurn(() => send(this.#required(), toStatement(statement`rollback to savepoint ${name}`)))
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
    const asked = (make: (open: TransactionSql) => object): object => {
      const made = make(this.#required())
      return 'then' in made ? this.#undoneAlone(made as PendingQuery<Row[]>) : made
    }
    const own: Readonly<Record<string, unknown>> = {
      unsafe: (...args: readonly unknown[]) => asked((open) => called(open, 'unsafe', args)),
      begin: (first: unknown, second?: unknown) => this.#begin((second ?? first) as (sql: TransactionSql) => unknown),
      listen: async () => ({ unlisten: async () => undefined, state: {} }),
      end: async () => undefined,
    }
    return new Proxy(function client() {} as unknown as Sql, {
      apply: (_, __, args) => asked((open) => Reflect.apply(open as never, undefined, args) as object),
      get: (_, name) => {
        if (Object.hasOwn(own, name)) return own[name as string]
        return name === 'then' ? undefined : (Reflect.get(this.#required(), name) as unknown)
      },
    })
  }

  #required(): TransactionSql {
    if (this.#open === null) throw Object.assign(new Error('The test is over.'), { code: 'CONNECTION_ENDED' })
    return this.#open
  }

  /** A statement that leaves the transaction as it was where it fails. */
  #undoneAlone<T extends PendingQuery<Row[]>>(query: T): T {
    const thenable = query as unknown as Thenable
    const then = thenable.then.bind(query)
    // biome-ignore lint/suspicious/noThenProperty: the client sends a query when its `then` is called.
    thenable.then = (done, failed) =>
      this.#inTurn(async () => {
        const open = this.#required()
        const name = identifier(`ingot_statement_${++this.#savepoints}`)
        // Sent together with the statement, which fails as well where this does.
        send(open, toStatement(statement`savepoint ${name}`)).catch(() => undefined)
        try {
          const rows = await new Promise<unknown>((resolve, reject) => then(resolve, reject))
          // Sent without waiting: where the connection broke, the next statement of the test fails and tells it.
          send(open, toStatement(statement`release savepoint ${name}`)).catch(() => undefined)
          this.#observe(textOf(query), rows)
          return rows
        } catch (error) {
          // The error of the statement is the one to tell; without its connection there is nothing to go back to.
          await send(open, toStatement(statement`rollback to savepoint ${name}`)).catch(() => undefined)
          throw error
        }
      }).then(done, failed)
    return query
  }

  #begin(body: (sql: TransactionSql) => unknown): Promise<unknown> {
    return this.#inTurn(() =>
      this.#required().savepoint((inner) => this.#inside.run(true, async () => body(this.#observed(inner)))),
    )
  }

  /** The statements of a transaction, of which the observer is told. */
  #observed(open: TransactionSql): TransactionSql {
    const told = (made: object): object => {
      if (!('then' in made)) return made
      const query = made as PendingQuery<Row[]>
      const thenable = query as unknown as Thenable
      const then = thenable.then.bind(query)
      // biome-ignore lint/suspicious/noThenProperty: as above.
      thenable.then = (done, failed) =>
        then((rows: unknown) => {
          this.#observe(textOf(query), rows)
          return rows
        }).then(done, failed)
      return query
    }
    return new Proxy(open, {
      apply: (target, _, args) => told(Reflect.apply(target as never, undefined, args) as object),
      get: (target, name) => {
        if (name === 'unsafe') return (...args: readonly unknown[]) => told(called(target, name, args))
        if (name === 'savepoint')
          return (...args: readonly unknown[]) =>
            target.savepoint((inner) => (args.at(-1) as (sql: TransactionSql) => unknown)(this.#observed(inner)))
        return Reflect.get(target, name) as unknown
      },
    })
  }

  /** One statement or transaction after the other: savepoints that overlap would end each other. */
  #inTurn<T>(act: () => PromiseLike<T> | T): Promise<T> {
    if (this.#inside.getStore() === true) return Promise.resolve(act())
    const done = this.#last.then(() => act())
    // Whoever sent it is told of its failure; the next one only waits for its end.
    this.#last = done.catch(() => undefined)
    return done
  }
}

/** The text of a query that was sent. */
function textOf(query: PendingQuery<Row[]>): string {
  const { strings } = query as unknown as { readonly strings?: readonly string[] }
  return strings?.join('$') ?? ''
}

function called(open: TransactionSql, name: 'unsafe', args: readonly unknown[]): object {
  return Reflect.apply(Reflect.get(open, name) as never, open, args) as object
}
