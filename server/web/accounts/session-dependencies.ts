/** What sessions need, and the result of looking one up. */
import type { Logger } from '../../core/contracts/log.ts'
import type { Attempts } from './attempts.ts'
import type { CookieRules } from './cookies.ts'
import type { Devices } from './devices.ts'
import type { NewRowLimit } from './new-row-limit.ts'
import type { Returns } from './returns.ts'
import type { SessionRow, SessionRows } from './rows.ts'
import type { Ticket, Tickets } from './tickets.ts'

export interface SessionDependencies {
  readonly rows: SessionRows
  readonly tickets: Tickets
  readonly devices: Devices
  readonly attempts: Attempts
  readonly rowLimit: NewRowLimit
  readonly returns: Returns
  /** Whether a host is another name of the site. */
  readonly isOwnHost: (host: string) => boolean
  readonly logger: Logger | undefined
  /** Minutes that a session lives after the last visit, unless the sign-in sets another lifetime. */
  readonly timeoutInMinutes: number
  readonly sameSite: CookieRules['sameSite']
  /** The current time in milliseconds. */
  readonly now: () => number
}

/** A session that was found by its cookie. */
export interface SessionLookup {
  readonly ticket: Ticket
  readonly secret: Buffer
  readonly row: SessionRow | null
}
