/** `regex_matches`: all matches of a regular expression in a text. */
import { MAX_ITEMS, tooMany } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'
import { patternArgument } from './pattern-argument.ts'

export const dialect = 'platform'

/**
 * The matches from left to right: each is the array of its groups, or the matched text when the pattern has no
 * groups.
 * @throws ArgumentFault for an invalid pattern
 * @throws LimitFault for too many
 */
export function regex_matches(input: Textual, pattern: Textual, options: Textual = ''): readonly unknown[] {
  const text = str(input)
  const allMatches: unknown[] = []
  let count = 0
  for (const { start, end, groups } of patternArgument(pattern, options, 'regex_matches').matches(text)) {
    count += 1 + groups.length
    if (count > MAX_ITEMS) throw tooMany()
    allMatches.push(groups.length > 0 ? groups : text.slice(start, end))
  }
  return allMatches
}
