/** Formats names and numbers for messages. */

const MAX_LENGTH = 60

/** Names that can be iterated more than once. */
export type NameList = readonly string[] | ReadonlySet<string>

/** Returns a name or source text in backticks, on one line and shortened to `MAX_LENGTH`. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `\`${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line}\``
}

/** Returns "`a`, `b` and `c`". After `most` names, only the number of the others follows. No names give an empty text. */
export function joinWithAnd(names: Iterable<string>, maxNames = 8): string {
  return joinNames(names, 'and', maxNames)
}

/** Returns "`a`, `b` or `c`". */
export function joinWithOr(names: Iterable<string>, maxNames = 12): string {
  return joinNames(names, 'or', maxNames)
}

function joinNames(names: Iterable<string>, word: string, maxNames: number): string {
  const quotedNames = [...names].map(quote)
  const listed =
    quotedNames.length > maxNames
      ? [...quotedNames.slice(0, maxNames), `${quotedNames.length - maxNames} more`]
      : quotedNames
  const last = listed.pop()
  if (last === undefined) return ''
  return listed.length === 0 ? last : `${listed.join(', ')} ${word} ${last}`
}

/** Returns a count with its noun: `1 argument`, `3 arguments`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns the noun with its article: `a number`, `an array`. */
export function withArticle(noun: string): string {
  return /^(?:a|an|the|no|nil|text(?! message)|true|false|one|any)\b/.test(noun)
    ? noun
    : `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

/** Returns the text with a capital first letter. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
