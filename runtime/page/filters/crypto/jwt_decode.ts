/** `jwt_decode`: the content of a JSON Web Token. */
import { ArgumentFault } from '../../fault.ts'
import { type HashValue, isHash } from '../../values/access.ts'
import { parseJson } from '../../values/json.ts'
import { isNumber, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import type { Bool, Hash, Render, Textual } from '../types.ts'
import { isSigned, type JwtAlgorithm, jwtAlgorithm, keyOfSet, verifierOf } from './jwt.ts'

export const dialect = 'platform'

/** Longest accepted token in characters. */
const MAX_TOKEN = 1_000_000

/**
 * The payload and the header of a token with a valid signature whose validity period includes now. With
 * `verify_signature: false` neither is checked. `jwks` is a set of RSA keys to use instead of the secret. When errors
 * are printed in place, the result for a refused token is nil.
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
    // Only an explicit `false` disables the check; a missing value does not.
    const verifies = verify_signature !== false
    return read(str(encoded_token), jwtAlgorithm(algorithm, 'jwt_decode'), verifies ? { r, secret, jwks } : null)
  } catch (error) {
    if (!(error instanceof ArgumentFault) || r.raise || r.trying > 0) throw error
    // Returns nil, so that a variable does not keep the claims of an earlier token.
    r.services.locate(error)
    r.fault(error, error.file ?? '', error.line ?? 0)
    return null
  }
}

/** What a token is verified against. */
interface Checks {
  readonly r: Render
  readonly secret: unknown
  readonly jwks: unknown
}

/**
 * Decodes a token.
 * @throws ArgumentFault
 */
function read(text: string, algorithm: JwtAlgorithm, checks: Checks | null): unknown[] {
  const token = text.trim()
  const parts = token.length > MAX_TOKEN ? [] : token.split('.')
  if (parts.length !== 3) throw wrong('not enough or too many segments')
  const [head, body, tail] = parts as [string, string, string]
  const header = parsed(head)
  const payload = parsed(body)
  if (!isHash(header)) throw wrong('Invalid segment encoding')
  if (checks !== null) {
    check(header, algorithm, `${head}.${body}`, decoded(tail), checks)
    checkTimes(payload, checks.r.services.clock.now() / 1000)
  }
  return [payload, header]
}

function wrong(message: string): ArgumentFault {
  return new ArgumentFault(`jwt_decode filter - ${message}`)
}

/** Decodes URL-safe Base64 without padding. */
function decoded(part: string): Buffer {
  if (!/^[A-Za-z0-9_-]*$/.test(part) || part.length % 4 === 1) throw wrong('Invalid segment encoding')
  return Buffer.from(part, 'base64url')
}

function parsed(part: string): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(decoded(part)))
  } catch {
    throw wrong('Invalid segment encoding')
  }
}

function check(
  header: HashValue,
  algorithm: JwtAlgorithm,
  input: string,
  signature: Buffer,
  { secret, jwks }: Checks,
): void {
  if (algorithm.family === 'none') throw wrong('a token without a signature cannot be verified')
  if (header['alg'] !== algorithm.name) throw wrong('Expected a different algorithm')
  // A critical extension is not supported.
  if (Object.hasOwn(header, 'crit')) throw wrong('the token asks for extensions that are not known')
  const key =
    jwks === null || jwks === undefined
      ? verifierOf(algorithm, secret, 'jwt_decode')
      : keyOfSet(jwks, header['kid'], algorithm, 'jwt_decode')
  if (!isSigned(input, signature, algorithm, key)) throw wrong('Signature verification failed')
}

function checkTimes(payload: unknown, now: number): void {
  if (!isHash(payload)) return
  const expires = time(payload, 'exp')
  const begins = time(payload, 'nbf')
  if (expires !== null && now >= expires) throw wrong('Signature has expired')
  if (begins !== null && now < begins) throw wrong('Signature nbf has not been reached')
}

/** In seconds since the epoch. */
function time(payload: HashValue, name: string): number | null {
  if (!Object.hasOwn(payload, name) || payload[name] === null) return null
  const value = payload[name]
  if (!isNumber(value)) throw wrong(`the claim ${name} is not a number`)
  return toNumber(value)
}
