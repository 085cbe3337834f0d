/** `sanitize`: HTML reduced to an allow-list. */
import { Safe, str } from '../../values/text.ts'
import type { Bool, Hash, List, NamedArguments, Textual, Value } from '../types.ts'
import { readRules, sanitizeMarkup } from './sanitize-markup.ts'

export const dialect = 'platform'

/**
 * The HTML reduced to the elements and attributes of the allow-list. The options replace the list; an array replaces
 * only its elements.
 * @throws ArgumentFault for invalid options
 */
export function sanitize(
  input: Textual,
  options: NamedArguments<{
    elements?: List
    attributes?: Hash
    protocols?: Hash
    add_attributes?: Hash
    remove_contents?: List
    allow_comments?: Bool
    [name: string]: Value
  }> = 'SANITIZE_DEFAULT',
  elements: List = null,
): Safe {
  const rules = readRules(options)
  return new Safe(
    sanitizeMarkup(str(input), elements === null || elements === undefined ? rules : { ...rules, elements }),
  )
}
