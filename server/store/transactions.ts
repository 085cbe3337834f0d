/**
 * Transactions, each on a connection that nothing else uses meanwhile. The client's own `begin` writes to a connection that
 * broke between two statements, which ends the process; and a client that connects again would run the rest of a broken
 * transaction outside of any. Here a transaction whose connection broke takes no further statement, and leaves none unanswered.
 */
import type { Sql, TransactionSql } from 'postgres'
import { identifier, sql as statement, type SqlStatement, toStatement } from '../../runtime/data/sql/sql.ts'
import { send } from './send.ts'

export interface Transactions {
  /**
   * Runs `body` in a transaction; a rejection undoes it.
   * @param mode one of `MODES`
   * @throws TypeError for another
   */
  begin<T>(mode: string, body: (sql: TransactionSql) => Promise<T>): Promise<T>
  /** Milliseconds that open ones get. */
  end(timeout: number): Promise<void>
}

interface Session {
  readonly sql: Sql
  readonly born: number
  /** What ends the waiting for each statement that has no answer yet. */
  readonly asked: Set<(error: Error) => void>
  /** Its connection is gone, or in a state that nobody knows. */
  broken: boolean
  /** Ends it when it was not used for long. */
  idle: NodeJS.Timeout | null
  savepoints: number
}

/** What a transaction can be, and what it begins with. */
const MODES: ReadonlyMap<string, SqlStatement> = new Map([
  ['', toStatement(statement`begin`)],
  ['read only', toStatement(statement`begin read only`)],
  [
    'isolation level repeatable read read only',
    toStatement(statement`begin isolation level repeatable read read only`),
  ],
])
const COMMIT = toStatement(statement`commit`)
const ROLLBACK = toStatement(statement`rollback`)

/** Milliseconds. */
const IDLE = 300_000
const LIFETIME = 2_700_000

/**
 * @param open makes a client of one connection that never ends it by itself; `onclose` is called when it is lost
 * @param limit transactions at once; others wait for their turn
 */
export function createTransactions(open: (onclose: () => void) => Sql, limit: number): Transactions {
  const free: Session[] = []
  const all = new Set<Session>()
  const waiting: ((session: Session) => void)[] = []

  function made(): Session {
    const session: Session = {
      sql: open(() => {
        session.broken = true
        for (const fail of session.asked) fail(broken())
      }),
      born: performance.now(),
      asked: new Set(),
      broken: false,
      idle: null,
      savepoints: 0,
    }
    all.add(session)
    return session
  }

  function take(): Promise<Session> {
    for (let session = free.pop(); session !== undefined; session = free.pop()) {
      if (session.idle !== null) clearTimeout(session.idle)
      if (!session.broken) return Promise.resolve(session)
      drop(session)
    }
    if (all.size < limit) return Promise.resolve(made())
    return new Promise((done) => waiting.push(done))
  }

  function give(session: Session): void {
    const usable = !session.broken && performance.now() - session.born < LIFETIME
    if (!usable) drop(session)
    const next = waiting.shift()
    if (next !== undefined) next(usable ? session : made())
    else if (usable) {
      session.idle = setTimeout(() => drop(session), IDLE).unref()
      free.push(session)
    }
  }

  function drop(session: Session): void {
    session.broken = true
    all.delete(session)
    const at = free.indexOf(session)
    if (at >= 0) free.splice(at, 1)
    // It is broken already, and no other statement is sent on it.
    void session.sql.end({ timeout: 0 }).catch(() => undefined)
  }

  async function run<T>(session: Session, begin: SqlStatement, body: (sql: TransactionSql) => Promise<T>): Promise<T> {
    await ask(session, begin)
    const result = await body(guarded(session))
    requireWhole(session)
    const { command } = await ask(session, COMMIT)
    // The answer to the commit of a transaction in which a statement failed.
    if (command === 'ROLLBACK')
      throw new Error('A statement of the transaction failed unseen, and all of it was undone.')
    return result
  }

  return {
    async begin(mode, body) {
      const opening = MODES.get(mode)
      if (opening === undefined) throw new TypeError(`No transaction is '${mode}'.`)
      const session = await take()
      try {
        return await run(session, opening, body)
      } catch (error) {
        await undo(session)
        throw error
      } finally {
        give(session)
      }
    },
    async end(timeout) {
      const sessions = [...all]
      for (const session of sessions) if (session.idle !== null) clearTimeout(session.idle)
      await Promise.all(sessions.map(({ sql }) => sql.end({ timeout: timeout / 1000 })))
    },
  }
}

async function undo(session: Session): Promise<void> {
  if (session.broken) return
  try {
    await ask(session, ROLLBACK)
  } catch {
    // Nobody knows what state it is in.
    session.broken = true
  }
}

function requireWhole(session: Session): void {
  if (session.broken) throw broken()
}

function broken(): Error {
  return Object.assign(new Error('The connection broke in the middle of a transaction, which was undone.'), {
    code: 'CONNECTION_CLOSED',
  })
}

function ask(session: Session, command: SqlStatement) {
  return answered(session, send(session.sql, command))
}

/** What the client makes of a statement: asked when somebody waits for it. */
interface Thenable {
  then: Promise<unknown>['then']
}

/**
 * Makes sure that a statement comes to an end. Between the error and the end of a connection the client takes statements
 * that it never answers: they fail with the connection.
 */
function answered<T extends object>(session: Session, statement: T): T {
  const asked: Thenable = statement as unknown as Thenable
  const then = asked.then.bind(statement)
  // biome-ignore lint/suspicious/noThenProperty: the client's statements are thenables, which begin by it.
  asked.then = (done, failed) =>
    new Promise<unknown>((resolve, reject) => {
      if (session.broken) {
        reject(broken())
        return
      }
      session.asked.add(reject)
      then(
        (value) => {
          session.asked.delete(reject)
          resolve(value)
        },
        (error: unknown) => {
          session.asked.delete(reject)
          reject(error)
        },
      )
    }).then(done, failed)
  return statement
}

/** The session's client, which refuses statements once the connection is gone. */
function guarded(session: Session): TransactionSql {
  const { sql } = session
  const called = (make: (...args: never) => object, args: readonly unknown[]): object => {
    requireWhole(session)
    const made: object = Reflect.apply(make as never, sql, args)
    // Lists of names and values are made the same way, and are no statements.
    return 'then' in made ? answered(session, made) : made
  }
  return new Proxy(sql as unknown as TransactionSql, {
    apply: (target, _, args) => called(target, args),
    get(target, name) {
      // What `send.ts` calls.
      if (name === 'unsafe') return (...args: readonly unknown[]) => called(Reflect.get(target, name), args)
      if (name === 'savepoint') return (...args: readonly unknown[]) => savepoint(session, args.at(-1))
      return Reflect.get(target, name) as unknown
    },
  })
}

async function savepoint(session: Session, body: unknown): Promise<unknown> {
  if (typeof body !== 'function') throw new TypeError('A savepoint needs a function.')
  const name = identifier(`s${++session.savepoints}`)
  requireWhole(session)
  await ask(session, toStatement(statement`savepoint ${name}`))
  try {
    const result: unknown = await body(guarded(session))
    requireWhole(session)
    await ask(session, toStatement(statement`release savepoint ${name}`))
    return result
  } catch (error) {
    if (!session.broken) await ask(session, toStatement(statement`rollback to savepoint ${name}`))
    throw error
  }
}
