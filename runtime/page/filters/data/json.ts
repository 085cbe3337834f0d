/** `json`: a value as JSON text. */
import { toJson } from '../../values/json.ts'
import { Json } from '../../values/text.ts'
import type { Value } from '../types.ts'

export const aliases = ['to_json'] as const
export const dialect = 'platform'

/**
 * The JSON text of the value; output writes its `<`, `>` and `&` as `\u003c` …
 * @throws ArgumentFault for a value nested without end
 */
export function json(input: Value): Json {
  return new Json(toJson(input))
}
