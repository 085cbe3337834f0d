/** The parts of the check that a compiler can leave out. */
import type { Operations } from '../../core/model/operation.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { rememberedEffects } from '../analyze/remembered-effects.ts'
import type { checkStamps } from './check-stamps.ts'
import type { CheckQuery } from './types/likely-types.ts'
import type { SentNames } from './walk/notification-types.ts'
import type { SiteRule } from './site/site-rule.ts'

export interface CheckFeatures {
  readonly queries: QueryRules
  /** The rules that can refuse a site. */
  readonly siteRules: readonly SiteRule[]
  /** The rules whose diagnostics are warnings or less. */
  readonly siteWarnings: readonly SiteRule[]
  /** Null if each site is checked as a whole each time. */
  readonly incremental: IncrementalCheck | null
}

interface QueryRules {
  readonly check: CheckQuery
  /** Returns the names of the notifications that mutations send. */
  readonly sent: (operations: Operations, memo: Memo) => SentNames
}

/** What is kept from one check to the next. */
interface IncrementalCheck {
  readonly effects: typeof rememberedEffects
  readonly checkStamps: typeof checkStamps
}
