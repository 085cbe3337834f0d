/** `replace_regex`: a text with the matches of a regular expression replaced. */
import type { Regex, RegexMatch } from '../../regex/index.ts'
import { isHash } from '../../values/access.ts'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import type { Bool, Textual, Value } from '../types.ts'
import { patternArgument, textArgument } from './pattern-argument.ts'
import { fillReplacement, parseReplacement } from './replacement.ts'

export const dialect = 'platform'

/**
 * The text with every match replaced, or only the first one if `global` is false; the replacement is a text, in which
 * `\0` is the match, `\1` a group and `\\` one backslash, or a hash with a value for each matched text.
 * @throws ArgumentFault for an input that is not text, for an invalid pattern, and for a group name that does not
 * exist
 * @throws LimitFault when the text grows too long
 */
export function replace_regex(
  input: Textual,
  pattern: Textual,
  replacement: Value,
  options: Textual = '',
  global: Bool = true,
): string {
  const text = textArgument(input, 'replace_regex')
  const regex = patternArgument(pattern, options, 'replace_regex')
  const printMatch = createMatchPrinter(replacement, text, regex.names)
  let out = ''
  let copiedTo = 0
  for (const match of regex.matches(text)) {
    out += text.slice(copiedTo, match.start)
    out += printMatch(match)
    copiedTo = match.end
    if (out.length > MAX_TEXT) throw tooLong()
    if (!truthy(global)) break
  }
  out += text.slice(copiedTo)
  if (out.length > MAX_TEXT) throw tooLong()
  return out
}

type MatchPrinter = (match: RegexMatch) => string

/** Returns a function that prints the replacement of a match of `text`. @throws ArgumentFault for a group name that does not exist */
function createMatchPrinter(replacement: unknown, text: string, names: Regex['names']): MatchPrinter {
  if (isHash(replacement)) {
    return ({ start, end }) => {
      const key = text.slice(start, end)
      return Object.hasOwn(replacement, key) ? str(replacement[key]) : ''
    }
  }
  const parts = parseReplacement(str(replacement), names)
  return (match) => fillReplacement(parts, text, match)
}
