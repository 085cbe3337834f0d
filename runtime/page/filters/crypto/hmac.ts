/** Keyed hashes, also of the algorithms that OpenSSL no longer has. */
/// <reference path="./js-md4.d.ts" />
import { createHmac } from 'node:crypto'
import md4 from 'js-md4'
import { algorithmNamed, KEYED_ALGORITHMS } from './algorithms.ts'

/** Bytes of a block of MD4, by which HMAC pads its key (RFC 2104). */
const BLOCK = 64

/**
 * The keyed hash of a message.
 * @throws ArgumentFault for an unknown algorithm
 */
export function keyedHash(algorithm: unknown, key: Uint8Array, message: Uint8Array, filter: string): Buffer {
  const name = algorithmNamed(algorithm, filter, KEYED_ALGORITHMS)
  if (name === 'md4') return md4Hmac(key, message)
  // OpenSSL called SHA-1 so where it signed with DSA.
  return createHmac(name === 'dss1' ? 'sha1' : name, key)
    .update(message)
    .digest()
}

function md4Hmac(key: Uint8Array, message: Uint8Array): Buffer {
  const padded = Buffer.alloc(BLOCK)
  padded.set(key.length > BLOCK ? md4Of(key) : key)
  const inner = md4Of(
    padded.map((byte) => byte ^ 0x36),
    message,
  )
  return md4Of(
    padded.map((byte) => byte ^ 0x5c),
    inner,
  )
}

function md4Of(...parts: readonly Uint8Array[]): Buffer {
  const hash = md4.create()
  for (const part of parts) hash.update(part)
  return Buffer.from(hash.arrayBuffer())
}
