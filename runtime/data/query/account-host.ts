/** Values that the server computes for accounts outside of SQL: password hashes, signed tokens and one-time passwords. */

/** The columns of an account that its tokens are computed from. */
export interface Account {
  readonly id: string
  /**
   * The hash of the password; null when there is none. Tokens contain it, so they become invalid when the password
   * changes.
   */
  readonly password: string | null
}

/** An account whose credentials are checked. Failed attempts are counted by e-mail address. */
export interface AccountWithEmail extends Account {
  readonly email: string
}

/** The name of one-time passwords when a query does not name one. */
export const DEFAULT_OTP = 'default'

/** The secret for one-time passwords that an account has under one name. */
export interface OneTimePassword {
  /** In Base32. */
  readonly secret: string
  /** The current six digits. */
  readonly code: string
  /** Returns the QR code for authenticator apps, as SVG. */
  qrCode(issuer: string | null, label: string | null): string
}

/** Secrets that statements need as parameters. */
export interface AccountSecrets {
  /** The key of the visitor's session in `ingot.sessions`, in hexadecimal; null when there is none. */
  readonly presentSession: string | null
  /**
   * @param isNew whether it is the first password of a new user
   * @throws QueryError when the visitor has created too many users, or too many passwords are waiting to be hashed
   */
  hashPassword(plainPassword: string, isNew: boolean): Promise<string>
  /** Returns a new secret for one-time passwords, encrypted for storage. */
  newOtpSecret(): string
}

/** Computes account fields of results. */
export interface AccountHost extends AccountSecrets {
  /**
   * Checks a password.
   * @throws QueryError after too many wrong passwords
   */
  verifyPassword(account: AccountWithEmail, password: string): Promise<boolean>
  /** @param hours lifetime of the token */
  temporaryToken(account: Account, hours: number): string
  isTemporaryToken(account: Account, token: string): boolean
  /**
   * @param seconds lifetime of the token; null for that of a session
   * @throws QueryError for an unsupported algorithm
   */
  jwt(account: Account, algorithm: string, seconds: number | null): Promise<string>
  isJwt(account: Account, token: string, algorithm: string): Promise<boolean>
  /**
   * Returns the one-time password under a name. Creates a secret when there is none.
   * @param email the name of the account in the authenticator app
   */
  otp(account: Account, name: string, email: string): Promise<OneTimePassword>
  /**
   * @param drift number of seconds by which the clock of the authenticator app may differ; null for one time step
   * @throws QueryError after too many wrong codes
   */
  isOtpCode(account: AccountWithEmail, code: string, drift: number | null): Promise<boolean>
}

/** Changes the visitor's session for mutations. All methods reject with a `QueryError` when there is no session. */
export interface SessionHost {
  /** @returns the stored value; null when a blank value has removed the field */
  setField(name: string, value: unknown): unknown
  /**
   * Signs in the user with this password.
   * @throws QueryError for a wrong password
   */
  signIn(email: string, password: string, remember: boolean): Promise<void>
  signOut(): Promise<void>
  /**
   * Signs in the account of a token.
   * @throws QueryError for an invalid token
   */
  signInByToken(token: string, algorithm: string): Promise<void>
}

/** A part of a result whose value is computed after the statement has run. */
export class DeferredValue {
  readonly compute: () => Promise<unknown>

  constructor(computeValue: () => Promise<unknown>) {
    this.compute = computeValue
  }
}

/**
 * Replaces all `DeferredValue` parts of a value in place, and returns the value.
 * @param checkTimeout called before each part; throws after the timeout
 */
export async function resolveDeferred(value: unknown, checkTimeout: () => void): Promise<unknown> {
  const wrapper: Record<string, unknown> = { value }
  // An explicit stack, because property values may be nested deeper than the call stack allows.
  const pendingContainers: Record<string, unknown>[] = [wrapper]
  for (let owner = pendingContainers.pop(); owner !== undefined; owner = pendingContainers.pop()) {
    for (const key of Object.keys(owner)) {
      const part = owner[key]
      if (part instanceof DeferredValue) {
        checkTimeout()
        owner[key] = await part.compute()
      } else if (isContainer(part)) pendingContainers.push(part)
    }
  }
  return wrapper['value']
}

/** Returns whether a value is an object or a list. Both have entries that are read and written by key. */
export function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
