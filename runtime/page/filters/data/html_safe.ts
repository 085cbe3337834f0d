/** `html_safe`: marks a text as safe for HTML. */
import { Json, Safe, str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { getOption } from '../arguments.ts'
import type { NamedArguments, Textual, Value } from '../types.ts'
import { decodeEntities } from './entities.ts'

export const dialect = 'platform'

/**
 * The text marked as safe, so that output does not escape it. Entities in it are decoded first, unless `raw_text:
 * true`. Text that is already safe is unchanged. JSON stays JSON: in HTML, its `<` still becomes `\u003c`.
 * @throws ArgumentFault for a value nested without end
 */
export function html_safe(input: Textual, options: NamedArguments<{ raw_text?: Value }> = null): Safe {
  // Safe text was escaped on purpose, and decoding it would undo that.
  if (input instanceof Safe && !(input instanceof Json)) return input
  const text = str(input)
  const decoded = truthy(getOption(options, 'raw_text')) ? text : decodeEntities(text)
  return input instanceof Json ? new Json(decoded, true) : new Safe(decoded)
}
