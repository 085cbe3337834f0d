/** What inference depends on, as values that are compared. */
import { inlineKey, type Operations } from '../../../core/model/operation.ts'
import type { Piece } from '../piece.ts'

/** The queries that a template runs. Where one is not known, any stored query may be meant, or missed. */
export function usedOperations({ stored, inline }: Operations, { bound }: Piece): readonly unknown[] {
  const any = bound.queries.some((query) => query.kind === 'stored' && !stored.has(query.literal ?? ''))
  const used = bound.queries.map((query) =>
    query.kind === 'stored' ? stored.get(query.literal ?? '') : inline.get(inlineKey(query.span)),
  )
  return any ? [...used, [...stored.keys()].join('\n'), ...stored.values()] : used
}
