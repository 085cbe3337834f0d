/** Replacement texts, in which backslashes refer to the match, as in Ruby's `gsub`. */
import { ArgumentFault } from '../../fault.ts'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'

/** The position of a match, and the text of each of its groups. */
interface Match {
  readonly start: number
  readonly end: number
  readonly groups: readonly (string | null)[]
}

/** A part of a replacement: literal text, a list of groups (the last group that matched is used), or the text before or after the match. */
type ReplacementPart = string | readonly number[] | { readonly side: 'before' | 'after' }

const REFERENCE = /\\(?:([0-9&])|k<([^>]*)>|([`'])|\\)/g

/**
 * Parses a replacement.
 * @param names the numbers of the groups with each name; null when there are no groups, so that `\k<name>` is
 * literal text
 * @throws ArgumentFault for a group name that does not exist
 */
export function parseReplacement(
  replacement: string,
  names: ReadonlyMap<string, readonly number[]> | null,
): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = []
  let literalStart = 0
  for (const reference of replacement.matchAll(REFERENCE)) {
    if (reference.index > literalStart) parts.push(replacement.slice(literalStart, reference.index))
    literalStart = reference.index + reference[0].length
    const [, number, name, side] = reference
    if (number !== undefined) parts.push([number === '&' ? 0 : Number(number)])
    else if (name !== undefined) parts.push(names === null ? reference[0] : findGroups(name, names))
    else parts.push(side === undefined ? '\\' : { side: side === '`' ? 'before' : 'after' })
  }
  if (literalStart < replacement.length) parts.push(replacement.slice(literalStart))
  return parts
}

function findGroups(name: string, names: ReadonlyMap<string, readonly number[]>): readonly number[] {
  if (/^\d+$/.test(name)) return [Number(name)]
  const groups = names.get(name)
  if (groups === undefined)
    throw new ArgumentFault(`replace_regex filter - undefined group name reference: ${name.slice(0, 100)}`)
  return groups
}

/** Returns the text that replaces a match of `text`. @throws LimitFault when it grows too long */
export function fillReplacement(parts: readonly ReplacementPart[], text: string, match: Match): string {
  let out = ''
  for (const part of parts) {
    if (typeof part === 'string') out += part
    else if ('side' in part) out += part.side === 'before' ? text.slice(0, match.start) : text.slice(match.end)
    else out += readGroup(part, text, match)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return out
}

function readGroup(groups: readonly number[], text: string, match: Match): string {
  if (groups.length === 1 && groups[0] === 0) return text.slice(match.start, match.end)
  return groups.map((group) => match.groups[group - 1] ?? null).findLast((found) => found !== null) ?? ''
}
