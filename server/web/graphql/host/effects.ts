/** Types for the effects of a request outside the database: emails, text messages, API calls and exports. */
import type { EffectHost } from '../../../../runtime/data/query/effects.ts'
import type { RunStatement } from '../../../data/queue/queue.ts'

/** The database access that effects need. */
interface EffectSource {
  /** Runs a statement in the transaction. */
  readonly run: RunStatement
  /** Runs a callback after the commit, or immediately when no transaction is open. */
  readonly afterCommit: (callback: () => Promise<unknown>) => Promise<void>
}

/** Creates the effects of one request. */
export type OpenEffects = (source: EffectSource) => EffectHost
