/** Checks on a separate connection whether the database answers and has the tables of this version. */
import type { Sql } from 'postgres'
import { createClient } from '../../data/store/connection.ts'
import { type Address, readDatabaseUrl } from '../../data/store/database-url.ts'
import { failureOf } from '../../data/store/failure.ts'
import { countMissingMigrations } from '../../data/store/migrate.ts'
import type { DatabaseCheck, DatabaseProblem } from './health.ts'

/** Milliseconds after which the database counts as unreachable. The shorter time leaves time to ask a replica. */
const TIMEOUT = 2_000
const TIMEOUT_WITH_REPLICA = 1_000

const MESSAGES: Readonly<Record<string, string>> = {
  away: 'the database cannot be reached',
  starting: 'the database is starting up',
  crowded: 'the database accepts no more connections',
  full: 'the disk of the database is full',
}

export interface OpenedCheck extends DatabaseCheck {
  /** Runs a query; returns null when it fails or takes too long. */
  ask<T>(question: (sql: Sql) => Promise<T>): Promise<T | null>
  close(): Promise<void>
}

/**
 * Creates the check. Its connection opens with the first query. It does not use the pool of pages, because the database may be available
 * while all connections of the pool are busy.
 * @param replicaUrl URL of a read replica for the time when the database is unreachable; null for none
 */
export function createDatabaseCheck(url: string, replicaUrl: string | null = null): OpenedCheck {
  const address = readDatabaseUrl(url, 'DATABASE_URL')
  if (replicaUrl === null) return checkServer(address, TIMEOUT, false)
  const primary = checkServer(address, TIMEOUT_WITH_REPLICA, false)
  const replica = checkServer(readDatabaseUrl(replicaUrl, 'DATABASE_REPLICA_URL'), TIMEOUT_WITH_REPLICA, true)
  return {
    ask: (question) => primary.ask(question),
    async problem() {
      const problem = await primary.problem()
      return problem === null ? null : { ...problem, isReadable: (await replica.problem()) === null }
    },
    async close() {
      await Promise.all([primary.close(), replica.close()])
    },
  }
}

function checkServer(address: Address, timeout: number, copy: boolean): OpenedCheck {
  let sql: Sql | null = null
  const open = (): Sql => (sql ??= createClient(address, { pool: 1, name: 'ingot health', copy }))

  async function findMissingSteps(sql: Sql): Promise<DatabaseProblem | null> {
    const steps = await countMissingMigrations(sql)
    if (steps === 0) return null
    const message = 'the database lacks tables of this version'
    return { message, logged: `${message}: ${steps} migration steps have not run`, isReadable: false }
  }

  /** Drops a client that got no answer: it may wait on a dead connection, so the next query gets a new client. */
  function drop(): void {
    void sql?.end({ timeout: 0 }).catch(() => undefined)
    sql = null
  }

  async function withTimeout<T>(question: Promise<T>, late: T): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<T>((resolve) => {
      timer = setTimeout(() => {
        drop()
        resolve(late)
      }, timeout)
    })
    try {
      return await Promise.race([question, over])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    problem: () =>
      withTimeout(findMissingSteps(open()).catch(problemOf), {
        message: 'the database does not answer',
        logged: `the database did not answer within ${timeout} ms`,
        isReadable: false,
      }),
    ask: (question) =>
      withTimeout(
        question(open()).catch(() => null),
        null,
      ),
    async close() {
      await sql?.end({ timeout: 0 })
    },
  }
}

function problemOf(error: unknown): DatabaseProblem {
  const failure = failureOf(error)
  const message = (failure === null ? undefined : MESSAGES[failure.kind]) ?? 'the database reports an error'
  const logged = failure?.sentence ?? (error instanceof Error ? error.message : String(error))
  return { message, logged, isReadable: false }
}
