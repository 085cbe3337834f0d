/** `replace_first`: the first occurrence of a text replaced by another one. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { replaceAt, replaceWithReferences } from './replace-parts.ts'

/**
 * The text with the first occurrence of `part` replaced; in the replacement, `\0` is the occurrence and `\\` one
 * backslash. `part` is literal text.
 * A result that is too long ends the render.
 */
export function replace_first(input: Textual, part: Textual, replacement: Textual = ''): string {
  const text = str(input)
  const replacedText = str(part)
  const replacementText = str(replacement)
  return replacementText.includes('\\')
    ? replaceWithReferences(text, replacedText, replacementText, false)
    : replaceAt(text, text.indexOf(replacedText), replacedText, replacementText)
}
