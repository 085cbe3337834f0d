/** Changes that certainly were not made: they are tried again, while changes whose answer was lost never are. */
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../core/error-code.ts'
import type { Primary } from './primary.ts'
import { NOT_SERVED } from './socket.ts'

/** Errors of connections that were not opened, or had ended before, and of a server that takes no changes. */
const UNSENT_CODES: ReadonlySet<string | null> = new Set([
  NOT_SERVED,
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // The server turned out to be a copy.
  'CONNECTION_DESTROYED',
  '57P03',
  '25006',
  // The end of an earlier connection: the client tells a statement that is under way that its connection closed, and gives the
  // database's last words to the first statement that waits for the next connection, which was sent nowhere.
  '57P01',
  '57P02',
])

/** Milliseconds before each further attempt. */
const PAUSES = [20, 100, 300, 300]

/**
 * Tries again what was not done. While the primary is away, or takes no changes, the next attempt waits for it.
 * @param primary undefined where nobody watches it: then there is one attempt
 * @param harmless whether the attempt can be repeated
 * @throws the error of the last attempt
 */
export function retryUnsent<T>(
  attempt: () => Promise<T>,
  primary: Primary | undefined,
  harmless: () => boolean = () => true,
  before = 0,
): Promise<T> {
  if (primary === undefined) return attempt()
  return attempt().catch(async (error: unknown) => {
    const pause = PAUSES[before]
    if (pause === undefined || !UNSENT_CODES.has(codeOf(error)) || !harmless()) throw error
    primary.suspect()
    await sleep(pause)
    await primary.ready()
    return retryUnsent(attempt, primary, harmless, before + 1)
  })
}
