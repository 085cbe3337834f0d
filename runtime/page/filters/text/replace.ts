/** `replace`: every occurrence of a text replaced by another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAll } from './replacing.ts'

/**
 * The text with every occurrence of `part` replaced, literally.
 * A result that is too long ends the render.
 */
export function replace(input: Textual, part: Textual, replacement: Textual = ''): string {
  return replaceAll(str(input), str(part), str(replacement))
}
