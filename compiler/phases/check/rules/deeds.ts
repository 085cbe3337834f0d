/** What templates do to data, how they answer, and whether their forms say who sends them. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derived } from '../../../core/model/derived.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import { concatSteps, type Steps } from '../../../core/model/steps.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Piece } from '../piece.ts'
import { checkActions, checkTransactions, effects } from './actions.ts'
import { checkAnswers } from './answers.ts'
import type { UnitFacts } from './facts.ts'
import { checkFormTokens } from './form-tokens.ts'
import { checkRemovedValues } from './removed-values.ts'

/** Templates that are looked at in one step. */
const IN_A_ROW = 100

const answers = derived(({ text }: SourceFile) => /redirect_to|response_status/.test(text))
const hasForms = derived(({ text }: SourceFile) => /<form\b/.test(text))
const removesKeys = derived(({ text }: SourceFile) => /hash_delete_key|(?:delete|remove)_hash_key/.test(text))

/** `factsOf` gives what is known of a template. */
export function* deedSteps(
  site: Site,
  operations: Operations,
  pieces: readonly Piece[],
  factsOf: (key: string) => UnitFacts | undefined,
): Steps<readonly Diagnostic[]> {
  // Settings of a file run before or behind it, and its blocks in jobs.
  const facts = (file: string) => {
    const known = factsOf(file)
    return known === undefined ? [] : [known]
  }
  const actions = { site, operations, facts }
  const found = yield* concatSteps([() => checkActions(actions), () => checkTransactions(actions)])
  const diagnostics = [...found]
  const effectAt = effects(actions)
  for (const [at, piece] of pieces.entries()) {
    if (at % IN_A_ROW === 0) yield
    if (piece.inner !== null) continue
    if (answers(piece.unit.file)) diagnostics.push(...checkAnswers(piece, ({ span }) => effectAt(piece.key, span)))
    if (hasForms(piece.unit.file)) diagnostics.push(...checkFormTokens(site, piece))
    if (removesKeys(piece.unit.file)) diagnostics.push(...checkRemovedValues(piece))
  }
  return diagnostics
}
