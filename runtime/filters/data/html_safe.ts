/** `html_safe`: marks a text as safe for HTML. */
import { Json, Safe, str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { getOption } from '../options.ts'
import type { Named, Textual, Value } from '../types.ts'
import { decodeEntities } from './entities.ts'

export const dialect = 'platform'

/**
 * The text, printed from now on as it is. Entities in it are decoded first, unless `raw_text: true`. JSON stays JSON: HTML
 * still gets its `<` as `\u003c`.
 * @throws ArgumentFault for a value nested without end
 */
export function html_safe(input: Textual, options: Named<{ raw_text?: Value }> = null): Safe {
  const text = str(input)
  const decoded = truthy(getOption(options, 'raw_text')) ? text : decodeEntities(text)
  if (input instanceof Json) return new Json(decoded, true)
  return input instanceof Safe && decoded === text ? input : new Safe(decoded)
}
