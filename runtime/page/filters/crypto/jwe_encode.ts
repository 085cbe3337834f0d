/** `jwe_encode`: a text as a JSON Web Encryption. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import { toBytes } from '../../values/bytes.ts'
import { isFields } from '../../values/fields.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { unknownAlgorithm } from './algorithms.ts'
import { readPayload } from './ciphers.ts'
import { encryptRsa15 } from './jwe-rsa15.ts'
import { isPem, readPublicKey } from './keys.ts'

export const aliases = ['jwe_encode_rc'] as const
export const dialect = 'platform'

const SIZES = ['128', '192', '256']
const WRAPS = SIZES.map((bits) => `A${bits}KW`)
/** Key management algorithms, and whether they use a public key or a shared secret. */
const ALGORITHMS: ReadonlyMap<string, 'public' | 'secret'> = new Map<string, 'public' | 'secret'>([
  ...['RSA1_5', 'RSA-OAEP', 'RSA-OAEP-256', 'RSA-OAEP-384', 'RSA-OAEP-512', 'ECDH-ES'].map(
    (name) => [name, 'public'] as const,
  ),
  ...WRAPS.map((name) => [`ECDH-ES+${name}`, 'public'] as const),
  ...[...WRAPS, ...SIZES.map((bits) => `A${bits}GCMKW`)].map((name) => [name, 'secret'] as const),
  ...['PBES2-HS256+A128KW', 'PBES2-HS384+A192KW', 'PBES2-HS512+A256KW'].map((name) => [name, 'secret'] as const),
  ['dir', 'secret'],
])
const CONTENT = new Set(['A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512', 'A128GCM', 'A192GCM', 'A256GCM'])

/**
 * The compact JWE of a JSON text. The key is a public key (PEM, or a JSON Web Key as text), or the secret of a
 * symmetric algorithm.
 * @throws ArgumentFault for a key or algorithm that does not fit
 */
export async function jwe_encode(json: Textual, key: Textual, alg: Textual, enc: Textual): Promise<string> {
  const kind = ALGORITHMS.get(str(alg))
  if (kind === undefined) throw unknownAlgorithm(alg, 'jwe_encode', ALGORITHMS.keys())
  if (!CONTENT.has(str(enc))) throw unknownAlgorithm(enc, 'jwe_encode', CONTENT)
  const payload = readPayload(json)
  const recipient = kind === 'public' ? readRecipientKey(key) : readSecret(key)
  try {
    return checkTextLength(await encryptCompact(payload, recipient, str(alg), str(enc)))
  } catch {
    throw new ArgumentFault(`jwe_encode filter - the key does not fit ${str(alg)} with ${str(enc)}`)
  }
}

async function encryptCompact(
  payload: Uint8Array,
  key: KeyObject | Uint8Array,
  alg: string,
  enc: string,
): Promise<string> {
  if (alg === 'RSA1_5' && !(key instanceof Uint8Array)) return encryptRsa15(payload, key, enc)
  const { CompactEncrypt } = await import('jose')
  return new CompactEncrypt(payload).setProtectedHeader({ alg, enc }).encrypt(key)
}

function readRecipientKey(key: unknown): KeyObject {
  const text = str(key)
  if (isPem(text)) return readPublicKey(text, 'jwe_encode')
  try {
    const jwk: unknown = JSON.parse(text)
    if (isFields(jwk)) return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    // The fault is thrown below.
  }
  throw new ArgumentFault('jwe_encode filter - the public key cannot be read')
}

function readSecret(key: unknown): Uint8Array {
  const bytes = toBytes(key)
  if (bytes.length === 0) throw new ArgumentFault('jwe_encode filter - the secret must not be empty')
  return bytes
}
