/** Hash algorithms, and the output formats of their bytes. */
import { ArgumentFault } from '../../fault.ts'
import { decodeBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'

/** Algorithms of `digest` and of key derivation. */
const ALGORITHMS: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])

/**
 * Algorithms of keyed hashes. The platform also lists `md4`, `mdc2` and `sha` (SHA-0), which OpenSSL no longer has.
 */
export const KEYED_ALGORITHMS: ReadonlySet<string> = new Set([...ALGORITHMS, 'ripemd160', 'dss1'])

/**
 * Returns the name of an algorithm in lower case without hyphens.
 * @throws ArgumentFault for an unknown one
 */
export function findAlgorithm(
  value: unknown,
  filter: string,
  knownAlgorithms: ReadonlySet<string> = ALGORITHMS,
): string {
  const name = str(value).toLowerCase().replaceAll('-', '')
  if (!knownAlgorithms.has(name)) throw unknownAlgorithm(value, filter, knownAlgorithms)
  return name
}

/** Returns the error for an unknown algorithm, which lists the known ones. */
export function unknownAlgorithm(value: unknown, filter: string, knownAlgorithms: Iterable<string>): ArgumentFault {
  return new ArgumentFault(
    `${filter} filter - unknown algorithm '${str(value).slice(0, 30)}', it is one of ${[...knownAlgorithms].join(', ')}`,
  )
}

/**
 * Formats bytes as `hex`, `base64` or, with `none`, as a byte string.
 * @throws ArgumentFault for another format
 */
export function formatBytes(bytes: Buffer, form: unknown, filter: string): string {
  const name = str(form)
  if (name === 'none') return decodeBytes(bytes)
  if (name !== 'hex' && name !== 'base64')
    throw new ArgumentFault(`${filter} filter - the form must be hex, base64 or none`)
  return bytes.toString(name)
}

/** Encodes bytes as Base64 with the URL-safe alphabet and padding. */
export function encodeUrlSafe(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** Decodes Base64 in either alphabet, with or without padding; null when it is invalid. */
export function decodeBase64(text: string): Buffer | null {
  const base64Match = /^([A-Za-z0-9+/_-]*)={0,2}$/.exec(text.replace(/\s+/g, ''))
  const characters = base64Match?.[1]
  return characters === undefined || characters.length % 4 === 1 ? null : Buffer.from(characters, 'base64url')
}

/** Decodes hexadecimal digits; null when they are invalid. */
export function decodeHex(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : null
}
