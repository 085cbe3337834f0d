/** `expand_url_template`: a URL from a URL template. */
import { str } from '../../values/text.ts'
import { optionalHashArgument } from '../arguments.ts'
import type { NamedArguments, Textual, Value } from '../types.ts'
import { expandTemplate } from './url-template.ts'

export const dialect = 'platform'

/**
 * The template (RFC 6570) with its variables filled in. Missing values are omitted.
 * @throws ArgumentFault when the parameters are neither a hash nor nil
 */
export function expand_url_template(input: Textual, params: NamedArguments<{ [name: string]: Value }>): string {
  return expandTemplate(str(input), optionalHashArgument(params, 'expand_url_template'))
}
