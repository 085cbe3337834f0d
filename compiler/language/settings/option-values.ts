/** Whether a text is a time or a regular expression, as the running site will read it. */
import { parseNaturalTime } from '../../../runtime/page/values/natural-time.ts'
import { momentOf } from '../../../runtime/data/values/moments.ts'
import { splitDelimiters, parseOptionLetters, patternProblem } from '../../../runtime/page/regex/index.ts'
import type { TimeSource } from '../../../runtime/page/values/time.ts'

/** Whether a text names a time does not depend on when that is asked. */
const ANY_DAY: TimeSource = { now: () => 0, timeZone: 'UTC' }

/** A date or a time, or a phrase that means one: `2030-01-31`, `tomorrow`, `18 years ago`. */
export function isTime(text: string): boolean {
  return momentOf(text) !== null || parseNaturalTime(text, ANY_DAY, 'UTC') !== null
}

/** The source of a regular expression of Ruby, also between slashes. */
export function isPattern(text: string): boolean {
  const { body, letters } = splitDelimiters(text)
  return patternProblem(body, parseOptionLetters(letters)) === null
}

/** What is wrong with a regular expression; null for a good one. `letters` are Ruby's options. */
export function regexProblem(source: string, letters: string): string | null {
  return patternProblem(source, parseOptionLetters(letters))
}
