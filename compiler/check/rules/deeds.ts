/** What templates do to data, how they answer, and whether their forms say who sends them. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Operations } from '../../model/operation.ts'
import type { Site } from '../../model/site.ts'
import { inTurn, type Steps } from '../../model/steps.ts'
import type { Piece } from '../piece.ts'
import { checkActions, checkTransactions, effectAt } from './actions.ts'
import { checkAnswers } from './answers.ts'
import type { UnitFacts } from './facts.ts'
import { checkFormTokens } from './form-tokens.ts'
import { checkRemovedValues } from './removed-values.ts'

/** Templates that are looked at in one step. */
const IN_A_ROW = 100

const ANSWERS = /redirect_to|response_status/

/** `factsOf` gives what is known of a template. */
export function* deedSteps(
  site: Site,
  operations: Operations,
  pieces: readonly Piece[],
  factsOf: (key: string) => UnitFacts | undefined,
): Steps<readonly Diagnostic[]> {
  const byFile = new Map<string, UnitFacts[]>()
  for (const { key, unit, inner } of pieces) {
    const facts = factsOf(key)
    // Settings of a file run before or behind it, and its blocks in jobs.
    if (facts !== undefined && inner === null) byFile.set(unit.file.path, [facts])
  }
  const actions = { site, operations, facts: (file: string) => byFile.get(file) ?? [] }
  const found = yield* inTurn([() => checkActions(actions), () => checkTransactions(actions)])
  const diagnostics = [...found]
  for (const [at, piece] of pieces.entries()) {
    if (at % IN_A_ROW === 0) yield
    if (piece.inner !== null) continue
    if (ANSWERS.test(piece.unit.file.text))
      diagnostics.push(...checkAnswers(piece, ({ span }) => effectAt(actions, piece.key, span)))
    diagnostics.push(...checkFormTokens(site, piece), ...checkRemovedValues(piece))
  }
  return diagnostics
}
