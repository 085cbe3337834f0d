/** All parts of the compiler, for the command line, the service and the library in Node. */
import { moveToDeclarations } from '../core/diagnostics/misspelt-declarations.ts'
import { findCauses, findSiteCascades } from '../core/diagnostics/site-cascades.ts'
import { rememberedEffects } from '../phases/analyze/remembered-effects.ts'
import { runQuery } from '../phases/check/types/queries.ts'
import { sentByQueries } from '../phases/check/site/query-names.ts'
import { SITE_RULES, SITE_WARNINGS } from '../phases/check/site-rules.ts'
import { linkOperationSteps } from '../phases/link/operations.ts'
import { checkStamps } from '../phases/check/check-stamps.ts'
import { customNames, misspelledChecks } from './custom-names.ts'
import type { Features } from './features.ts'

export const ALL_FEATURES: Features = {
  queries: { link: linkOperationSteps, check: runQuery, sent: sentByQueries },
  siteRules: SITE_RULES,
  siteWarnings: SITE_WARNINGS,
  siteCascades: { findCauses, findSiteCascades, moveToDeclarations, customNames, misspelledChecks },
  incremental: { effects: rememberedEffects, checkStamps },
}
