/** Checks whether a text is a time or a regular expression, in the same way as the runtime. */
import { parseNaturalTime } from '../../../runtime/page/values/natural-time.ts'
import { momentOf } from '../../../runtime/data/values/moments.ts'
import { splitDelimiters, parseOptionLetters, patternProblem } from '../../../runtime/page/regex/index.ts'
import type { TimeSource } from '../../../runtime/page/values/time.ts'

/** Whether a text is a time does not depend on the current time, so any time works. */
const ANY_DAY: TimeSource = { now: () => 0, timeZone: 'UTC' }

/** Returns whether the text is a date, a time or a phrase for one: `2030-01-31`, `tomorrow`, `18 years ago`. */
export function isTime(text: string): boolean {
  return momentOf(text) !== null || parseNaturalTime(text, ANY_DAY, 'UTC') !== null
}

/** Returns whether the text is a valid Ruby regular expression, with or without slashes around it. */
export function isPattern(text: string): boolean {
  const { body, letters } = splitDelimiters(text)
  return patternProblem(body, parseOptionLetters(letters)) === null
}

/** Returns the problem of a regular expression; null if it is valid. `letters` are the options of Ruby. */
export function regexProblem(source: string, letters: string): string | null {
  return patternProblem(source, parseOptionLetters(letters))
}
