/** `parse_json`: the value of a JSON text. */
import { isHash } from '../../values/access.ts'
import { parseJson } from '../../values/json.ts'
import { str } from '../../values/text.ts'
import { isBlank, truthy } from '../../values/truth.ts'
import { getOption } from '../arguments.ts'
import type { NamedArguments, Textual, Value } from '../types.ts'
import { decodeEntities } from './entities.ts'

export const aliases = ['to_hash'] as const
export const deprecated = 'assign'
export const dialect = 'platform'

/**
 * The value of the JSON text; hashes and arrays are returned unchanged, and blank text is nil. HTML entities are
 * decoded first, unless `raw_text: true`.
 * @throws ArgumentFault for invalid JSON
 */
export function parse_json(input: Textual, options: NamedArguments<{ raw_text?: Value }> = null): unknown {
  if (input === '{}') return {}
  if (input === '[]') return []
  if (Array.isArray(input) || isHash(input)) return input
  const text = str(input)
  if (isBlank(text)) return null
  return parseJson(text.includes('&') && !truthy(getOption(options, 'raw_text')) ? decodeEntities(text) : text)
}
