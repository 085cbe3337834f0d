/** JSON Web Encryption with `RSA1_5`, which payment providers still require and the library no longer supports. */
import { constants, createCipheriv, createHmac, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto'

interface EncryptedContent {
  readonly iv: Buffer
  readonly text: Buffer
  readonly tag: Buffer
}

/**
 * Returns the compact JWE of a payload. `enc` is `A128GCM` … or `A128CBC-HS256` ….
 * @throws Error for a key that is too small for the content key
 */
export function encryptRsa15(payload: Uint8Array, key: KeyObject, enc: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'RSA1_5', enc })).toString('base64url')
  const bits = enc.startsWith('A128') ? 128 : enc.startsWith('A192') ? 192 : 256
  const isGcm = enc.endsWith('GCM')
  const contentKey = randomBytes(isGcm ? bits / 8 : bits / 4)
  const wrapped = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, contentKey)
  const { iv, text, tag } = (isGcm ? encryptGcm : encryptCbc)(payload, contentKey, bits, Buffer.from(header))
  return [header, ...[wrapped, iv, text, tag].map((part) => part.toString('base64url'))].join('.')
}

function encryptGcm(payload: Uint8Array, key: Buffer, bits: 128 | 192 | 256, header: Buffer): EncryptedContent {
  const iv = randomBytes(12)
  const cipher = createCipheriv(`aes-${bits}-gcm`, key, iv)
  cipher.setAAD(header)
  const text = Buffer.concat([cipher.update(payload), cipher.final()])
  return { iv, text, tag: cipher.getAuthTag() }
}

/** As RFC 7518, 5.2 specifies: the first half of the key authenticates, and the second half encrypts. */
function encryptCbc(payload: Uint8Array, key: Buffer, bits: 128 | 192 | 256, header: Buffer): EncryptedContent {
  const half = key.length / 2
  const iv = randomBytes(16)
  const cipher = createCipheriv(`aes-${bits}-cbc`, key.subarray(half), iv)
  const text = Buffer.concat([cipher.update(payload), cipher.final()])
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(header.length * 8))
  const mac = createHmac(`sha${bits * 2}`, key.subarray(0, half))
    .update(header)
    .update(iv)
    .update(text)
    .update(length)
  return { iv, text, tag: mac.digest().subarray(0, half) }
}
