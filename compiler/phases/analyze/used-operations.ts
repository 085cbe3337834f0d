/** Stamps of the queries that a template runs. */
import { inlineKey, type Operation, type Operations } from '../../core/model/operation.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { operationStamp } from '../../language/types/operation-stamp.ts'

/** Returns the stamps of the queries that a template runs. If one is unknown, any stored query may be meant, so that all are returned. */
export function usedOperationStamps(
  { storedOperations, inline, data }: Operations,
  { outline }: SiteTemplate,
): readonly (string | null)[] {
  const stampOf = (operation: Operation | undefined) =>
    operation === undefined ? null : operationStamp(operation, data)
  const hasUnknown = outline.queries.some(
    (query) => query.kind === 'stored' && !storedOperations.has(query.literal ?? ''),
  )
  const used = outline.queries.map((query) =>
    stampOf(query.kind === 'stored' ? storedOperations.get(query.literal ?? '') : inline.get(inlineKey(query.span))),
  )
  const all = [...storedOperations].flatMap(([name, operation]) => [name, stampOf(operation)])
  return hasUnknown ? [...used, ...all] : used
}
