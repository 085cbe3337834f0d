/** User accounts: sessions, sign-in and limits of attempts. One object serves all sites of a process. */
import type { Logger } from '../../core/contracts/log.ts'
import type { Statements } from '../graphql/database/statements.ts'
import { hostFilter } from '../http/host-names.ts'
import type { CurrentUser, OpenSession } from '../site/session.ts'
import { type AttemptLimits, type Attempts, createAttempts } from './attempts.ts'
import type { CookieRules } from './cookies.ts'
import { createAccountRunner } from './run-statement.ts'
import { createDevices } from './devices.ts'
import { createJourneys, type Journeys } from './journeys.ts'
import { createNewRowLimit } from './new-row-limit.ts'
import { createReturns } from './returns.ts'
import { createSessionRows } from './rows.ts'
import { createSessions } from './sessions.ts'
import { createSignIn, type SignInByPassword } from './sign-in.ts'
import { createTickets } from './tickets.ts'

export interface Accounts {
  /** Creates the function that opens sessions of a site's visitors. */
  sessions(rules: Pick<CookieRules, 'sameSite'>): OpenSession
  readonly attempts: Attempts
  /** The journeys of visitors to providers with which they sign in. */
  readonly journeys: Journeys
  readonly signInByPassword: SignInByPassword
  /**
   * Returns an existing user in the form that templates see, or null when there is none.
   * @throws SessionsAway
   */
  user(id: string): Promise<CurrentUser | null>
}

export interface AccountsOptions {
  readonly statements: Statements
  /** The installation's secret (`readSecret`); signs the cookies. */
  readonly secret: string
  readonly timeoutInMinutes?: number
  readonly limits?: AttemptLimits
  /** Maximum number of sign-ups with a password from one network in fifteen minutes. The default 0 means no limit. */
  readonly signUps?: number
  /**
   * Maximum number of sessions that visitors of one network without a cookie may store in five minutes. The default 0
   * means no limit.
   */
  readonly newSessions?: number
  /** Host names of the site. Their pages may sign in on each other. `*.` matches any subdomain. */
  readonly hosts?: readonly string[]
  /** Absent when nothing is logged. */
  readonly logger?: Logger
  /** Returns the current time in milliseconds. By default, the system clock. */
  readonly now?: () => number
}

/** One year of 365.25 days. */
const TIMEOUT_IN_MINUTES = 525_960

/** Creates the accounts of a process. */
export function createAccounts({
  statements,
  secret,
  timeoutInMinutes = TIMEOUT_IN_MINUTES,
  now = Date.now,
  hosts = [],
  newSessions = 0,
  logger,
  ...more
}: AccountsOptions): Accounts {
  const runStatement = createAccountRunner(statements)
  const rows = createSessionRows(runStatement)
  const tickets = createTickets(secret, now)
  const devices = createDevices(secret)
  const returns = createReturns(secret, now)
  const isOwnHost = hosts.length === 0 ? () => false : hostFilter(hosts)
  const attempts = createAttempts({ runStatement, secret, devices, ...more })
  const rowLimit = createNewRowLimit(newSessions, logger)
  const sessionDependencies = { rows, tickets, devices, attempts, rowLimit, returns, isOwnHost, logger }
  return {
    sessions: ({ sameSite }) => createSessions({ ...sessionDependencies, timeoutInMinutes, sameSite, now }),
    attempts,
    journeys: createJourneys(secret, runStatement, now),
    signInByPassword: createSignIn(runStatement, attempts),
    user: (id) => rows.user(id),
  }
}
