/** Spans as a tree that a reader follows from a request down to its statements. */
import type { EndedSpan } from '../../core/contracts/tracer.ts'

export interface TracePart {
  readonly name: string
  readonly ms: number
  /** Milliseconds after the first one began. */
  readonly at: number
  readonly [value: string]: unknown
  readonly parts?: readonly TracePart[]
}

/** The spans of one trace, those that belong to no other one first, in the order in which they began. */
export function treeOf(spans: readonly EndedSpan[]): readonly TracePart[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const began = Math.min(...spans.map(({ started }) => started))
  const below = new Map<string | null, EndedSpan[]>()
  for (const span of spans) {
    const parent = span.parentId !== null && ids.has(span.parentId) ? span.parentId : null
    below.set(parent, [...(below.get(parent) ?? []), span])
  }
  const partsOf = (parent: string | null): readonly TracePart[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => a.started - b.started)
      .map((span) => {
        const parts = partsOf(span.spanId)
        return {
          ...{ name: span.name, ms: tenth(span.ended - span.started), at: tenth(span.started - began) },
          ...span.values,
          ...(span.error !== null && { error: span.error.message }),
          ...(parts.length > 0 && { parts }),
        }
      })
  return partsOf(null)
}

function tenth(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
