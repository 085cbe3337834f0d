/** Asks the database whether it answers and has the tables of this version, over a connection of its own. */
import type { Sql } from 'postgres'
import { createClient } from '../../data/store/connection.ts'
import { type Address, readDatabaseUrl } from '../../data/store/database-url.ts'
import { failureOf } from '../../data/store/failure.ts'
import { missingSteps } from '../../data/store/migrate.ts'
import type { DatabaseCheck, DatabaseProblem } from './health.ts'

/** Milliseconds after which the database counts as away; where a copy can answer, it is asked within the same time. */
const TIMEOUT = 2_000
const TIMEOUT_BEFORE_COPY = 1_000

const TOLD: Readonly<Record<string, string>> = {
  away: 'the database cannot be reached',
  starting: 'the database is starting up',
  crowded: 'the database takes no more connections',
  full: 'the disk of the database is full',
}

export interface OpenedCheck extends DatabaseCheck {
  /** Asks something, null without an answer in time. */
  ask<T>(question: (sql: Sql) => Promise<T>): Promise<T | null>
  close(): Promise<void>
}

/**
 * Creates the check. Its connection opens with the first question. The pool of the pages is not asked: while all of its
 * connections are busy, the database is there all the same.
 * @param replicaUrl of a copy that answers what only reads while the database is away; null for none
 */
export function createDatabaseCheck(url: string, replicaUrl: string | null = null): OpenedCheck {
  const address = readDatabaseUrl(url, 'DATABASE_URL')
  if (replicaUrl === null) return checkOf(address, TIMEOUT, false)
  const home = checkOf(address, TIMEOUT_BEFORE_COPY, false)
  const copy = checkOf(readDatabaseUrl(replicaUrl, 'DATABASE_REPLICA_URL'), TIMEOUT_BEFORE_COPY, true)
  return {
    ask: (question) => home.ask(question),
    async problem() {
      const problem = await home.problem()
      return problem === null ? null : { ...problem, isReadable: (await copy.problem()) === null }
    },
    async close() {
      await Promise.all([home.close(), copy.close()])
    },
  }
}

function checkOf(address: Address, timeout: number, copy: boolean): OpenedCheck {
  let sql: Sql | null = null
  const open = (): Sql => (sql ??= createClient(address, { pool: 1, name: 'ingot health', copy }))

  async function missing(sql: Sql): Promise<DatabaseProblem | null> {
    const steps = await missingSteps(sql)
    if (steps === 0) return null
    const told = 'the database lacks tables of this version'
    return { told, logged: `${told}: ${steps} steps have not run there`, isReadable: false }
  }

  /** A client that got no answer may wait on a dead connection, so the next question gets a new one. */
  function drop(): void {
    void sql?.end({ timeout: 0 }).catch(() => undefined)
    sql = null
  }

  async function inTime<T>(question: Promise<T>, late: T): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<T>((done) => {
      timer = setTimeout(() => {
        drop()
        done(late)
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
      inTime(missing(open()).catch(problemOf), {
        told: 'the database does not answer',
        logged: `the database did not answer within ${timeout} ms`,
        isReadable: false,
      }),
    ask: (question) =>
      inTime(
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
  const told = (failure === null ? undefined : TOLD[failure.kind]) ?? 'the database refuses what it is asked'
  const logged = failure?.sentence ?? (error instanceof Error ? error.message : String(error))
  return { told, logged, isReadable: false }
}
