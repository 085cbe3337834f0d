/** `extract_url_params`: the values of a URL template's variables in a URL. */
import { flatten } from '../../values/items.ts'
import { str } from '../../values/text.ts'
import type { Textual, Value } from '../types.ts'
import { matchTemplate } from './url-template.ts'

export const dialect = 'platform'

/**
 * The values of the template's variables in the URL, or nil when the URL does not match. With several templates, the
 * first that matches is used.
 * @throws ArgumentFault for a template that is too long
 */
export function extract_url_params(input: Textual, templates: Value): Record<string, unknown> | null {
  const url = str(input)
  for (const template of flatten([templates])) {
    const templateValues = matchTemplate(url, str(template))
    if (templateValues !== null) return templateValues
  }
  return null
}
