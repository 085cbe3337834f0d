/**
 * The parts of the compiler for the library in browsers, which has no database. The program passes templates, not a whole site, and a short
 * list keeps the bundle small.
 */
import { checkRecursion } from '../phases/check/rules/calls/recursive-partial.ts'
import { checkRollbacks } from '../phases/check/rules/calls/rollback-outside-transaction.ts'
import { checkUnprintedBlocks } from '../phases/check/rules/site/content-without-yield.ts'
import { checkUnfilledBlocks } from '../phases/check/rules/site/yield-without-content.ts'
import { checkSharedCaches } from '../phases/check/rules/values/cached-visitor.ts'
import { refuseQuery, sentByUnknownQueries } from '../phases/check/types/without-database.ts'
import { withAllModules } from '../phases/check/site/site-rule.ts'
import { refuseOperations } from '../phases/link/without-database.ts'
import type { Features } from './features.ts'

export const BROWSER_FEATURES: Features = {
  queries: { link: refuseOperations, check: refuseQuery, sent: sentByUnknownQueries },
  siteRules: [
    checkRecursion,
    checkRollbacks,
    withAllModules(checkUnprintedBlocks),
    withAllModules(checkUnfilledBlocks),
    checkSharedCaches,
  ],
  siteWarnings: [],
  siteCascades: null,
  incremental: null,
}
