/** `encrypt`: a text encrypted with a key. */
import { ArgumentFault } from '../../fault.ts'
import { isHash } from '../../values/access.ts'
import { toBytes } from '../../values/bytes.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { isBlank, truthy } from '../../values/truth.ts'
import { positiveArgument } from '../number-arguments.ts'
import { getOption } from '../arguments.ts'
import type { Bool, NamedArguments, Numeric, Render, Textual } from '../types.ts'
import { encodeUrlSafe } from './algorithms.ts'
import { type Cipher, findCipher, readCipherKey, readPayload, encryptBytes } from './ciphers.ts'
import { encryptForRsa } from './rsa.ts'

export const dialect = 'platform'

/** Maximum block size of `pad_payload_right`, in bytes. */
const MAX_PAD = 65_536

/**
 * The initialization vector (given or random), the ciphertext, and the tag of an authenticating cipher, as URL-safe
 * Base64, or as hex with `return_hex`. With `transform_key_to_hex` the key is in hex. `pad_payload_right: 32` pads
 * the text with spaces to blocks of 32 bytes, instead of the cipher's own padding.
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
  const cipher = findCipher(algorithm, 'encrypt')
  // Named arguments that directly follow the key arrive in the parameter `iv`.
  const isGroup = isHash(iv) && options === null
  const namedArguments = isGroup ? iv : options
  const vector = isGroup || isBlank(iv) ? null : toBytes(iv)
  const block = getOption(namedArguments, 'pad_payload_right')
  const text = padPayload(readPayload(payload), block)
  // RSA uses its own random source for its padding. Reading `random` marks the output as not repeatable, as for other ciphers.
  if (typeof cipher === 'string') void r.services.random
  const bytes =
    typeof cipher === 'string'
      ? encryptForRsa(refuseVector(text, vector), key, cipher)
      : encryptBytes(
          cipher,
          {
            key: readCipherKey(key, cipher, truthy(getOption(namedArguments, 'transform_key_to_hex')), 'encrypt'),
            iv: createVector(cipher, vector, r),
            payload: text,
            padding: block === null,
          },
          () =>
            new ArgumentFault(
              `encrypt filter - the length of the payload must be a multiple of the block size of ${cipher.name}`,
            ),
        )
  return checkTextLength(
    truthy(getOption(namedArguments, 'return_hex')) ? bytes.toString('hex').toUpperCase() : encodeUrlSafe(bytes),
  )
}

function padPayload(text: Buffer, block: unknown): Buffer {
  if (block === null) return text
  const size = positiveArgument(block, 'encrypt', 'pad_payload_right')
  if (size > MAX_PAD) throw new ArgumentFault(`encrypt filter - pad_payload_right must be at most ${MAX_PAD}`)
  return Buffer.concat([text, Buffer.alloc((size - (text.length % size)) % size, ' ')])
}

function refuseVector(text: Buffer, vector: Buffer | null): Buffer {
  if (vector !== null) throw new ArgumentFault('encrypt filter - RSA takes no initialization vector')
  return text
}

function createVector({ name, ivLength }: Cipher, givenVector: Buffer | null, r: Render): Buffer {
  if (givenVector === null) return Buffer.from(ivLength === 0 ? [] : r.services.random.bytes(ivLength))
  if (givenVector.length !== ivLength)
    throw new ArgumentFault(
      `encrypt filter - the initialization vector of ${name} must be ${ivLength} bytes, not ${givenVector.length}`,
    )
  return givenVector
}
