/** `replace_regex`: what a regular expression finds in a text, replaced. */
import { ArgumentFault } from '../../fault.ts'
import type { RegexMatch, Regex } from '../../regex/index.ts'
import { type HashValue, isHash } from '../../values/access.ts'
import { MAX_TEXT, tooLong } from '../../values/limits.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import type { Bool, Textual, Value } from '../types.ts'
import { patternArgument, textArgument } from './pattern.ts'

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
  const pieces = isHash(replacement) ? null : piecesOf(str(replacement), regex)
  let out = ''
  let last = 0
  for (const match of regex.matches(text)) {
    out += text.slice(last, match.start)
    out += pieces === null ? lookedUp(replacement as HashValue, text, match) : filled(pieces, text, match)
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

/**
 * A part of a replacement: literal text, the groups that it may refer to (the last one that matched is used), or the
 * text before or after the match.
 */
type ReplacementPart = string | readonly number[] | { readonly around: 'before' | 'after' }

const REFERENCE = /\\(?:([0-9&])|k<([^>]*)>|([`'])|\\)/g

function piecesOf(replacement: string, regex: Regex): readonly ReplacementPart[] {
  const pieces: ReplacementPart[] = []
  let last = 0
  for (const found of replacement.matchAll(REFERENCE)) {
    if (found.index > last) pieces.push(replacement.slice(last, found.index))
    last = found.index + found[0].length
    const [, number, name, around] = found
    if (number !== undefined) pieces.push([number === '&' ? 0 : Number(number)])
    else if (name !== undefined) pieces.push(groupsNamed(name, regex))
    else pieces.push(around === undefined ? '\\' : { around: around === '`' ? 'before' : 'after' })
  }
  if (last < replacement.length) pieces.push(replacement.slice(last))
  return pieces
}

function groupsNamed(name: string, regex: Regex): readonly number[] {
  if (/^\d+$/.test(name)) return [Number(name)]
  const groups = regex.names.get(name)
  if (groups === undefined)
    throw new ArgumentFault(`replace_regex filter - undefined group name reference: ${name.slice(0, 100)}`)
  return groups
}

function filled(pieces: readonly ReplacementPart[], text: string, match: RegexMatch): string {
  let out = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') out += piece
    else if ('around' in piece) out += piece.around === 'before' ? text.slice(0, match.start) : text.slice(match.end)
    else out += groupText(piece, text, match)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return out
}

function groupText(groups: readonly number[], text: string, match: RegexMatch): string {
  if (groups.length === 1 && groups[0] === 0) return text.slice(match.start, match.end)
  return groups.map((group) => match.groups[group - 1] ?? null).findLast((found) => found !== null) ?? ''
}
