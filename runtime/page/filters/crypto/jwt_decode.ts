/** `jwt_decode`: the content of a JSON Web Token. */
import { ArgumentFault } from '../../fault.ts'
import { type HashValue, isHash } from '../../values/access.ts'
import { parseJson } from '../../values/json.ts'
import { isNumber, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import type { Bool, Hash, Render, Textual } from '../types.ts'
import { isValidSignature, type JwtAlgorithm, findJwtAlgorithm, findKeyInSet, readVerificationKey } from './jwt.ts'

export const dialect = 'platform'

/** Maximum length of a token in characters. */
const MAX_TOKEN = 1_000_000

/**
 * The payload and the header of a token with a valid signature whose validity period includes now. With
 * `verify_signature: false` neither is checked. `jwks` is a set of RSA keys to use instead of the secret. When
 * errors are printed in place, the result for a rejected token is nil.
 * @throws ArgumentFault for a malformed token, another algorithm than the named one, and an invalid signature
 */
export function jwt_decode(
  r: Render,
  encoded_token: Textual,
  algorithm: Textual,
  secret: Textual = '',
  verify_signature: Bool = true,
  jwks: Hash = null,
): unknown[] | null {
  try {
    // Only an explicit `false` disables the check. A missing value does not disable it.
    const verifies = verify_signature !== false
    return decodeToken(
      str(encoded_token),
      findJwtAlgorithm(algorithm, 'jwt_decode'),
      verifies ? { r, secret, jwks } : null,
    )
  } catch (error) {
    if (!(error instanceof ArgumentFault) || r.raise || r.trying > 0) throw error
    // Returns nil, so that a variable does not keep the claims of an earlier token.
    r.services.locate(error)
    r.fault(error, error.file ?? '', error.line ?? 0)
    return null
  }
}

/** The inputs for decoding and verifying a token. */
interface Checks {
  readonly r: Render
  readonly secret: unknown
  readonly jwks: unknown
}

/**
 * Decodes a token.
 * @throws ArgumentFault
 */
function decodeToken(text: string, algorithm: JwtAlgorithm, checks: Checks | null): unknown[] {
  const token = text.trim()
  const [head, body, tail, ...rest] = token.length > MAX_TOKEN ? [] : token.split('.')
  if (head === undefined || body === undefined || tail === undefined || rest.length > 0)
    throw tokenError('not enough or too many segments')
  const header = parseSegment(head)
  const payload = parseSegment(body)
  if (!isHash(header)) throw tokenError('Invalid segment encoding')
  if (checks !== null) {
    verifyToken(header, algorithm, `${head}.${body}`, decodeSegment(tail), checks)
    checkTimes(payload, checks.r.services.clock.now() / 1000)
  }
  return [payload, header]
}

function tokenError(message: string): ArgumentFault {
  return new ArgumentFault(`jwt_decode filter - ${message}`)
}

/** Decodes URL-safe Base64 without padding. */
function decodeSegment(part: string): Buffer {
  if (!/^[A-Za-z0-9_-]*$/.test(part) || part.length % 4 === 1) throw tokenError('Invalid segment encoding')
  return Buffer.from(part, 'base64url')
}

function parseSegment(part: string): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(decodeSegment(part)))
  } catch {
    throw tokenError('Invalid segment encoding')
  }
}

function verifyToken(
  header: HashValue,
  algorithm: JwtAlgorithm,
  input: string,
  signature: Buffer,
  { secret, jwks }: Checks,
): void {
  if (algorithm.family === 'none') throw tokenError('a token without a signature cannot be verified')
  if (header['alg'] !== algorithm.name) throw tokenError('Expected a different algorithm')
  // The header `crit` lists extensions that the reader must understand. None is supported.
  if (Object.hasOwn(header, 'crit')) throw tokenError('the token requires unknown extensions')
  const key =
    jwks === null || jwks === undefined
      ? readVerificationKey(algorithm, secret, 'jwt_decode')
      : findKeyInSet(jwks, header['kid'], algorithm, 'jwt_decode')
  if (!isValidSignature(input, signature, algorithm, key)) throw tokenError('Signature verification failed')
}

function checkTimes(payload: unknown, now: number): void {
  if (!isHash(payload)) return
  const expires = readTime(payload, 'exp')
  const begins = readTime(payload, 'nbf')
  if (expires !== null && now >= expires) throw tokenError('Signature has expired')
  if (begins !== null && now < begins) throw tokenError('Signature nbf has not been reached')
}

/** Returns a time claim in seconds since the epoch; null when it is missing. */
function readTime(payload: HashValue, name: string): number | null {
  if (!Object.hasOwn(payload, name) || payload[name] === null) return null
  const value = payload[name]
  if (!isNumber(value)) throw tokenError(`the claim ${name} is not a number`)
  return toNumber(value)
}
