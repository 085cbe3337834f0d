/** Rules about names that cross files without a type: what one template writes, sends or is called, and another one reads. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Memo } from '../../model/memo.ts'
import type { Operations } from '../../model/operation.ts'
import { inTurn, type Steps } from '../../model/steps.ts'
import type { SourceFile } from '../../source/file.ts'
import type { Site } from '../../model/site.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from '../rules/facts.ts'
import { hasOwnPages } from '../rules/reach.ts'
import { checkAnonymous, checkNilResults } from './nil-results.ts'
import { checkFieldSlips } from './field-slips.ts'
import { checkParameters } from './parameters.ts'
import { checkRequestNames } from './request-names.ts'
import { namesOf } from './scan.ts'
import { checkUnreadFields } from './unread-fields.ts'
import { unusedNames, wordsIn } from './unused.ts'

export interface NameRules {
  readonly site: Site
  readonly operations: Operations
  readonly pieces: readonly Piece[]
  readonly memo: Memo
  /** Templates call a module that is not there: what it writes, reads and sends is not known. */
  readonly lacksModule: boolean
  readonly reached: ReadonlySet<string>
  readonly factsOf: (key: string) => UnitFacts | undefined
}

type WholeSite = Pick<NameRules, 'site' | 'pieces' | 'memo' | 'lacksModule'>

/** Parameters that a page reads and no address has: of these alone some are errors. */
export function* parameterSteps(rules: WholeSite): Steps<readonly Diagnostic[]> {
  const { site, pieces, memo } = rules
  return isWholeSite(rules) ? yield* checkParameters(site, pieces, (piece) => namesOf(piece, memo), memo) : []
}

export function* nameSteps(rules: NameRules): Steps<readonly Diagnostic[]> {
  const { site, operations, pieces, memo, factsOf, reached } = rules
  if (!isWholeSite(rules)) return []
  const wordsOf = ({ path, text }: SourceFile) => memo.once('words', path, [text], () => wordsIn(text))
  const of = (piece: Piece) => namesOf(piece, memo)
  return yield* inTurn([
    () => checkRequestNames(pieces, factsOf, of),
    () => checkNilResults(site, pieces, factsOf, of),
    () => checkAnonymous(pieces, of),
    () => checkFieldSlips(site, pieces, of),
    () => checkUnreadFields({ site, operations, pieces, memo, factsOf }),
    ...unusedNames({ site, pieces, factsOf, namesOf: of, wordsOf, reached }),
  ])
}

/** What others install beside a module may write, read and send as well. */
function isWholeSite({ site, lacksModule }: WholeSite): boolean {
  return !site.openEntries && !lacksModule && hasOwnPages(site)
}
