/**
 * The account functions of queries: passwords, signed tokens, and one-time passwords, whose secrets are in the
 * database.
 */
import { prepared, sql, type SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import {
  type Account,
  type AccountHost,
  type OneTimePassword,
  QueryError,
} from '../../../../runtime/data/query/index.ts'
import { Crowded, type Session } from '../../site/session.ts'
import type { AccountTokens } from './account-tokens.ts'
import type { Seal } from '../values/secrets.ts'
import { codeAt, newSecret, qrCode, stepOfCode } from './totp.ts'

/** Account functions of the process, independent of the site. */
export interface AccountServices {
  /**
   * @param network of the visitor, null without one
   * @returns the hash to store
   * @throws Crowded
   */
  hashPassword(plain: string, network: string | null): Promise<string>
  /**
   * Null matches no password and takes the same time.
   * @throws Crowded
   */
  verifyPassword(stored: string | null, plain: string, network: string | null): Promise<boolean>
  /** Null when nobody can sign in. */
  readonly signInByPassword: SignInByPassword | null
  /** Counts wrong passwords and codes, together with those of sign-ins. Absent or null counts none. */
  readonly attempts?: AttemptLimit | null
}

/** What a request may try; otherwise the seconds to wait. */
export type AttemptResult = 'free' | { readonly retryAfter: number }

/** See `Attempts` of the accounts. */
export interface AttemptLimit {
  check(address: string | null, account: string, device: string | null): Promise<AttemptResult>
  succeeded(address: string | null, account: string, device: string | null): Promise<void>
}

/**
 * Finds the user of an e-mail and a password. Attempts are counted.
 * @param address IP address of the visitor
 * @param device the visitor's cookie of known devices
 */
export type SignInByPassword = (
  email: string,
  password: string,
  address: string,
  device: string | null,
) => Promise<{ readonly user: string } | { readonly refused: 'wrong' } | AttemptsExceeded>

interface AttemptsExceeded {
  readonly refused: 'limited'
  /** In seconds. */
  readonly retryAfter: number
}

/** See `Session`. */
type Visitor = Pick<Session, 'address' | 'device' | 'network' | 'signUp'>

export interface AccountParts {
  readonly services: AccountServices
  readonly presentSession: () => string | null
  /** Who tries; null for programs and jobs. */
  readonly visitor: Visitor | null
  readonly tokens: AccountTokens
  readonly seal: Seal
  /** The issuer that authenticator apps display. */
  readonly issuer: string
  /** Time steps of the codes that were accepted in this request, by sealed secret. */
  readonly accepted: Map<string, number>
  /** Whether the passwords and codes that this request has tried were free to try. */
  readonly tried: Map<string, Promise<AttemptResult>>
  /** Runs a statement in the request's transaction and returns its rows. */
  readonly run: (statement: SqlStatement) => Promise<readonly (readonly unknown[])[]>
}

const READ = prepared<[id: string, name: string]>(
  (id, name) => sql`select secret from ingot.otp_secrets where user_id = ${id}::text::bigint and name = ${name}::text`,
)
// Concurrent requests both receive the secret that the first one stores.
const MAKE = prepared<[id: string, name: string, secret: string]>(
  (id, name, secret) => sql`insert into ingot.otp_secrets as o (user_id, name, secret)
    values (${id}::text::bigint, ${name}::text, ${secret}::text)
    on conflict (user_id, name) do update set secret = o.secret returning secret`,
)
const ALL = prepared<[id: string]>(
  (id) => sql`select name, secret, last_step::text from ingot.otp_secrets where user_id = ${id}::text::bigint`,
)
// RFC 6238, 5.2: a code must not be accepted twice. Of concurrent requests with the same code, the first succeeds.
const USE = prepared<[id: string, name: unknown, secret: unknown, step: string, again: string | null]>(
  (id, name, secret, step, again) => sql`update ingot.otp_secrets set last_step = ${step}::text::bigint
    where user_id = ${id}::text::bigint and name = ${name}::text and secret = ${secret}::text
    and (last_step is null or last_step < ${step}::text::bigint or last_step = ${again}::text::bigint) returning 1`,
)
const MAX_NAME = 100

/** The account functions for one request. */
export function createAccountHost(parts: AccountParts): AccountHost {
  const { services, tokens, seal, issuer, run } = parts

  function network(): string | null {
    return parts.visitor?.network ?? null
  }

  function opened(sealed: unknown): string {
    try {
      return seal.open(String(sealed))
    } catch {
      throw problem('The secret of one-time passwords was sealed with another INGOT_SECRET: make another one')
    }
  }

  async function secretOf({ id }: Account, name: string): Promise<string> {
    if (name.length > MAX_NAME || name.includes('\0'))
      throw problem(`An \`otp_name\` has at most ${MAX_NAME} characters`)
    const [known] = await run(READ(id, name))
    const [row] = known === undefined ? await run(MAKE(id, name, seal.seal(newSecret()))) : [known]
    return opened(row?.[0])
  }

  async function isCode(id: string, code: string, drift: number | null): Promise<boolean> {
    const now = Date.now()
    for (const [name, sealed, used] of await run(ALL(id))) {
      // When the same request repeats the check, it gets the same answer.
      const mine = parts.accepted.get(String(sealed)) ?? null
      const last = used === null ? -1 : Number(used)
      const step = stepOfCode(opened(sealed), code, { now, drift, counts: (at) => at > last || at === mine })
      if (step === null) continue
      const using = USE(id, name, sealed, String(step), step === mine ? String(step) : null)
      if ((await run(using)).length === 0) continue
      parts.accepted.set(String(sealed), step)
      return true
    }
    return false
  }

  /** A try counts as a failure until it has succeeded; the same one counts once in a request. */
  async function counted(account: string, text: string, matches: () => Promise<boolean>): Promise<boolean> {
    const { attempts = null } = services
    if (attempts === null) return matches()
    const { address = null, device = null } = parts.visitor ?? {}
    const key = JSON.stringify([account, text])
    const before = parts.tried.get(key)
    const asked = before ?? attempts.check(address, account, device)
    parts.tried.set(key, asked)
    const free = await asked
    requireFree(free, 'attempts')
    const right = await matches()
    if (right && before === undefined) await attempts.succeeded(address, account, device)
    return right
  }

  return {
    get presentSession() {
      return parts.presentSession()
    },
    async hashPassword(plain, isNew) {
      if (isNew) requireFree((await parts.visitor?.signUp()) ?? 'free', 'sign-ups')
      return uncrowded(services.hashPassword(plain, network()))
    },
    verifyPassword: ({ email, password }, plain) =>
      counted(email, plain, () => uncrowded(services.verifyPassword(password, plain, network()))),
    temporaryToken: (account, hours) => tokens.temporary(account, hours),
    isTemporaryToken: (account, token) => tokens.isTemporary(account, token),
    jwt: (account, algorithm, seconds) => tokens.jwt(account, algorithm, seconds),
    isJwt: (account, token, algorithm) => tokens.isJwt(account, token, algorithm),
    async otp(account, name, email): Promise<OneTimePassword> {
      const secret = await secretOf(account, name)
      return {
        secret,
        code: codeAt(secret, Date.now()),
        qrCode: (by, label) => qrCode(secret, by ?? issuer, label ?? email),
      }
    },
    isOtpCode: ({ id, email }, code, drift) => counted(`code of ${email}`, code, () => isCode(id, code, drift)),
    newOtpSecret: () => seal.seal(newSecret()),
  }
}

function requireFree(free: AttemptResult, what: string): void {
  if (free !== 'free') throw problem(`There were too many ${what}: try again in ${free.retryAfter} seconds.`)
}

/** Converts a full queue to a query error. */
async function uncrowded<T>(hashing: Promise<T>): Promise<T> {
  try {
    return await hashing
  } catch (error) {
    if (!(error instanceof Crowded)) throw error
    throw problem(`Too many passwords wait to be checked: try again in ${error.retryAfter} seconds.`)
  }
}

function problem(message: string): QueryError {
  return new QueryError([{ code: 'value', message, at: null, hint: null }])
}
