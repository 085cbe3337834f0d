/** `decrypt`: the text from the result of `encrypt`. */
import { ArgumentFault } from '../../fault.ts'
import { decodeBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { getOption } from '../arguments.ts'
import type { Bool, NamedArguments, Textual } from '../types.ts'
import { decodeBase64, decodeHex } from './algorithms.ts'
import { findCipher, readCipherKey, decryptBytes } from './ciphers.ts'
import { decryptWithRsa } from './rsa.ts'

export const dialect = 'platform'

/**
 * The decrypted text. The payload is the vector, the ciphertext and the tag, in Base64, or in hex with `from_hex`.
 * With `transform_key_to_hex` the key is in hex. With `disable_cipher_padding` the padding of the last block is not
 * removed.
 * @throws ArgumentFault for an unknown cipher, and for a wrong key or payload
 */
export function decrypt(
  payload: Textual,
  algorithm: Textual,
  key: Textual,
  options: NamedArguments<{ transform_key_to_hex?: Bool; from_hex?: Bool; disable_cipher_padding?: Bool }> = null,
): string {
  const cipher = findCipher(algorithm, 'decrypt')
  const isHex = truthy(getOption(options, 'from_hex'))
  const bytes = isHex ? decodeHex(str(payload)) : decodeBase64(str(payload))
  if (bytes === null) throw new ArgumentFault(`decrypt filter - the payload is not ${isHex ? 'hexadecimal' : 'Base64'}`)
  if (typeof cipher === 'string') return decodeBytes(decryptWithRsa(bytes, key, cipher))
  return decodeBytes(
    decryptBytes(
      cipher,
      {
        key: readCipherKey(key, cipher, truthy(getOption(options, 'transform_key_to_hex')), 'decrypt'),
        payload: bytes,
        padding: !truthy(getOption(options, 'disable_cipher_padding')),
      },
      () => new ArgumentFault('decrypt filter - the payload cannot be decrypted'),
    ),
  )
}
