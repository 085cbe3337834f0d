/** `decrypt`: the text that `encrypt` was given. */
import { ArgumentFault } from '../../fault.ts'
import { textOfBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { getOption } from '../options.ts'
import type { Bool, NamedArguments, Textual } from '../types.ts'
import { fromBase64, fromHex } from './algorithms.ts'
import { cipherNamed, keyOf, unseal } from './ciphers.ts'
import { decryptWithRsa } from './rsa.ts'

export const dialect = 'platform'

/**
 * What was encrypted: the payload is the vector, the ciphertext and the tag, in Base64, or in hex with `from_hex`.
 * `transform_key_to_hex` takes the key as hex; with `disable_cipher_padding` what fills the last block up stays.
 * @throws ArgumentFault for an unknown cipher, and for a key or payload that is not the right one
 */
export function decrypt(
  payload: Textual,
  algorithm: Textual,
  key: Textual,
  options: NamedArguments<{ transform_key_to_hex?: Bool; from_hex?: Bool; disable_cipher_padding?: Bool }> = null,
): string {
  const cipher = cipherNamed(algorithm, 'decrypt')
  const isHex = truthy(getOption(options, 'from_hex'))
  const bytes = isHex ? fromHex(str(payload)) : fromBase64(str(payload))
  if (bytes === null) throw new ArgumentFault(`decrypt filter - the payload is not ${isHex ? 'hexadecimal' : 'Base64'}`)
  if (typeof cipher === 'string') return textOfBytes(decryptWithRsa(bytes, key, cipher))
  return textOfBytes(
    unseal(
      cipher,
      {
        key: keyOf(key, cipher, truthy(getOption(options, 'transform_key_to_hex')), 'decrypt'),
        payload: bytes,
        padding: !truthy(getOption(options, 'disable_cipher_padding')),
      },
      () => new ArgumentFault('decrypt filter - the payload cannot be decrypted'),
    ),
  )
}
