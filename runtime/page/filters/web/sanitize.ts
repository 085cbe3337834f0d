/** `sanitize`: HTML reduced to an allow-list. */
import { Safe, str } from '../../values/text.ts'
import type { Bool, Hash, List, NamedArguments, Textual, Value } from '../types.ts'
import { rulesOf, sanitized } from './sanitizing.ts'

export const dialect = 'platform'

/**
 * The HTML without elements and attributes outside the allow-list; options replace the list, a list of elements replaces its elements.
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
  const rules = rulesOf(options)
  return new Safe(sanitized(str(input), elements === null || elements === undefined ? rules : { ...rules, elements }))
}
