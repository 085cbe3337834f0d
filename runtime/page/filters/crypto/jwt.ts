/** Signatures of JSON Web Tokens. The template names the algorithm. The algorithm in the token's header is never trusted. */
import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign as signWith,
  timingSafeEqual,
  verify as verifyWith,
} from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import { isHash } from '../../values/access.ts'
import { toBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'
import { unknownAlgorithm } from './algorithms.ts'
import { readEcPrivateKey, readEcPublicKey, isPem, readPrivateKey, readPublicKey, requireRsaKey } from './keys.ts'

export interface JwtAlgorithm {
  readonly name: string
  readonly family: 'none' | 'HS' | 'RS' | 'ES'
  readonly hash: string
  /** The required curve, for ES algorithms. */
  readonly curve: string
}

const CURVES: Readonly<Record<string, string>> = { '256': 'prime256v1', '384': 'secp384r1', '512': 'secp521r1' }
const ALGORITHMS: ReadonlyMap<string, JwtAlgorithm> = new Map<string, JwtAlgorithm>([
  ['none', { name: 'none', family: 'none', hash: '', curve: '' }],
  ...(['HS', 'RS', 'ES'] as const).flatMap((family) =>
    Object.entries(CURVES).map(([bits, curve]): [string, JwtAlgorithm] => {
      const name = `${family}${bits}`
      return [name, { name, family, hash: `sha${bits}`, curve }]
    }),
  ),
])

/**
 * Returns the algorithm with this name.
 * @throws ArgumentFault that lists the known algorithms
 */
export function findJwtAlgorithm(value: unknown, filter: string): JwtAlgorithm {
  const knownAlgorithm = ALGORITHMS.get(str(value))
  if (knownAlgorithm === undefined) throw unknownAlgorithm(value, filter, ALGORITHMS.keys())
  return knownAlgorithm
}

/**
 * Signs a text.
 * @throws ArgumentFault for a key that does not fit
 */
export function signInput(input: string, algorithm: JwtAlgorithm, key: unknown, filter: string): Buffer {
  const { family, hash } = algorithm
  const data = Buffer.from(input)
  switch (family) {
    case 'none':
      return Buffer.alloc(0)
    case 'HS':
      return createHmac(hash, readSecret(key, filter)).update(data).digest()
    case 'RS':
      return signOrExplain(filter, () => signWith(hash, data, requireRsaKey(readPrivateKey(key, filter), filter)))
    case 'ES': {
      const ec = requireCurve(readEcPrivateKey(key, filter), algorithm, filter)
      return signOrExplain(filter, () => signWith(hash, data, { key: ec, dsaEncoding: 'ieee-p1363' }))
    }
  }
}

function signOrExplain(filter: string, sign: () => Buffer): Buffer {
  try {
    return sign()
  } catch (error) {
    if (error instanceof ArgumentFault) throw error
    throw new ArgumentFault(`${filter} filter - the key cannot sign`)
  }
}

/**
 * Reads the key that verifies signatures.
 * @throws ArgumentFault for a key that does not fit
 */
export function readVerificationKey(algorithm: JwtAlgorithm, key: unknown, filter: string): KeyObject {
  if (algorithm.family === 'HS') return createSecretKey(readSecret(key, filter))
  if (algorithm.family === 'RS') return requireRsaKey(readPublicKey(key, filter), filter)
  return requireCurve(readEcPublicKey(key, filter), algorithm, filter)
}

/** Verifies a signature. */
export function isValidSignature(
  input: string,
  signature: Buffer,
  { family, hash }: JwtAlgorithm,
  key: KeyObject,
): boolean {
  const data = Buffer.from(input)
  if (family === 'HS') {
    const right = createHmac(hash, key).update(data).digest()
    return right.length === signature.length && timingSafeEqual(right, signature)
  }
  try {
    return verifyWith(hash, data, family === 'ES' ? { key, dsaEncoding: 'ieee-p1363' } : key, signature)
  } catch {
    return false
  }
}

/** Reads an HMAC secret. A public key is rejected, because anyone can know it. */
function readSecret(value: unknown, filter: string): Buffer {
  const secret = toBytes(value)
  if (secret.length === 0) throw new ArgumentFault(`${filter} filter - the secret must not be empty`)
  if (isPem(secret.toString('latin1'))) throw new ArgumentFault(`${filter} filter - a PEM key cannot be an HMAC secret`)
  return secret
}

function requireCurve(key: KeyObject, { name, curve }: JwtAlgorithm, filter: string): KeyObject {
  if (key.asymmetricKeyDetails?.namedCurve !== curve)
    throw new ArgumentFault(`${filter} filter - ${name} needs a key of the curve ${curve}`)
  return key
}

/** Maximum number of keys of a set that are searched. */
const MAX_KEYS = 1000

/**
 * Returns the key in a JSON Web Key Set with the token's `kid`. A set of one key needs no `kid`.
 * @throws ArgumentFault when no key has it, or the key is not an RSA key for this algorithm
 */
export function findKeyInSet(jwks: unknown, kid: unknown, algorithm: JwtAlgorithm, filter: string): KeyObject {
  if (algorithm.family !== 'RS')
    throw new ArgumentFault(`${filter} filter - jwks only works with RS256, RS384 and RS512`)
  const keys = isHash(jwks) ? jwks['keys'] : jwks
  if (!Array.isArray(keys)) throw new ArgumentFault(`${filter} filter - jwks must be a hash with an array of keys`)
  const usable = keys.slice(0, MAX_KEYS).filter((key) => isHash(key) && key['kty'] === 'RSA' && key['use'] !== 'enc')
  const matchingKeys = kid === null || kid === undefined ? usable : usable.filter((key) => str(key['kid']) === str(kid))
  const [matchingKey] = matchingKeys
  if (matchingKeys.length !== 1 || !isHash(matchingKey) || !supportsAlgorithm(matchingKey, algorithm))
    throw new ArgumentFault(`${filter} filter - jwks has no key for the token`)
  try {
    const key = createPublicKey({
      key: { kty: 'RSA', n: str(matchingKey['n']), e: str(matchingKey['e']) },
      format: 'jwk',
    })
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
    // Weak keys are rejected, because their signatures could be forged.
    if (modulusLength >= 1024 && publicExponent >= 3n) return key
  } catch {
    // The fault is thrown below.
  }
  throw new ArgumentFault(`${filter} filter - the key in jwks cannot be read`)
}

function supportsAlgorithm(key: Readonly<Record<string, unknown>>, { name }: JwtAlgorithm): boolean {
  const alg = key['alg'] ?? null
  return alg === null || alg === name
}
