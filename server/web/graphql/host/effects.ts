/**
 * How a request's host gets its effects besides the database: mails, text messages, calls of other services, exports.
 */
import type { EffectHost } from '../../../../runtime/data/query/effects.ts'
import type { RunStatement } from '../../../data/queue/queue.ts'

/** The open transaction as effects use it. */
export interface EffectSource {
  /** Runs a statement in the transaction. */
  readonly run: RunStatement
  /** Runs a callback after the commit; at once when no transaction is open. */
  readonly afterCommit: (act: () => Promise<unknown>) => Promise<void>
}

/** Creates the effects of one request. */
export type OpenEffects = (source: EffectSource) => EffectHost
