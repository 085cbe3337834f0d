/** `is_json_valid`: whether a text is JSON. */
import { LiquidFault } from '../../fault.ts'
import { parseJson } from '../../values/json.ts'
import { BoxedText } from '../../values/boxed.ts'
import { str } from '../../values/text.ts'
import type { Value } from '../types.ts'

export const dialect = 'platform'

/** Whether the text is valid JSON. Other values are not. */
export function is_json_valid(input: Value): boolean {
  if (typeof input !== 'string' && !(input instanceof BoxedText)) return false
  try {
    parseJson(str(input))
    return true
  } catch (error) {
    if (error instanceof LiquidFault) return false
    throw error
  }
}
