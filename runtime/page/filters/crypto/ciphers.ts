/** The ciphers of `encrypt` and `decrypt` and their parameters. */
import {
  type Cipher as NodeCipher,
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  type Decipher as NodeDecipher,
  type DecipherGCM,
  getCipherInfo,
} from 'node:crypto'
import { ArgumentFault, type LiquidFault } from '../../fault.ts'
import { toBytes } from '../../values/bytes.ts'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { decodeHex, unknownAlgorithm } from './algorithms.ts'

export interface Cipher {
  /** The name of the cipher in OpenSSL. */
  readonly name: string
  /** The length of the key in bytes. */
  readonly keyLength: number
  /** Length of the initialization vector in bytes; 0 when the cipher has none. */
  readonly ivLength: number
  /** Whether the cipher authenticates. A tag of 16 bytes then follows the ciphertext. */
  readonly authenticates: boolean
}

/** The names of RSA ciphers and their padding. `RSA` uses PKCS #1 v1.5. `RSA-OAEP` is secure. */
export type RsaPadding = 'RSA' | 'RSA-OAEP'

const MODES = ['cbc', 'ecb', 'ctr', 'cfb', 'cfb8', 'ofb', 'gcm']
const SYMMETRIC: ReadonlySet<string> = new Set([
  ...[128, 192, 256].flatMap((bits) => MODES.map((mode) => `aes-${bits}-${mode}`)),
  'chacha20-poly1305',
  'chacha20',
  'des-ede3-cbc',
])

/** Length in bytes of the tag of an authenticating cipher. */
const TAG = 16
const TAGGED: object = { authTagLength: TAG }

/**
 * Returns the cipher with this name, ignoring case.
 * @throws ArgumentFault that lists the known ciphers
 */
export function findCipher(value: unknown, filter: string): Cipher | RsaPadding {
  const name = str(value).toLowerCase()
  if (name === 'rsa') return 'RSA'
  if (name === 'rsa-oaep') return 'RSA-OAEP'
  const info = SYMMETRIC.has(name) ? getCipherInfo(name) : undefined
  if (info === undefined) throw unknownAlgorithm(value, filter, [...SYMMETRIC, 'RSA', 'RSA-OAEP'])
  const authenticates = info.mode === 'gcm' || name === 'chacha20-poly1305'
  return { name, keyLength: info.keyLength, ivLength: info.ivLength ?? 0, authenticates }
}

/**
 * Returns the key of a cipher: the bytes of the text, or the bytes that it encodes in hex.
 * @throws ArgumentFault for a wrong length
 */
export function readCipherKey(value: unknown, { name, keyLength }: Cipher, isHex: boolean, filter: string): Buffer {
  const key = isHex ? decodeHex(str(value)) : toBytes(value)
  if (key === null) throw new ArgumentFault(`${filter} filter - the key is not hexadecimal`)
  if (key.length !== keyLength)
    throw new ArgumentFault(`${filter} filter - the key of ${name} must be ${keyLength} bytes, not ${key.length}`)
  return key
}

/**
 * Returns the input as bytes.
 * @throws LimitFault when there are too many
 */
export function readPayload(value: unknown): Buffer {
  const payload = toBytes(value)
  if (payload.length > MAX_TEXT) throw tooLong()
  return payload
}

/**
 * Encrypts a payload and returns the vector, the ciphertext and the tag. Without `padding`, only whole blocks are
 * accepted.
 * @throws LiquidFault created by `failed`
 */
export function encryptBytes(
  { name, authenticates }: Cipher,
  { key, iv, payload, padding }: { key: Buffer; iv: Buffer; payload: Buffer; padding: boolean },
  failed: () => LiquidFault,
): Buffer {
  try {
    const cipher = createCipheriv(name, key, iv.length === 0 ? null : iv, authenticates ? TAGGED : {})
    cipher.setAutoPadding(padding)
    const body = [iv, cipher.update(payload), cipher.final()]
    return Buffer.concat(hasTag(cipher, authenticates) ? [...body, cipher.getAuthTag()] : body)
  } catch {
    throw failed()
  }
}

/**
 * Decrypts the result of `encryptBytes`.
 * @throws LiquidFault created by `failed`. It is the same for every cause, so that it reveals nothing
 */
export function decryptBytes(
  { name, ivLength, authenticates }: Cipher,
  { key, payload, padding }: { key: Buffer; payload: Buffer; padding: boolean },
  failed: () => LiquidFault,
): Buffer {
  const end = payload.length - (authenticates ? TAG : 0)
  if (end < ivLength) throw failed()
  try {
    const iv = ivLength === 0 ? null : payload.subarray(0, ivLength)
    const decipher = createDecipheriv(name, key, iv, authenticates ? TAGGED : {})
    decipher.setAutoPadding(padding)
    if (checksTag(decipher, authenticates)) decipher.setAuthTag(payload.subarray(end))
    return Buffer.concat([decipher.update(payload.subarray(ivLength, end)), decipher.final()])
  } catch {
    throw failed()
  }
}

/** A type guard, because Node's types have `getAuthTag` only for literal cipher names. */
function hasTag(cipher: NodeCipher, authenticates: boolean): cipher is CipherGCM {
  return authenticates && 'getAuthTag' in cipher
}

function checksTag(decipher: NodeDecipher, authenticates: boolean): decipher is DecipherGCM {
  return authenticates && 'setAuthTag' in decipher
}
