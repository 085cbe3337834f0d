/** Replaces parts of a text, within the maximum length. */
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { fillReplacement, parseReplacement } from './replacement.ts'

/**
 * Replaces every `part` of a text. An empty part matches between all characters. @throws LimitFault for a text that
 * grows too long
 */
export function replaceAll(text: string, part: string, replacement: string): string {
  if (part === '') return insertBetween(text, replacement)
  const growth = replacement.length - part.length
  if (growth > 0 && (text.length / part.length) * growth > MAX_TEXT) checkGrowth(text, part, growth)
  // A function keeps `$1` in the replacement literal. Without a `$`, passing the text is faster.
  return replacement.includes('$') ? text.replaceAll(part, () => replacement) : text.replaceAll(part, replacement)
}

function checkGrowth(text: string, part: string, growth: number): void {
  let size = text.length
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    size += growth
    if (size > MAX_TEXT) throw tooLong()
  }
}

function insertBetween(text: string, separator: string): string {
  if ((text.length + 1) * separator.length + text.length > MAX_TEXT) throw tooLong()
  let out = separator
  for (const character of text) out += character + separator
  return out
}

/**
 * Replaces the `part` at an index. An index below 0 changes nothing. @throws LimitFault for a text that grows too
 * long
 */
export function replaceAt(text: string, index: number, part: string, replacement: string): string {
  if (index < 0) return text
  if (text.length + replacement.length > MAX_TEXT) throw tooLong()
  return text.slice(0, index) + replacement + text.slice(index + part.length)
}

/**
 * Replaces each `part` of a text, or only the first one, by a text whose backslashes refer to the match, as in Ruby.
 * @throws LimitFault for a text that grows too long
 */
export function replaceWithReferences(text: string, part: string, replacement: string, replacesAll: boolean): string {
  const parts = parseReplacement(replacement, null)
  let out = ''
  let copiedTo = 0
  for (let start = text.indexOf(part); start >= 0; start = nextOffset(text, part, start)) {
    const end = start + part.length
    out += text.slice(copiedTo, start) + fillReplacement(parts, text, { start, end, groups: [] })
    if (out.length > MAX_TEXT) throw tooLong()
    copiedTo = end
    if (!replacesAll) break
  }
  out += text.slice(copiedTo)
  if (out.length > MAX_TEXT) throw tooLong()
  return out
}

/**
 * Returns the offset of the next `part` after the one at `start`, or -1. An empty part matches after each character.
 */
function nextOffset(text: string, part: string, start: number): number {
  if (part !== '') return text.indexOf(part, start + part.length)
  if (start >= text.length) return -1
  return start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
}
