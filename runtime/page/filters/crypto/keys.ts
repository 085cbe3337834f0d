/** Keys in the forms that templates use: PEM, or the raw scalars and points of elliptic curves in URL-safe Base64. */
import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import { str } from '../../values/text.ts'
import { decodeBase64 } from './algorithms.ts'

/** Maximum length of a key in characters, because the time for parsing grows faster than linearly. */
const MAX_KEY = 65_536

interface Curve {
  /** The name of the curve in OpenSSL. */
  readonly name: string
  /** The name of the curve in a JSON Web Key. */
  readonly crv: string
  /** Bytes of a scalar and of each coordinate. */
  readonly size: number
}

const CURVES: readonly Curve[] = [
  { name: 'prime256v1', crv: 'P-256', size: 32 },
  { name: 'secp384r1', crv: 'P-384', size: 48 },
  { name: 'secp521r1', crv: 'P-521', size: 66 },
]

/** Checks whether a text is a PEM block, which must not be used as an HMAC secret. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ')
}

/** Reads the private key of a PEM text. @throws ArgumentFault `<filter> filter - the private key cannot be read` */
export function readPrivateKey(value: unknown, filter: string): KeyObject {
  return readKey(value, (text) => (isPem(text) ? createPrivateKey(text) : null), filter, 'private')
}

/**
 * Reads the public key of a PEM text, which may be a public key, a certificate, or a private key.
 * @throws ArgumentFault as `readPrivateKey`
 */
export function readPublicKey(value: unknown, filter: string): KeyObject {
  return readKey(value, (text) => (isPem(text) ? createPublicKey(text) : null), filter, 'public')
}

/**
 * Reads the private key of a curve: PEM, or its raw scalar.
 * @throws ArgumentFault as `readPrivateKey`, and for a key of another kind
 */
export function readEcPrivateKey(value: unknown, filter: string): KeyObject {
  return requireEcKey(
    readKey(value, (text) => (isPem(text) ? createPrivateKey(text) : keyFromScalar(text)), filter, 'private'),
    filter,
  )
}

/**
 * Reads the public key of a curve: PEM, or its raw uncompressed point. @throws ArgumentFault as `readEcPrivateKey`
 */
export function readEcPublicKey(value: unknown, filter: string): KeyObject {
  return requireEcKey(
    readKey(value, (text) => (isPem(text) ? createPublicKey(text) : keyFromPoint(text)), filter, 'public'),
    filter,
  )
}

function readKey(
  value: unknown,
  make: (text: string) => KeyObject | null,
  filter: string,
  kind: 'private' | 'public',
): KeyObject {
  const text = str(value).trim()
  try {
    const key = text.length > MAX_KEY ? null : make(text)
    if (key !== null) return key
  } catch {
    // OpenSSL's own message is dropped, because it names internal routines.
  }
  throw new ArgumentFault(`${filter} filter - the ${kind} key cannot be read`)
}

/**
 * Returns the key unchanged.
 * @throws ArgumentFault when it is not an RSA key
 */
export function requireRsaKey(key: KeyObject, filter: string): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new ArgumentFault(`${filter} filter - the key is not an RSA key`)
  return key
}

function requireEcKey(key: KeyObject, filter: string): KeyObject {
  if (key.asymmetricKeyType !== 'ec') throw new ArgumentFault(`${filter} filter - the key is not of an elliptic curve`)
  return key
}

function keyFromScalar(text: string): KeyObject | null {
  const scalar = decodeBase64(text)
  const curve = CURVES.find(({ size }) => size === scalar?.length)
  if (scalar === null || curve === undefined) return null
  const pair = createECDH(curve.name)
  pair.setPrivateKey(scalar)
  const jwk = { ...pointToJwk(pair.getPublicKey(), curve), d: scalar.toString('base64url') }
  return createPrivateKey({ key: jwk, format: 'jwk' })
}

function keyFromPoint(text: string): KeyObject | null {
  const point = decodeBase64(text)
  const curve = CURVES.find(({ size }) => 2 * size + 1 === point?.length)
  if (point === null || curve === undefined || point[0] !== 4) return null
  return createPublicKey({ key: pointToJwk(point, curve), format: 'jwk' })
}

/** Converts an uncompressed point (4, then both coordinates) to a JSON Web Key. */
function pointToJwk(point: Buffer, { crv, size }: Curve): { kty: 'EC'; crv: string; x: string; y: string } {
  const part = (from: number): string => point.subarray(from, from + size).toString('base64url')
  return { kty: 'EC', crv, x: part(1), y: part(1 + size) }
}
