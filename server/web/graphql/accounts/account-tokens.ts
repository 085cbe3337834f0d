/**
 * Signed tokens of accounts: temporary tokens and JSON Web Tokens. Their keys are derived from the password's hash, so
 * that a new password invalidates them.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { type Account, type QueryError, valueError } from '../../../../runtime/data/query/index.ts'
import { sameDigest } from '../../../data/store/tokens.ts'

export interface AccountTokens {
  /**
   * Creates a temporary token.
   * @param hours until it expires; zero and negative values create an expired one
   */
  temporary(account: Account, hours: number): string
  isTemporary(account: Account, token: string): boolean
  /**
   * Creates a JSON Web Token.
   * @param seconds until it expires; null for the lifetime of a session
   * @throws QueryError for an unsupported algorithm
   */
  jwt(account: Account, algorithm: string, seconds: number | null): Promise<string>
  isJwt(account: Account, token: string, algorithm: string): Promise<boolean>
  /**
   * Reads the account id from a JSON Web Token without verifying its signature. Returns null when the token has none.
   */
  readUnverifiedId(token: string): Promise<string | null>
}

/**
 * Supported algorithms of JSON Web Tokens. Asymmetric algorithms would need keys that an installation does not have.
 */
const ALGORITHMS: readonly string[] = ['HS256', 'HS384', 'HS512']
const ISSUER = 'ingot'
/** Maximum lifetime of a JSON Web Token in seconds. The default lifetime of a session is the same. */
const YEAR = 365 * 86_400
/** Maximum lifetime of a temporary token in hours. */
const MAX_HOURS = 365 * 24
/** Maximum length in characters of a token that is verified. */
const MAX_LENGTH = 2_000

/** Loads the library on first use, because few requests need it. */
function loadJose(): Promise<typeof import('jose')> {
  return import('jose')
}

/**
 * Creates the functions that sign and verify account tokens.
 * @param secret the installation's secret
 * @param now the current time in milliseconds
 */
export function createAccountTokens(secret: string, now: () => number = Date.now): AccountTokens {
  const root = Buffer.from(hkdfSync('sha256', secret, '', 'ingot account tokens', 32))
  const seconds = (): number => Math.floor(now() / 1000)
  const mac = (purpose: string, { id, password }: Account, text: string): Buffer =>
    createHmac('sha512', root)
      .update(JSON.stringify([purpose, id, password, text]))
      .digest()
  const jwtKey = (account: Account): Uint8Array => new Uint8Array(mac('jwt', account, ''))
  const signTemporary = (account: Account, expiry: string): Buffer => mac('temporary', account, expiry).subarray(0, 32)

  return {
    temporary(account, hours) {
      const lifetime = Math.max(-1, Math.min(MAX_HOURS, hours)) * 3_600
      const expiry = Math.max(0, Math.floor(seconds() + lifetime)).toString(36)
      return `${expiry}.${signTemporary(account, expiry).toString('base64url')}`
    },
    isTemporary(account, token) {
      const [, until = '', signature = ''] = /^([0-9a-z]{1,9})\.([\w-]{43})$/.exec(token) ?? []
      if (until === '' || !sameDigest(Buffer.from(signature, 'base64url'), signTemporary(account, until))) return false
      return Number.parseInt(until, 36) > seconds()
    },
    async jwt(account, algorithm, requestedSeconds) {
      const { SignJWT } = await loadJose()
      if (!ALGORITHMS.includes(algorithm)) throw unsupportedAlgorithm(algorithm)
      const issuedAt = seconds()
      const lifetime = Math.max(-1, Math.min(YEAR, requestedSeconds ?? YEAR))
      return new SignJWT({ user_id: account.id })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetime)
        .setIssuer(ISSUER)
        .sign(jwtKey(account))
    },
    async isJwt(account, token, algorithm) {
      const { errors, jwtVerify } = await loadJose()
      if (!ALGORITHMS.includes(algorithm)) throw unsupportedAlgorithm(algorithm)
      if (token.length > MAX_LENGTH) return false
      try {
        const { payload } = await jwtVerify(token, jwtKey(account), {
          algorithms: [algorithm],
          issuer: ISSUER,
          currentDate: new Date(now()),
          requiredClaims: ['exp', 'iat', 'user_id'],
        })
        return payload['user_id'] === account.id
      } catch (error) {
        if (error instanceof errors.JOSEError) return false
        throw error
      }
    },
    async readUnverifiedId(token) {
      if (token.length > MAX_LENGTH) return null
      const { decodeJwt, errors } = await loadJose()
      try {
        const { user_id: id } = decodeJwt(token)
        return typeof id === 'string' && /^\d{1,18}$/.test(id) ? id : null
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}

function unsupportedAlgorithm(algorithm: string): QueryError {
  const message = `Tokens signed by ${algorithm} are not supported.`
  const hint = `Use one of ${ALGORITHMS.join(', ')}.`
  return valueError(message, null, { hint })
}
