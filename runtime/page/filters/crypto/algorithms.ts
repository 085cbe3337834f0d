/** Hash algorithms and the forms in which their bytes are given. */
import { ArgumentFault } from '../../fault.ts'
import { textOfBytes } from '../../values/bytes.ts'
import { str } from '../../values/text.ts'

const ALGORITHMS = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])

/** The name of an algorithm as `node:crypto` knows it. @throws ArgumentFault for an unknown one */
export function algorithmNamed(v: unknown, filter: string): string {
  const name = str(v).toLowerCase().replaceAll('-', '')
  if (!ALGORITHMS.has(name)) throw unknownAlgorithm(v, filter, ALGORITHMS)
  return name
}

/** The refusal of a name that is none of those that are known. */
export function unknownAlgorithm(v: unknown, filter: string, known: Iterable<string>): ArgumentFault {
  return new ArgumentFault(
    `${filter} filter - unknown algorithm '${str(v).slice(0, 30)}', it is one of ${[...known].join(', ')}`,
  )
}

/** Bytes as `hex`, `base64` or, with `none`, as they are. @throws ArgumentFault for another form */
export function formed(bytes: Buffer, form: unknown, filter: string): string {
  const name = str(form)
  if (name === 'none') return textOfBytes(bytes)
  if (name !== 'hex' && name !== 'base64')
    throw new ArgumentFault(`${filter} filter - the result is given as hex, base64 or none`)
  return bytes.toString(name)
}

/** Bytes as Base64 with the letters that URLs allow, and with padding. */
export function urlSafe(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** The bytes of Base64 in either alphabet, padded or not; null for what is none. */
export function fromBase64(text: string): Buffer | null {
  const found = /^([A-Za-z0-9+/_-]*)={0,2}$/.exec(text.replace(/\s+/g, ''))
  const signs = found?.[1]
  return signs === undefined || signs.length % 4 === 1 ? null : Buffer.from(signs, 'base64url')
}

/** The bytes of hexadecimal digits; null for what is none. */
export function fromHex(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : null
}
