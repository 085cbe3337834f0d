/** In a browser templates are compiled once, so there are no earlier rounds to continue. */
import type { Steps } from '../../core/model/steps.ts'
import { type CheckInput, checkRounds } from './rounds.ts'
import type { SettledRounds } from './settled-rounds.ts'

export function* settledRounds(input: CheckInput): Steps<SettledRounds> {
  const rounds = yield* checkRounds(input, {})
  return { input, rounds, siteKey: null, reach: yield* rounds.steps() }
}
