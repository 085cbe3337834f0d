/** Caches plans of operations: all operations of the site, and a limited number of other documents. */
import { LRUCache } from 'lru-cache'
import { type Plan, planOperation, QueryError } from '../../../../runtime/data/query/index.ts'
import type { Problem } from '../../../../runtime/data/query/model.ts'

export interface Plans {
  /**
   * Returns the plan of a stored operation.
   * @throws QueryError, the same object for the same text
   */
  stored(document: string): Plan
  /** Plans a stored operation in advance. A planning error is thrown by `stored`. */
  warm(document: string): void
  /**
   * Returns the plan of any other document.
   * @throws QueryError
   */
  planDocument(document: string, operationName: string | null): Plan
}

type PlanResult = { readonly plan: Plan } | { readonly error: QueryError }

/**
 * Creates an empty cache. Plans contain statements for one catalog, so a changed schema needs a new cache.
 * @param isRefused whether a variable whose type does not fit its use fails the operation
 */
export function createPlans(isRefused: (mismatch: Problem) => boolean): Plans {
  const stored = new Map<string, PlanResult>()
  const others = new LRUCache<string, PlanResult>({
    max: 500,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (_planned, key) => key.length * 2 + 1024,
  })
  const planStored = (document: string): PlanResult => {
    let cachedPlan = stored.get(document)
    if (cachedPlan === undefined) {
      cachedPlan = tryPlan(document, null, isRefused)
      stored.set(document, cachedPlan)
    }
    return cachedPlan
  }
  return {
    stored: (document) => unwrap(planStored(document)),
    warm: (document) => void planStored(document),
    planDocument(document, operationName) {
      const key = `${operationName ?? ''}\n${document}`
      let cachedPlan = others.get(key)
      if (cachedPlan === undefined) {
        cachedPlan = tryPlan(document, operationName, isRefused)
        others.set(key, cachedPlan)
      }
      return unwrap(cachedPlan)
    },
  }
}

function tryPlan(
  document: string,
  operationName: string | null,
  isRefused: (mismatch: Problem) => boolean,
): PlanResult {
  try {
    const plan = planOperation(document, operationName)
    const refusedMismatches = plan.mismatches.filter(isRefused)
    return refusedMismatches.length > 0 ? { error: new QueryError(refusedMismatches) } : { plan }
  } catch (error) {
    if (error instanceof QueryError) return { error }
    throw error
  }
}

function unwrap(result: PlanResult): Plan {
  if ('error' in result) throw result.error
  return result.plan
}
