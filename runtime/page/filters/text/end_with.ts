/** `end_with`: whether a text ends with another one. */
import { ArgumentFault } from '../../fault.ts'
import { items } from '../../values/items.ts'
import { BoxedText } from '../../values/boxed.ts'
import { str } from '../../values/text.ts'
import { TextualHash } from '../../values/textual-hash.ts'
import type { Textual, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * Whether the text ends with the part, or with one of an array of parts.
 * @throws ArgumentFault for an input that is not text
 */
export function end_with(input: Textual, parts: Value): boolean {
  if (typeof input !== 'string' && !(input instanceof BoxedText) && !(input instanceof TextualHash)) {
    throw new ArgumentFault('end_with filter - first argument must be a string')
  }
  const text = str(input)
  return items(parts).some((part) => text.endsWith(str(part)))
}
