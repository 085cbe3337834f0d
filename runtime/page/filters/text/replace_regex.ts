/** `replace_regex`: what a regular expression finds in a text, replaced. */
import type { RegexMatch } from '../../regex/index.ts'
import { type HashValue, isHash } from '../../values/access.ts'
import { MAX_TEXT, tooLong } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import type { Bool, Textual, Value } from '../types.ts'
import { patternArgument, textArgument } from './pattern.ts'
import { filled, partsOf } from './replacement.ts'

export const dialect = 'platform'

/**
 * The text with every match replaced, or with the first one where `global` is false: by a text, in which `\1` is a group,
 * or by what a hash has under the matched text.
 * @throws ArgumentFault for an input that is no text, for an invalid pattern, and for a name that
 * no group has
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
  const parts = isHash(replacement) ? null : partsOf(str(replacement), regex.names)
  let out = ''
  let last = 0
  for (const match of regex.matches(text)) {
    out += text.slice(last, match.start)
    out += parts === null ? lookedUp(replacement as HashValue, text, match) : filled(parts, text, match)
    last = match.end
    if (out.length > MAX_TEXT) throw tooLong()
    if (!truthy(global)) break
  }
  out += text.slice(last)
  if (out.length > MAX_TEXT) throw tooLong()
  return out
}

function lookedUp(hash: HashValue, text: string, { start, end }: RegexMatch): string {
  const key = text.slice(start, end)
  return Object.hasOwn(hash, key) ? str(hash[key]) : ''
}
