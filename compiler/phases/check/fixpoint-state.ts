/** The state of the rounds over a site. */
import type { Table } from '../../core/model/layered.ts'
import type { GivenTypes, LastCheck } from './earlier-checks.ts'
import type { CheckedUnit, OutgoingCall, UnitFacts } from './walk/facts.ts'
import type { Reach } from './site/reach.ts'
import type { RequestValues } from './walk/request-values.ts'

/** The facts that the rounds have found about templates, by template key or by file. */
export interface FixpointState {
  readonly checkedUnits: Table<string, CheckedUnit>
  readonly callLists: Table<string, readonly OutgoingCall[]>
  /** Types that callers pass. */
  readonly passedTypes: Table<string, GivenTypes>
  /** Types that callers are likely to pass, for templates with unknown callers. */
  readonly likelyTypes: Table<string, GivenTypes>
  /** Facts as callers see them: equal facts are one object, so that a change ends where no caller sees it. */
  readonly factsForCallers: Table<string, UnitFacts>
  readonly lastChecks: Table<string, LastCheck>
  /** Templates with findings that depend on how often names are written in the site. */
  readonly countDependent: Set<string>
  requests: RequestValues | null
  reach: Reach | null
}

export function emptyState(): FixpointState {
  return {
    checkedUnits: new Map(),
    callLists: new Map(),
    passedTypes: new Map(),
    likelyTypes: new Map(),
    factsForCallers: new Map(),
    lastChecks: new Map(),
    countDependent: new Set(),
    requests: null,
    reach: null,
  }
}
