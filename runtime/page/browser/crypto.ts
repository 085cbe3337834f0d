/** The subset of `node:crypto` that digest filters use, for browsers, whose built-in hashes are asynchronous. */
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from './buffer.ts'

const HASHES = { md5, ripemd160, sha1, sha224, sha256, sha384, sha512 } as const

type Algorithm = keyof typeof HASHES

interface Digest {
  update(part: Uint8Array | string): Digest
  digest(): Buffer
  digest(form: string): string
}

interface Hasher {
  update(part: Uint8Array): unknown
  digest(): Uint8Array
}

function createDigest(hasher: Hasher): Digest {
  function digest(): Buffer
  function digest(form: string): string
  function digest(form?: string): Buffer | string {
    const bytes = Buffer.from(hasher.digest())
    return form === undefined ? bytes : bytes.toString(form)
  }
  const result: Digest = {
    update(part) {
      hasher.update(typeof part === 'string' ? Buffer.from(part, 'utf8') : part)
      return result
    },
    digest,
  }
  return result
}

export function createHash(algorithm: Algorithm): Digest {
  return createDigest(HASHES[algorithm].create())
}

export function createHmac(algorithm: Algorithm, key: Uint8Array): Digest {
  return createDigest(hmac.create(HASHES[algorithm], key))
}

export function hkdfSync(
  algorithm: Algorithm,
  key: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  length: number,
): Uint8Array {
  return hkdf(HASHES[algorithm], key, salt, info, length)
}
