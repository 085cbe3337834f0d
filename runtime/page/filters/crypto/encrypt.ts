/** `encrypt`: a text encrypted so that only the holder of a key can read it. */
import { ArgumentFault } from '../../fault.ts'
import { isHash } from '../../values/access.ts'
import { bytesOf } from '../../values/bytes.ts'
import { checkTextLength } from '../../values/limits.ts'
import { isBlank, truthy } from '../../values/truth.ts'
import { positiveArgument } from '../numbers.ts'
import { getOption } from '../options.ts'
import type { Bool, NamedArguments, Numeric, Render, Textual } from '../types.ts'
import { urlSafe } from './algorithms.ts'
import { type Cipher, cipherNamed, keyOf, payloadOf, seal } from './ciphers.ts'
import { encryptForRsa } from './rsa.ts'

export const dialect = 'platform'

/** Largest block size of `pad_payload_right`, in bytes. */
const MAX_PAD = 65_536

/**
 * The initialization vector (the given one, or random bytes), what the cipher makes of the text, and the tag of a cipher that
 * has one, as Base64 with the letters of URLs, or as hex with `return_hex`. `transform_key_to_hex` takes the key as hex;
 * `pad_payload_right: 32` fills the text up with spaces to whole blocks of 32 bytes, instead of the cipher's own padding.
 * @throws ArgumentFault for an unknown cipher, a key or vector of the wrong length, and a vector for RSA
 */
export function encrypt(
  r: Render,
  payload: Textual,
  algorithm: Textual,
  key: Textual,
  iv: Textual = null,
  options: NamedArguments<{ transform_key_to_hex?: Bool; return_hex?: Bool; pad_payload_right?: Numeric }> = null,
): string {
  const cipher = cipherNamed(algorithm, 'encrypt')
  // Named arguments directly after the key arrive in the place of the vector.
  const isGroup = isHash(iv) && options === null
  const given = isGroup ? iv : options
  const vector = isGroup || isBlank(iv) ? null : bytesOf(iv)
  const block = getOption(given, 'pad_payload_right')
  const text = padded(payloadOf(payload), block)
  // The padding of RSA is random, from a source of its own: that no two results are alike is noted as for all others.
  if (typeof cipher === 'string') void r.services.random
  const bytes =
    typeof cipher === 'string'
      ? encryptForRsa(noVector(text, vector), key, cipher)
      : seal(
          cipher,
          {
            key: keyOf(key, cipher, truthy(getOption(given, 'transform_key_to_hex')), 'encrypt'),
            iv: vectorOf(cipher, vector, r),
            payload: text,
            padding: block === null,
          },
          () => new ArgumentFault(`encrypt filter - the payload is not made of whole blocks of ${cipher.name}`),
        )
  return checkTextLength(truthy(getOption(given, 'return_hex')) ? bytes.toString('hex').toUpperCase() : urlSafe(bytes))
}

function padded(text: Buffer, block: unknown): Buffer {
  if (block === null) return text
  const size = positiveArgument(block, 'encrypt', 'pad_payload_right')
  if (size > MAX_PAD) throw new ArgumentFault(`encrypt filter - pad_payload_right must be at most ${MAX_PAD}`)
  return Buffer.concat([text, Buffer.alloc((size - (text.length % size)) % size, ' ')])
}

function noVector(text: Buffer, vector: Buffer | null): Buffer {
  if (vector !== null) throw new ArgumentFault('encrypt filter - RSA takes no initialization vector')
  return text
}

function vectorOf({ name, ivLength }: Cipher, given: Buffer | null, r: Render): Buffer {
  if (given === null) return Buffer.from(ivLength === 0 ? [] : r.services.random.bytes(ivLength))
  if (given.length !== ivLength)
    throw new ArgumentFault(
      `encrypt filter - the initialization vector of ${name} must be ${ivLength} bytes, not ${given.length}`,
    )
  return given
}
