/** Maps spans of a text to a later version, before and after the changed part. */
import type { Span } from '../../core/source/span.ts'

/** Returns the span in `after` for a span in `before`; null if the change overlaps it. */
export type SpanMover = (span: Span) => Span | null

export function createSpanMover(textBefore: string, textAfter: string): SpanMover {
  if (textBefore === textAfter) return (span) => span
  const maxLength = Math.min(textBefore.length, textAfter.length)
  let start = 0
  while (start < maxLength && textBefore.charCodeAt(start) === textAfter.charCodeAt(start)) start++
  let suffixLength = 0
  while (
    suffixLength < maxLength - start &&
    textBefore.charCodeAt(textBefore.length - 1 - suffixLength) ===
      textAfter.charCodeAt(textAfter.length - 1 - suffixLength)
  )
    suffixLength++
  const end = textBefore.length - suffixLength
  const shift = textAfter.length - textBefore.length
  return (span) => {
    if (span.end <= start) return span
    if (span.start >= end) return { ...span, start: span.start + shift, end: span.end + shift }
    return null
  }
}
