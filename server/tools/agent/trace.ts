/** Builds a tree of spans, from a request down to its statements. */
import type { EndedSpan } from '../../core/contracts/tracer.ts'

export interface SpanNode {
  readonly name: string
  readonly ms: number
  /** Milliseconds after the start of the trace. */
  readonly at: number
  readonly [value: string]: unknown
  readonly parts?: readonly SpanNode[]
}

/** Returns the root spans of a trace with their children, in the order of their start. */
export function treeOf(spans: readonly EndedSpan[]): readonly SpanNode[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const startedAt = Math.min(...spans.map(({ started }) => started))
  const below = new Map<string | null, EndedSpan[]>()
  for (const span of spans) {
    const parent = span.parentId !== null && ids.has(span.parentId) ? span.parentId : null
    below.set(parent, [...(below.get(parent) ?? []), span])
  }
  const childrenOf = (parent: string | null): readonly SpanNode[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => a.started - b.started)
      .map((span) => {
        const parts = childrenOf(span.spanId)
        return {
          ...{
            name: span.name,
            ms: roundToTenth(span.ended - span.started),
            at: roundToTenth(span.started - startedAt),
          },
          ...span.values,
          ...(span.error !== null && { error: span.error.message }),
          ...(parts.length > 0 && { parts }),
        }
      })
  return childrenOf(null)
}

function roundToTenth(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
