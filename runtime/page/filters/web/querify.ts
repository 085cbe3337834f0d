/** `querify`: a hash as a URL query. */
import { optionalHashArgument } from '../arguments.ts'
import type { Hash } from '../types.ts'
import { encodeForm } from './encode-form.ts'

export const dialect = 'platform'

/**
 * The pairs of the hash as a URL query, in their order.
 * @throws ArgumentFault when the input is neither a hash nor nil
 */
export function querify(input: Hash): string {
  return encodeForm(optionalHashArgument(input, 'querify'), false)
}
