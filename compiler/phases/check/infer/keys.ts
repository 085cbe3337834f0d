/** Inputs of inference that are compared by identity. */
import { inlineKey, type Operations } from '../../../core/model/operation.ts'
import type { Piece } from '../piece.ts'

/** Returns the queries that a template runs. If one is unknown, the result has all stored queries, because any of them may be meant. */
export function usedOperations({ stored, inline }: Operations, { bound }: Piece): readonly unknown[] {
  const hasUnknown = bound.queries.some((query) => query.kind === 'stored' && !stored.has(query.literal ?? ''))
  const used = bound.queries.map((query) =>
    query.kind === 'stored' ? stored.get(query.literal ?? '') : inline.get(inlineKey(query.span)),
  )
  return hasUnknown ? [...used, [...stored.keys()].join('\n'), ...stored.values()] : used
}
