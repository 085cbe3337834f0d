/** The user accounts of one process, shared by all sites that it serves. */
import type { Logger } from '../../core/contracts/log.ts'
import type { Statements } from '../graphql/database/statements.ts'
import { hostFilter } from '../http/host-names.ts'
import type { CurrentUser, OpenSession } from '../site/session.ts'
import { type AttemptLimits, type Attempts, createAttempts } from './attempts.ts'
import type { CookieRules } from './cookies.ts'
import { createAccountRunner } from './database.ts'
import { createDevices } from './devices.ts'
import { createNewRows } from './new-rows.ts'
import { createReturns } from './returns.ts'
import { createSessionRows } from './rows.ts'
import { createSessions } from './sessions.ts'
import { createSignIn, type SignInByPassword } from './sign-in.ts'
import { createTickets } from './tickets.ts'

export interface Accounts {
  /** The sessions of a site's visitors. */
  sessions(rules: Pick<CookieRules, 'sameSite'>): OpenSession
  readonly attempts: Attempts
  readonly signInByPassword: SignInByPassword
  /**
   * An existing user, as templates see the signed-in one; null when there is none.
   * @throws SessionsAway
   */
  user(id: string): Promise<CurrentUser | null>
}

export interface AccountsParts {
  readonly statements: Statements
  /** The installation's secret (`readSecret`); signs the cookies. */
  readonly secret: string
  readonly timeoutInMinutes?: number
  readonly limits?: AttemptLimits
  /** Sign-ups with a password from one network in fifteen minutes; 0, the default, sets no limit. */
  readonly signUps?: number
  /**
   * Sessions that visitors without a cookie may begin to store, of one network in five minutes; 0, the default, sets no
   * limit.
   */
  readonly newSessions?: number
  /** Names of the site, whose pages may sign in on each other; `*.` matches any subdomain. */
  readonly hosts?: readonly string[]
  /** Absent where nothing is logged. */
  readonly logger?: Logger
  /** The current time in milliseconds; by default the system's. */
  readonly now?: () => number
}

/** One year of 365.25 days. */
const TIMEOUT_IN_MINUTES = 525_960

export function createAccounts({
  statements,
  secret,
  timeoutInMinutes = TIMEOUT_IN_MINUTES,
  now = Date.now,
  hosts = [],
  newSessions = 0,
  logger,
  ...more
}: AccountsParts): Accounts {
  const ask = createAccountRunner(statements)
  const rows = createSessionRows(ask)
  const tickets = createTickets(secret, now)
  const devices = createDevices(secret)
  const returns = createReturns(secret, now)
  const isOurs = hosts.length === 0 ? () => false : hostFilter(hosts)
  const attempts = createAttempts({ ask, secret, devices, ...more })
  const newRows = createNewRows(newSessions, logger)
  const own = { rows, tickets, devices, attempts, newRows, returns, isOurs, logger }
  return {
    sessions: ({ sameSite }) => createSessions({ ...own, timeoutInMinutes, sameSite, now }),
    attempts,
    signInByPassword: createSignIn(ask, attempts),
    user: (id) => rows.user(id),
  }
}
