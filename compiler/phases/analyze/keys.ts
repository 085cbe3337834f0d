/** Inputs of inference that are compared by identity. */
import { inlineKey, type Operations } from '../../core/model/operation.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'

/** Returns the queries that a template runs. If one is unknown, the result has all stored queries, because any of them may be meant. */
export function usedOperations(
  { storedOperations, inline }: Operations,
  { outline }: SiteTemplate,
): readonly unknown[] {
  const hasUnknown = outline.queries.some(
    (query) => query.kind === 'stored' && !storedOperations.has(query.literal ?? ''),
  )
  const used = outline.queries.map((query) =>
    query.kind === 'stored' ? storedOperations.get(query.literal ?? '') : inline.get(inlineKey(query.span)),
  )
  return hasUnknown ? [...used, [...storedOperations.keys()].join('\n'), ...storedOperations.values()] : used
}
