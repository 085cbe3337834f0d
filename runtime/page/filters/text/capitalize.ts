/** `capitalize`: the first letter in upper case, all others in lower case. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/** The text with a capital letter first and small ones after it. */
export function capitalize(input: Textual): string {
  const text = str(input)
  const first = text.charCodeAt(0)
  const width = first >= 0xd800 && first <= 0xdbff ? 2 : 1
  return titled(text.slice(0, width)) + text.slice(width).toLowerCase()
}

/** A letter in title case: the first of the two capitals of `ß`. */
function titled(letter: string): string {
  const upper = letter.toUpperCase()
  return upper.length > letter.length ? upper[0]! + upper.slice(1).toLowerCase() : upper
}
