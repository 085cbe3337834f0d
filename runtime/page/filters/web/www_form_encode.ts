/** `www_form_encode`: nested data as form-encoded text. */
import { ArgumentFault } from '../../fault.ts'
import { isHash } from '../../values/access.ts'
import type { Hash } from '../types.ts'
import { encodeForm } from './encode-form.ts'

export const aliases = ['www_form_encode_rc'] as const
export const dialect = 'platform'

/**
 * The data as form-encoded text. Array items have their indexes.
 * @throws ArgumentFault for an input that is neither a hash, an array nor nil
 */
export function www_form_encode(input: Hash): string {
  if (input === null || input === undefined) return ''
  if (!isHash(input) && !Array.isArray(input)) {
    throw new ArgumentFault('www_form_encode filter - first argument must be a hash or an array')
  }
  return encodeForm(input, true)
}
