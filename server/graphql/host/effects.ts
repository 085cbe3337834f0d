/** How a request's host comes to what it sets off beside the database: mails, texts, calls of other services, exports. */
import type { EffectHost } from '../../../runtime/data/query/effects.ts'
import type { RunStatement } from '../../queue/queue.ts'

/** The transaction that is open, as effects use it. */
export interface EffectSource {
  /** Runs a statement in it. */
  readonly run: RunStatement
  /** Does something when it is kept; at once where none is open. */
  readonly whenKept: (act: () => Promise<unknown>) => Promise<void>
}

/** Makes the effects of one request. */
export type OpenEffects = (source: EffectSource) => EffectHost
