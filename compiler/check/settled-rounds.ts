/** Rounds over a site until nothing more is learned. Those before are gone on with where an edit changes nothing for other templates. */
import { NO_MEMO } from '../model/memo.ts'
import type { Steps } from '../model/steps.ts'
import { editsBetween } from './edits.ts'
import { type CheckInput, type CheckRounds, checkRounds } from './rounds.ts'
import { siteInputs } from './rules/dependencies.ts'
import type { Reach } from './rules/reach.ts'

export interface SettledRounds {
  readonly input: CheckInput
  readonly rounds: CheckRounds
  /** What can be reached by the calls that were found. */
  readonly reach: Reach
}

/** Stands for all of the site that every template's check depends on. */
interface SiteKey {
  /** The last rounds over such a site. */
  settled: SettledRounds | null
}

export function* settledRounds(input: CheckInput): Steps<SettledRounds> {
  const { site, memo } = input
  if (memo === NO_MEMO) return yield* roundsOf(input, {})
  const key = memo.once('check site', '', siteInputs(site), (): SiteKey => ({ settled: null }))
  yield
  const settled = resumed(key.settled, input) ?? (yield* roundsOf(input, key))
  key.settled = settled
  return settled
}

function* roundsOf(input: CheckInput, siteKey: unknown): Steps<SettledRounds> {
  const rounds = yield* checkRounds(input, siteKey)
  yield
  return { input, rounds, reach: yield* rounds.steps() }
}

function resumed(before: SettledRounds | null, input: CheckInput): SettledRounds | null {
  const edits = before === null ? null : editsBetween(before.input, input, input.memo)
  const rounds = edits === null ? null : (before?.rounds.resumed(input, edits) ?? null)
  return rounds === null || before === null ? null : { input, rounds, reach: before.reach }
}
