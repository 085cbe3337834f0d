/** `ecdh_compute`: the shared secret of two keys of an elliptic curve. */
import { diffieHellman, type KeyObject } from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { formatBytes, encodeUrlSafe } from './algorithms.ts'
import { readEcPrivateKey, readEcPublicKey } from './keys.ts'

export const dialect = 'platform'

/**
 * The shared secret of a private key and another party's public key (PEM, or raw in URL-safe Base64) as bytes, as
 * hex, or as URL-safe Base64.
 * @throws ArgumentFault for keys that cannot be read or are of different curves, and for another form
 */
export function ecdh_compute(private_key: Textual, peer_public_key: Textual, output: Textual = 'none'): string {
  const secret = computeSecret(
    readEcPrivateKey(private_key, 'ecdh_compute'),
    readEcPublicKey(peer_public_key, 'ecdh_compute'),
  )
  return str(output) === 'base64' ? encodeUrlSafe(secret) : formatBytes(secret, output ?? 'none', 'ecdh_compute')
}

function computeSecret(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey })
  } catch {
    throw new ArgumentFault('ecdh_compute filter - the keys are not of the same curve')
  }
}
