/** `matches`: whether a regular expression matches in a text. */
import { str } from '../../values/text.ts'
import { isBlank } from '../../values/truth.ts'
import type { Textual } from '../types.ts'
import { patternArgument, textArgument } from './pattern-argument.ts'

export const dialect = 'platform'

/**
 * Whether the regular expression matches somewhere in the text; nil when one of them is blank. Options are Ruby's
 * `i`, `m`, `x`.
 * @throws ArgumentFault for an input that is not text, and for an invalid pattern
 */
export function matches(input: Textual, pattern: Textual, options: Textual = ''): boolean | null {
  const text = textArgument(input, 'matches')
  if (isBlank(text) || isBlank(str(pattern))) return null
  return patternArgument(pattern, options, 'matches').test(text)
}
