/** Where places of a text are in a later one: before and behind what was changed. */
import type { Span } from '../../core/source/span.ts'

/** The place in `after` of a place in `before`; null for one that the change has touched. */
export type SpanMover = (span: Span) => Span | null

export function movedBetween(before: string, after: string): SpanMover {
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
