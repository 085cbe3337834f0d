/** Retries changes that were certainly not made. Changes whose answer was lost are never retried. */
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodeOf } from '../../core/error-code.ts'
import type { Primary } from './primary.ts'
import { NOT_SERVED } from './socket.ts'

/** Error codes of connections that were not opened or had already ended, and of servers that reject changes. */
const UNSENT_CODES: ReadonlySet<string | null> = new Set([
  NOT_SERVED,
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // The server turned out to be a copy.
  'CONNECTION_DESTROYED',
  '57P03',
  '25006',
  // The end of an earlier connection. The client reports a closed connection to a running statement, and passes the last error of the
  // database
  // to the first statement that waits for the next connection. That statement was not sent.
  '57P01',
  '57P02',
])

/** Milliseconds before each further attempt. */
const PAUSES = [20, 100, 300, 300]

/**
 * Retries an attempt that was not sent. While the primary is away or read-only, the next attempt waits for it.
 * @param primary undefined when no primary is watched; then there is only one attempt
 * @param isRepeatable returns whether the attempt can be repeated
 * @throws the error of the last attempt
 */
export function retryUnsent<T>(
  attempt: () => Promise<T>,
  primary: Primary | undefined,
  isRepeatable: () => boolean = () => true,
  previousAttempts = 0,
): Promise<T> {
  if (primary === undefined) return attempt()
  return attempt().catch(async (error: unknown) => {
    const pause = PAUSES[previousAttempts]
    if (pause === undefined || !UNSENT_CODES.has(errorCodeOf(error)) || !isRepeatable()) throw error
    primary.suspect()
    await sleep(pause)
    await primary.ready()
    return retryUnsent(attempt, primary, isRepeatable, previousAttempts + 1)
  })
}
