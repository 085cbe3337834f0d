/** Maps spans of a text to a later version, before and after the changed part. */
import type { Span } from '../../core/source/span.ts'

/** Returns the span in `after` for a span in `before`; null if the change overlaps it. */
export type SpanMover = (span: Span) => Span | null

export function createSpanMover(before: string, after: string): SpanMover {
  if (before === after) return (span) => span
  const maxLength = Math.min(before.length, after.length)
  let start = 0
  while (start < maxLength && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let suffixLength = 0
  while (
    suffixLength < maxLength - start &&
    before.charCodeAt(before.length - 1 - suffixLength) === after.charCodeAt(after.length - 1 - suffixLength)
  )
    suffixLength++
  const end = before.length - suffixLength
  const shift = after.length - before.length
  return (span) => {
    if (span.end <= start) return span
    if (span.start >= end) return { ...span, start: span.start + shift, end: span.end + shift }
    return null
  }
}
