/** Hash algorithms, and the output formats of their bytes. */
import { ArgumentFault } from '../../fault.ts'
import { textOfBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'

/** Algorithms of `digest`, and of keys that are derived. */
export const ALGORITHMS: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])

/** Algorithms of keyed hashes. The platform lists `md4`, `mdc2` and `sha` (SHA-0) too, which OpenSSL no longer has. */
export const KEYED_ALGORITHMS: ReadonlySet<string> = new Set([...ALGORITHMS, 'ripemd160', 'dss1'])

/**
 * The name of an algorithm, in small letters without hyphens.
 * @throws ArgumentFault for an unknown one
 */
export function algorithmNamed(v: unknown, filter: string, known: ReadonlySet<string> = ALGORITHMS): string {
  const name = str(v).toLowerCase().replaceAll('-', '')
  if (!known.has(name)) throw unknownAlgorithm(v, filter, known)
  return name
}

/** The error for an unknown algorithm, listing the known ones. */
export function unknownAlgorithm(v: unknown, filter: string, known: Iterable<string>): ArgumentFault {
  return new ArgumentFault(
    `${filter} filter - unknown algorithm '${str(v).slice(0, 30)}', it is one of ${[...known].join(', ')}`,
  )
}

/**
 * Formats bytes as `hex`, `base64` or, with `none`, as a byte string.
 * @throws ArgumentFault for another format
 */
export function formed(bytes: Buffer, form: unknown, filter: string): string {
  const name = str(form)
  if (name === 'none') return textOfBytes(bytes)
  if (name !== 'hex' && name !== 'base64')
    throw new ArgumentFault(`${filter} filter - the result is given as hex, base64 or none`)
  return bytes.toString(name)
}

/** Base64 with the URL-safe alphabet and padding. */
export function urlSafe(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** Decodes Base64 in either alphabet, with or without padding; null when it is invalid. */
export function fromBase64(text: string): Buffer | null {
  const found = /^([A-Za-z0-9+/_-]*)={0,2}$/.exec(text.replace(/\s+/g, ''))
  const signs = found?.[1]
  return signs === undefined || signs.length % 4 === 1 ? null : Buffer.from(signs, 'base64url')
}

/** Decodes hexadecimal digits; null when they are invalid. */
export function fromHex(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : null
}
