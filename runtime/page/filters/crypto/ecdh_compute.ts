/** `ecdh_compute`: the secret that two holders of keys of a curve share. */
import { diffieHellman, type KeyObject } from 'node:crypto'
import { ArgumentFault } from '../../fault.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { formed, urlSafe } from './algorithms.ts'
import { ecPrivateKeyOf, ecPublicKeyOf } from './keys.ts'

export const dialect = 'platform'

/**
 * The shared secret of a private key and another's public key (PEM, or raw in Base64 for URLs) as bytes, as hex, or as Base64
 * with the letters of URLs.
 * @throws ArgumentFault for keys that cannot be read or are of different curves, and for another form
 */
export function ecdh_compute(private_key: Textual, peer_public_key: Textual, output: Textual = 'none'): string {
  const secret = agreed(ecPrivateKeyOf(private_key, 'ecdh_compute'), ecPublicKeyOf(peer_public_key, 'ecdh_compute'))
  return str(output) === 'base64' ? urlSafe(secret) : formed(secret, output ?? 'none', 'ecdh_compute')
}

function agreed(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey })
  } catch {
    throw new ArgumentFault('ecdh_compute filter - the keys are not of the same curve')
  }
}
