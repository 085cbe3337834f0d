/** Maps spans of a text to a later version, before and after the changed part. */
import type { Span } from '../../core/source/span.ts'

/** Returns the span in `after` for a span in `before`; null if the change overlaps it. */
export type SpanMover = (span: Span) => Span | null

export function createSpanMover(before: string, after: string): SpanMover {
  if (before === after) return (span) => span
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let behind = 0
  while (
    behind < most - start &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  )
    behind++
  const end = before.length - behind
  const by = after.length - before.length
  return (span) => {
    if (span.end <= start) return span
    if (span.start >= end) return { ...span, start: span.start + by, end: span.end + by }
    return null
  }
}
