/** `extract_url_params`: the values of a template's variables in a URL. */
import { flatten } from '../../values/items.ts'
import { str } from '../../values/text.ts'
import type { Textual, Value } from '../types.ts'
import { extract } from './url-template.ts'

export const dialect = 'platform'

/**
 * The values that the URL has for the variables of the template, or of the first of several that fits; nil when none does.
 * @throws ArgumentFault for a template that is too long
 */
export function extract_url_params(input: Textual, templates: Value): Record<string, unknown> | null {
  const url = str(input)
  for (const template of flatten([templates])) {
    const found = extract(url, str(template))
    if (found !== null) return found
  }
  return null
}
