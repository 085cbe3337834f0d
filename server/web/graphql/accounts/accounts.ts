/**
 * Account functions for queries: passwords, signed tokens and one-time passwords. The secrets of one-time passwords are
 * stored in the database.
 */
import { prepared, sql, type SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import type { Account, AccountHost, OneTimePassword } from '../../../../runtime/data/query/index.ts'
import { Crowded, type Session } from '../../site/session.ts'
import type { AccountTokens } from './account-tokens.ts'
import type { Seal } from '../values/secrets.ts'
import { codeAt, newSecret, qrCode, findCodeStep } from './totp.ts'
import { valueError } from '../../../../runtime/data/query/model.ts'

/** Account functions of the process. They do not depend on the site. */
export interface AccountServices {
  /**
   * Hashes a password.
   * @param network the visitor's network, null without a visitor
   * @returns the hash to store
   * @throws Crowded
   */
  hashPassword(plainText: string, network: string | null): Promise<string>
  /**
   * Compares a password with a stored hash. A null hash matches no password and takes the same time.
   * @throws Crowded
   */
  verifyPassword(storedHash: string | null, plainText: string, network: string | null): Promise<boolean>
  /** The sign-in function; null when sign-in is not available. */
  readonly signInByPassword: SignInByPassword | null
  /** Counts wrong passwords and codes together with failed sign-ins. Absent or null disables counting. */
  readonly attempts?: AttemptLimit | null
}

/** Whether another attempt is allowed; otherwise the seconds to wait. */
type AttemptResult = 'free' | { readonly retryAfter: number }

/** Limits attempts per address, account and device. See `Attempts` in `web/accounts`. */
interface AttemptLimit {
  check(address: string | null, account: string, device: string | null): Promise<AttemptResult>
  succeeded(address: string | null, account: string, device: string | null): Promise<void>
}

/**
 * Finds the user with an email address and a password. Attempts are counted.
 * @param address IP address of the visitor
 * @param device the visitor's device cookie
 */
type SignInByPassword = (
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

/** The properties of the visitor's `Session` that account functions need. */
type Visitor = Pick<Session, 'address' | 'device' | 'network' | 'signUp'>

export interface AccountDependencies {
  readonly services: AccountServices
  /** The id of the current session's row; null without a session. */
  readonly presentSession: () => string | null
  /** The visitor whose attempts are counted; null for API clients and jobs. */
  readonly visitor: Visitor | null
  readonly tokens: AccountTokens
  readonly seal: Seal
  /** The issuer that authenticator apps display. */
  readonly issuer: string
  /** Time steps of the codes that this request has accepted, by sealed secret. */
  readonly accepted: Map<string, number>
  /** The result of each attempt check in this request, by account and password or code. */
  readonly tried: Map<string, Promise<AttemptResult>>
  /** Runs a statement in the request's transaction and returns its rows. */
  readonly run: (statement: SqlStatement) => Promise<readonly (readonly unknown[])[]>
}

const SELECT_SECRET = prepared<[id: string, name: string]>(
  (id, name) => sql`select secret from ingot.otp_secrets where user_id = ${id}::text::bigint and name = ${name}::text`,
)
// Concurrent requests both receive the secret that the first of them stores.
const INSERT_SECRET = prepared<[id: string, name: string, secret: string]>(
  (id, name, secret) => sql`insert into ingot.otp_secrets as o (user_id, name, secret)
    values (${id}::text::bigint, ${name}::text, ${secret}::text)
    on conflict (user_id, name) do update set secret = o.secret returning secret`,
)
const SELECT_SECRETS = prepared<[id: string]>(
  (id) => sql`select name, secret, last_step::text from ingot.otp_secrets where user_id = ${id}::text::bigint`,
)
// RFC 6238, 5.2: a code must not be accepted twice. Of concurrent requests with the same code, the first succeeds.
const MARK_CODE_USED = prepared<
  [id: string, name: unknown, secret: unknown, step: string, repeatedStep: string | null]
>(
  (id, name, secret, step, repeatedStep) => sql`update ingot.otp_secrets set last_step = ${step}::text::bigint
    where user_id = ${id}::text::bigint and name = ${name}::text and secret = ${secret}::text
    and (last_step is null or last_step < ${step}::text::bigint or last_step = ${repeatedStep}::text::bigint) returning 1`,
)
const MAX_NAME = 100

/** Creates the account functions of one request. */
export function createAccountHost(dependencies: AccountDependencies): AccountHost {
  const { services, tokens, seal, issuer, run } = dependencies

  function network(): string | null {
    return dependencies.visitor?.network ?? null
  }

  function openSecret(sealed: unknown): string {
    try {
      return seal.open(String(sealed))
    } catch {
      throw valueError('The secret of one-time passwords was encrypted with another INGOT_SECRET: create a new secret')
    }
  }

  async function findOrCreateSecret({ id }: Account, name: string): Promise<string> {
    // The database column cannot store NUL characters.
    if (name.length > MAX_NAME || name.includes('\0'))
      throw valueError(`An \`otp_name\` has at most ${MAX_NAME} characters`)
    const [known] = await run(SELECT_SECRET(id, name))
    const [row] = known === undefined ? await run(INSERT_SECRET(id, name, seal.seal(newSecret()))) : [known]
    return openSecret(row?.[0])
  }

  async function isCode(id: string, code: string, drift: number | null): Promise<boolean> {
    const now = Date.now()
    for (const [name, sealed, used] of await run(SELECT_SECRETS(id))) {
      // The same request may check a code several times and gets the same answer each time.
      const acceptedStep = dependencies.accepted.get(String(sealed)) ?? null
      const lastUsedStep = used === null ? -1 : Number(used)
      const step = findCodeStep(openSecret(sealed), code, {
        now,
        drift,
        isUsable: (at) => at > lastUsedStep || at === acceptedStep,
      })
      if (step === null) continue
      const markUsed = MARK_CODE_USED(id, name, sealed, String(step), step === acceptedStep ? String(step) : null)
      if ((await run(markUsed)).length === 0) continue
      dependencies.accepted.set(String(sealed), step)
      return true
    }
    return false
  }

  /** Counts an attempt as failed until it succeeds. Repeating the same attempt within a request counts once. */
  async function countAttempt(account: string, text: string, matches: () => Promise<boolean>): Promise<boolean> {
    const { attempts = null } = services
    if (attempts === null) return matches()
    const { address = null, device = null } = dependencies.visitor ?? {}
    const key = JSON.stringify([account, text])
    const earlierResult = dependencies.tried.get(key)
    const check = earlierResult ?? attempts.check(address, account, device)
    dependencies.tried.set(key, check)
    const result = await check
    requireAllowed(result, 'attempts')
    const isCorrect = await matches()
    if (isCorrect && earlierResult === undefined) await attempts.succeeded(address, account, device)
    return isCorrect
  }

  return {
    get presentSession() {
      return dependencies.presentSession()
    },
    async hashPassword(plainText, isNew) {
      if (isNew) requireAllowed((await dependencies.visitor?.signUp()) ?? 'free', 'sign-ups')
      return withCrowdedError(services.hashPassword(plainText, network()))
    },
    verifyPassword: ({ email, password }, plainText) =>
      countAttempt(email, plainText, () => withCrowdedError(services.verifyPassword(password, plainText, network()))),
    temporaryToken: (account, hours) => tokens.temporary(account, hours),
    isTemporaryToken: (account, token) => tokens.isTemporary(account, token),
    jwt: (account, algorithm, seconds) => tokens.jwt(account, algorithm, seconds),
    isJwt: (account, token, algorithm) => tokens.isJwt(account, token, algorithm),
    async otp(account, name, email): Promise<OneTimePassword> {
      const secret = await findOrCreateSecret(account, name)
      return {
        secret,
        code: codeAt(secret, Date.now()),
        qrCode: (by, label) => qrCode(secret, by ?? issuer, label ?? email),
      }
    },
    isOtpCode: ({ id, email }, code, drift) => countAttempt(`code of ${email}`, code, () => isCode(id, code, drift)),
    newOtpSecret: () => seal.seal(newSecret()),
  }
}

function requireAllowed(result: AttemptResult, attempts: string): void {
  if (result !== 'free') throw valueError(`There were too many ${attempts}: try again in ${result.retryAfter} seconds.`)
}

/** Converts the error of a full hash queue to a query error. */
async function withCrowdedError<T>(hashing: Promise<T>): Promise<T> {
  try {
    return await hashing
  } catch (error) {
    if (!(error instanceof Crowded)) throw error
    throw valueError(`The server is checking too many passwords: try again in ${error.retryAfter} seconds.`)
  }
}
