/** `replace`: every occurrence of a text replaced by another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAll, replaceWithReferences } from './replace-parts.ts'

/**
 * The text with every occurrence of `part` replaced; in the replacement, `\0` is the occurrence and `\\` one
 * backslash. `part` is literal text.
 * A result that is too long ends the render.
 */
export function replace(input: Textual, part: Textual, replacement: Textual = ''): string {
  const replacementText = str(replacement)
  return replacementText.includes('\\')
    ? replaceWithReferences(str(input), str(part), replacementText, true)
    : replaceAll(str(input), str(part), replacementText)
}
