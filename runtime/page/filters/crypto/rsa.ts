/** Encryption for the holder of an RSA key. */
import { constants, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import type { RsaPadding } from './ciphers.ts'
import { privateKeyOf, publicKeyOf } from './keys.ts'

/** What only the private key reads. @throws ArgumentFault for a key that is none, and a payload that it cannot hold */
export function encryptForRsa(payload: Buffer, key: unknown, padding: RsaPadding): Buffer {
  const publicKey = rsaOnly(publicKeyOf(key, 'encrypt'), 'encrypt')
  const scheme = padding === 'RSA' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING
  try {
    return publicEncrypt({ key: publicKey, padding: scheme }, payload)
  } catch {
    throw new ArgumentFault('encrypt filter - the payload is too long for the RSA key')
  }
}

/** What was encrypted for the key. @throws ArgumentFault, the same whatever is wrong */
export function decryptWithRsa(payload: Buffer, key: unknown, padding: RsaPadding): Buffer {
  const privateKey = rsaOnly(privateKeyOf(key, 'decrypt'), 'decrypt')
  try {
    if (padding === 'RSA-OAEP') {
      return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, payload)
    }
    // Node refuses to take the padding of PKCS #1 1.5 off where its OpenSSL cannot hide that it is wrong.
    const text = unpadded(privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, payload))
    if (text !== null) return text
  } catch {
    // As below: what is wrong is not told, since a forger could learn from it.
  }
  throw new ArgumentFault('decrypt filter - the payload cannot be decrypted')
}

function rsaOnly(key: KeyObject, filter: string): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new ArgumentFault(`${filter} filter - the key is not an RSA key`)
  return key
}

/** The message of `00 02`, eight or more bytes that are not 0, `00`, message; null when it is not that. Looks at every byte. */
function unpadded(block: Buffer): Buffer | null {
  let end = 0
  for (let index = block.length - 1; index >= 2; index--) end = block[index] === 0 ? index : end
  const isWhole = Number(block[0] === 0) & Number(block[1] === 2) & Number(end >= 10)
  return isWhole === 1 ? block.subarray(end + 1) : null
}
