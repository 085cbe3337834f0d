/** RSA encryption and decryption. */
import { constants, privateDecrypt, publicEncrypt } from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import type { RsaPadding } from './ciphers.ts'
import { readPrivateKey, readPublicKey, requireRsaKey } from './keys.ts'

/**
 * Encrypts with a public key.
 * @throws ArgumentFault for an invalid key, and a payload that is too long for it
 */
export function encryptForRsa(payload: Buffer, key: unknown, padding: RsaPadding): Buffer {
  const publicKey = requireRsaKey(readPublicKey(key, 'encrypt'), 'encrypt')
  const scheme = padding === 'RSA' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING
  try {
    return publicEncrypt({ key: publicKey, padding: scheme }, payload)
  } catch {
    throw new ArgumentFault('encrypt filter - the payload is too long for the RSA key')
  }
}

/**
 * Decrypts with a private key.
 * @throws ArgumentFault, which is the same for every cause
 */
export function decryptWithRsa(payload: Buffer, key: unknown, padding: RsaPadding): Buffer {
  const privateKey = requireRsaKey(readPrivateKey(key, 'decrypt'), 'decrypt')
  try {
    if (padding === 'RSA-OAEP') {
      return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, payload)
    }
    // Node does not remove PKCS #1 v1.5 padding when its OpenSSL cannot hide padding errors, so it is removed here.
    const text = removePadding(privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, payload))
    if (text !== null) return text
  } catch {
    // The cause is not reported, because it would help an attacker.
  }
  throw new ArgumentFault('decrypt filter - the payload cannot be decrypted')
}

/**
 * Returns the message in `00 02`, at least eight non-zero bytes, `00`, message; null for another format. It reads
 * every byte, so that the time reveals nothing.
 */
function removePadding(block: Buffer): Buffer | null {
  let end = 0
  for (let index = block.length - 1; index >= 2; index--) end = block[index] === 0 ? index : end
  const isWhole = Number(block[0] === 0) & Number(block[1] === 2) & Number(end >= 10)
  return isWhole === 1 ? block.subarray(end + 1) : null
}
