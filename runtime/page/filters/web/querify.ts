/** `querify`: a hash as the query of a URL. */
import { optionalHashArgument } from '../options.ts'
import type { Hash } from '../types.ts'
import { formText } from './form-text.ts'

export const dialect = 'platform'

/**
 * The pairs of the hash as the text of a query, in their order.
 * @throws ArgumentFault when the input is neither a hash nor nil
 */
export function querify(input: Hash): string {
  return formText(optionalHashArgument(input, 'querify'), false)
}
