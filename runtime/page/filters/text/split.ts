/** `split`: the parts of a text between separators. */
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

/**
 * The parts of the text between the separators; an array is returned unchanged. A single space separates at any
 * whitespace; the empty text separates characters. Empty parts at the end are dropped.
 */
export function split(input: string, separator: Textual): readonly string[]
export function split(input: Textual, separator: Textual): readonly unknown[]
export function split(input: Textual, separator: Textual): readonly unknown[] {
  if (Array.isArray(input)) return input
  const text = str(input)
  const separatorText = str(separator)
  if (separatorText === ' ') return splitWords(text)
  if (text === '') return []
  if (separatorText === '') return Array.from(text)
  const parts = text.split(separatorText)
  let end = parts.length
  while (end > 0 && parts[end - 1] === '') end--
  parts.length = end
  return parts
}

function splitWords(text: string): string[] {
  return text.match(/[^\t-\r ]+/g) ?? []
}
