/** Rules about names that cross files without a type: what one template writes, sends or is called, and another one reads. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Operations } from '../../../core/model/operation.ts'
import { concatSteps, type Steps } from '../../../core/model/steps.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from '../rules/facts.ts'
import { hasOwnPages } from '../rules/reach.ts'
import { checkAnonymous, checkNilResults } from './nil-results.ts'
import { checkFieldSlips } from './field-slips.ts'
import { checkParameters } from './parameters.ts'
import { checkRequestNames } from './request-names.ts'
import { checkUnreadFields } from './unread-fields.ts'
import { unusedNames } from './unused.ts'

export interface NameRules {
  readonly site: Site
  readonly operations: Operations
  readonly pieces: readonly Piece[]
  /** Templates call a module that is not there: what it writes, reads and sends is not known. */
  readonly lacksModule: boolean
  readonly reached: ReadonlySet<string>
  readonly factsOf: (key: string) => UnitFacts | undefined
}

type WholeSite = Pick<NameRules, 'site' | 'pieces' | 'lacksModule'>

/** Parameters that a page reads and no address has: of these alone some are errors. */
export function* parameterSteps(rules: WholeSite): Steps<readonly Diagnostic[]> {
  const { site, pieces } = rules
  return isWholeSite(rules) ? yield* checkParameters(site, pieces) : []
}

export function* nameSteps(rules: NameRules): Steps<readonly Diagnostic[]> {
  const { site, operations, pieces, factsOf, reached } = rules
  if (!isWholeSite(rules)) return []
  return yield* concatSteps([
    () => checkRequestNames(pieces, factsOf),
    () => checkNilResults(site, pieces, factsOf),
    () => checkAnonymous(pieces, factsOf),
    () => checkFieldSlips(site, pieces),
    () => checkUnreadFields({ site, operations, pieces, factsOf }),
    ...unusedNames({ site, pieces, factsOf, reached }),
  ])
}

/** What others install beside a module may write, read and send as well. */
function isWholeSite({ site, lacksModule }: WholeSite): boolean {
  return !site.openEntries && !lacksModule && hasOwnPages(site)
}
