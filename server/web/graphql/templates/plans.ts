/** Caches plans of operations: those of the site by text, and a bounded number of others. */
import { LRUCache } from 'lru-cache'
import { type Plan, planOperation, QueryError } from '../../../../runtime/data/query/index.ts'
import type { Problem } from '../../../../runtime/data/query/model.ts'

export interface Plans {
  /**
   * The plan of a stored operation.
   * @throws QueryError, the same one for the same text
   */
  stored(document: string): Plan
  /** Plans a stored operation; one that cannot be planned says so when it is asked for. */
  warm(document: string): void
  /**
   * The plan of any other document.
   * @throws QueryError
   */
  other(document: string, operationName: string | null): Plan
}

type PlanResult = { readonly plan: Plan } | { readonly error: QueryError }

/**
 * Plans contain statements for one catalog, so another schema needs new ones.
 * @param refuses whether a variable whose type does not fit its use fails the operation
 */
export function createPlans(refuses: (mismatch: Problem) => boolean): Plans {
  const stored = new Map<string, PlanResult>()
  const others = new LRUCache<string, PlanResult>({
    max: 500,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (_planned, key) => key.length * 2 + 1024,
  })
  const storedResult = (document: string): PlanResult => {
    let known = stored.get(document)
    if (known === undefined) {
      known = planned(document, null, refuses)
      stored.set(document, known)
    }
    return known
  }
  return {
    stored: (document) => given(storedResult(document)),
    warm: (document) => void storedResult(document),
    other(document, operationName) {
      const key = `${operationName ?? ''}\n${document}`
      let known = others.get(key)
      if (known === undefined) {
        known = planned(document, operationName, refuses)
        others.set(key, known)
      }
      return given(known)
    },
  }
}

function planned(document: string, operationName: string | null, refuses: (mismatch: Problem) => boolean): PlanResult {
  try {
    const plan = planOperation(document, operationName)
    const refused = plan.mismatches.filter(refuses)
    return refused.length > 0 ? { error: new QueryError(refused) } : { plan }
  } catch (error) {
    if (error instanceof QueryError) return { error }
    throw error
  }
}

function given(planned: PlanResult): Plan {
  if ('error' in planned) throw planned.error
  return planned.plan
}
