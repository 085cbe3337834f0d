/** `remove`: a text without every occurrence of another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAll } from './replace-parts.ts'

/** The text without every occurrence of `part`. */
export function remove(input: Textual, part: Textual): string {
  return replaceAll(str(input), str(part), '')
}
