/** In a browser templates are compiled once, so there are no earlier rounds to continue. */
import type { Steps } from '../../core/model/steps.ts'
import { type CheckInput, startFixpoint } from './fixpoint.ts'
import type { SettledFixpoint } from './settled-fixpoint.ts'

export function* settledFixpoint(input: CheckInput): Steps<SettledFixpoint> {
  const rounds = yield* startFixpoint(input, {})
  return { input, rounds, siteKey: null, reach: yield* rounds.steps() }
}
