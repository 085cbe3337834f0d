/** Searches the text after a place for reads of a variable. */
import type { Span } from '../../../core/source/span.ts'
import type { Walk } from './walk.ts'

/** Returns whether the text after a place reads a variable that it does not set again. */
export function isReadAfter(walk: Walk, name: string, { end }: Span): boolean {
  const textAfter = walk.siteTemplate.unit.file.text.slice(end)
  return new RegExp(`\\b${name}\\b`).test(textAfter) && !new RegExp(`\\b${name}\\s*(?:=(?!=)|<<)`).test(textAfter)
}

/** Returns whether the text after a place reads a part of a variable. */
export function isPartReadAfter(walk: Walk, name: string, key: string, { end }: Span): boolean {
  if (!/^\w+$/.test(key)) return false
  const part = new RegExp(`\\b${name}(?:\\.${key}\\b|\\[["']${key}["']\\])`)
  return part.test(walk.siteTemplate.unit.file.text.slice(end))
}
