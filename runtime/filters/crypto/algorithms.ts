/** Hash algorithms and the forms in which their bytes are printed. */
import { ArgumentFault } from '../../fault.ts'
import { str } from '../../values/text.ts'

const ALGORITHMS = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])

/** The name of an algorithm as `node:crypto` knows it. @throws ArgumentFault for an unknown one */
export function algorithmNamed(v: unknown, filter: string): string {
  const name = str(v).toLowerCase().replaceAll('-', '')
  if (!ALGORITHMS.has(name)) throw new ArgumentFault(`${filter} filter - unknown algorithm '${str(v).slice(0, 30)}'`)
  return name
}

/** `hex` or `base64`. @throws ArgumentFault for others: a text of ours cannot hold raw bytes */
export function encodingNamed(v: unknown, filter: string): 'hex' | 'base64' {
  const name = str(v)
  if (name !== 'hex' && name !== 'base64') throw new ArgumentFault(`${filter} filter - digest must be hex or base64`)
  return name
}
