/** What the server computes of accounts, which no statement can: hashes, signed tokens and one-time passwords. */

/** An account as its credentials are made of it. */
export interface Account {
  readonly id: string
  /** Hash of the password; null without one. What is bound to it ends when the password changes. */
  readonly password: string | null
}

/** The name of the one-time passwords that are asked for by none. */
export const DEFAULT_OTP = 'default'

/** The one-time passwords of an account under one name. */
export interface OtpFacts {
  /** Base32. */
  readonly secret: string
  /** Six digits, those of now. */
  readonly code: string
  /** SVG of the QR code that authenticator apps read. */
  qrCode(issuer: string | null, label: string | null): string
}

/** What statements are given. */
export interface AccountSecrets {
  /** Key of the visitor's session in `ingot.sessions`, in hex; null without one. */
  readonly presentSession: string | null
  hashPassword(plain: string): Promise<string>
  /** Another secret of one-time passwords, sealed as it is stored. */
  newOtpSecret(): string
}

/** What results are made with. */
export interface AccountHost extends AccountSecrets {
  verifyPassword(account: Account, plain: string): Promise<boolean>
  /** @param hours until it ends */
  temporaryToken(account: Account, hours: number): string
  isTemporaryToken(account: Account, token: string): boolean
  /** @param seconds until it ends; null: as long as a session. @throws QueryError for an algorithm that is not offered */
  jwt(account: Account, algorithm: string, seconds: number | null): Promise<string>
  isJwt(account: Account, token: string, algorithm: string): Promise<boolean>
  /** The one-time passwords of a name; the secret is made where there is none. @param email names the account in the app */
  otp(account: Account, name: string, email: string): Promise<OtpFacts>
  /** @param drift seconds that the other clock may be off; null: one step */
  isOtpCode(account: Account, code: string, drift: number | null): Promise<boolean>
}

/** What fields of mutations do with the session of the visitor. All reject with a `QueryError` where there is none. */
export interface SessionHost {
  /** @returns the value as the session now holds it, null where a blank one has removed the field */
  setField(name: string, value: unknown): unknown
  /** Signs in whoever the password is of. @throws QueryError for any other */
  signIn(email: string, password: string, remember: boolean): Promise<void>
  signOut(): Promise<void>
  /** Makes the token's account the current one. @throws QueryError for a token that does not hold */
  signInByToken(token: string, algorithm: string): Promise<void>
}

/** A part of a result that is made after the statement, one after another. */
export class Later {
  readonly make: () => Promise<unknown>

  constructor(make: () => Promise<unknown>) {
    this.make = make
  }
}

/**
 * The value with all that comes later in it. It is changed in place.
 * @param patience called before each part: throws where the time is up
 */
export async function settled(value: unknown, patience: () => void): Promise<unknown> {
  const whole: Record<string, unknown> = { value }
  // A stack of our own: values of properties may be nested deeper than calls can be.
  const open: object[] = [whole]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const owner = next as Record<string, unknown>
    for (const key of Object.keys(owner)) {
      const part = owner[key]
      if (part instanceof Later) {
        patience()
        owner[key] = await part.make()
      } else if (typeof part === 'object' && part !== null) open.push(part)
    }
  }
  return whole['value']
}
