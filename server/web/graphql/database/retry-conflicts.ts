/** Repeats transactions that the database has rolled back, because another transaction changed the same rows in another order. */
import { setTimeout as sleep } from 'node:timers/promises'
import { QueryError } from '../../../../runtime/data/query/problem.ts'
import { CONFLICT } from './database-error.ts'

/** Milliseconds: the longest pause before each further attempt. Pauses are random, so that transactions do not begin together. */
const PAUSES = [20, 50, 100, 200, 400, 400]

/**
 * Runs a transaction again when it conflicts with another one.
 * @param attempt runs the whole transaction; a failed one has no effects. Repeated ones run in turn, because they would meet again.
 * @throws the error of the last attempt
 */
export async function retryConflicts<T>(attempt: (inTurn: boolean) => Promise<T>): Promise<T> {
  for (const [at, pause] of PAUSES.entries()) {
    try {
      return await attempt(at > 0)
    } catch (error) {
      if (!isConflict(error)) throw error
      await sleep(Math.random() * pause)
    }
  }
  return attempt(true)
}

function isConflict(error: unknown): boolean {
  return error instanceof QueryError && error.problems.some(({ details }) => details?.['code'] === CONFLICT)
}
