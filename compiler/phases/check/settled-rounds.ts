/** Rounds over a site until nothing more is learned. Those before are gone on with where an edit changes nothing for other templates. */
import { layered } from '../../core/model/layered.ts'
import { NO_MEMO } from '../../core/model/memo.ts'
import type { Steps } from '../../core/model/steps.ts'
import { type Edit, editsBetween, seenOf } from './edits.ts'
import type { Piece } from './piece.ts'
import { type CheckInput, CheckRounds, checkRounds, type Learnt } from './rounds.ts'
import { siteInputs } from './rules/dependencies.ts'
import type { Reach } from './rules/reach.ts'
import type { SiteNames } from './site-names.ts'

export interface SettledRounds {
  readonly input: CheckInput
  readonly rounds: CheckRounds
  readonly siteKey: unknown
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
  const settled = resumed(key, input) ?? (yield* roundsOf(input, key))
  key.settled = settled
  return settled
}

function* roundsOf(input: CheckInput, siteKey: unknown): Steps<SettledRounds> {
  const rounds = yield* checkRounds(input, siteKey)
  yield
  return { input, rounds, siteKey, reach: yield* rounds.steps() }
}

/**
 * The same rounds over a site in which some templates have other texts, and all else is as it was. Null where what is found of one of
 * them matters to others.
 */
function resumed({ settled }: SiteKey, input: CheckInput): SettledRounds | null {
  const edits = settled === null ? null : editsBetween(settled.input, input, input.memo)
  if (settled === null || edits === null) return null
  const { names, learnt } = settled.rounds
  const byFile = byFileAfter(names.byFile, edits)
  const rounds = new CheckRounds(input, { ...names, byFile }, settled.siteKey, copyOf(learnt))
  const isSettled = edits.every(({ after }) => isSeenAsBefore(rounds, after)) && isCountedAsBefore(rounds, input)
  return isSettled ? { ...settled, input, rounds } : null
}

function copyOf(learnt: Learnt): Learnt {
  return {
    checked: layered(learnt.checked),
    callLists: layered(learnt.callLists),
    params: layered(learnt.params),
    likely: layered(learnt.likely),
    seenByCallers: layered(learnt.seenByCallers),
    lastChecks: layered(learnt.lastChecks),
    counted: new Set(learnt.counted),
    requests: learnt.requests,
    reach: learnt.reach,
  }
}

/** The templates by file, as `piecesByFile` gives them, with those that were edited. */
function byFileAfter(before: SiteNames['byFile'], edits: readonly Edit[]): SiteNames['byFile'] {
  const byFile = layered(before)
  for (const { after } of edits)
    for (const key of new Set([after.unit.file.path, after.key])) {
      const pieces = byFile.get(key)
      if (pieces !== undefined)
        byFile.set(
          key,
          pieces.map((piece) => (piece.key === after.key ? after : piece)),
        )
    }
  return byFile
}

/** Checks an edited template with what is known of the others; false where they would have to know it. */
function isSeenAsBefore(rounds: CheckRounds, piece: Piece): boolean {
  const { key, unit } = piece
  const last = rounds.learnt.lastChecks.get(key)
  const before = rounds.factsOf(key)
  if (last === undefined || before === undefined) return false
  const known = last.environment
  const misspelt = rounds.misspeltIn(piece, known.params)
  const { facts } = rounds.checkedWith(piece, { ...last, environment: { ...known, misspelt } })
  const face = !known.isPartial ? null : isToldElsewhere(rounds.learnt, unit.file.path) ? 'placed' : 'unplaced'
  return seenOf(before, face) === seenOf(facts, face)
}

/** Whether something that was found in another file shows a place in this one. */
function isToldElsewhere({ checked }: Learnt, path: string): boolean {
  for (const [key, { diagnostics }] of checked) {
    if (key === path || key.startsWith(`${path}#`)) continue
    for (const { span, related, change } of diagnostics) {
      const others = [...related, ...(change?.edits ?? [])].map((each) => each.span)
      if ([span, ...others].some(({ file }) => file === path)) return true
    }
  }
  return false
}

/** Whether names are written as often as before, where that has decided what was found. */
function isCountedAsBefore(rounds: CheckRounds, { pieces }: CheckInput): boolean {
  return [...rounds.learnt.counted].every((key) => {
    const piece = pieces.find((each) => each.key === key)
    const known = rounds.learnt.lastChecks.get(key)?.environment
    if (piece === undefined || known === undefined) return false
    return [...rounds.misspeltIn(piece, known.params)].join() === [...known.misspelt].join()
  })
}
