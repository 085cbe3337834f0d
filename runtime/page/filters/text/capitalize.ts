/** `capitalize`: the first letter in upper case, all others in lower case. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/** The text with its first letter in upper case and all others in lower case. */
export function capitalize(input: Textual): string {
  const text = str(input)
  const firstUnit = text.charCodeAt(0)
  const width = firstUnit >= 0xd800 && firstUnit <= 0xdbff ? 2 : 1
  return toTitleCase(text.slice(0, width)) + text.slice(width).toLowerCase()
}

/** Converts a letter to title case. `ß`, whose upper case is `SS`, becomes `Ss`. */
function toTitleCase(letter: string): string {
  const upper = letter.toUpperCase()
  return upper.length > letter.length ? upper.charAt(0) + upper.slice(1).toLowerCase() : upper
}
