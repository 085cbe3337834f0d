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
export function joinWithAnd(names: Iterable<string>, most = 8): string {
  return joinNames(names, 'and', most)
}

/** Returns "`a`, `b` or `c`". */
export function joinWithOr(names: Iterable<string>, most = 12): string {
  return joinNames(names, 'or', most)
}

function joinNames(names: Iterable<string>, word: string, most: number): string {
  const all = [...names].map(quote)
  const shown = all.length > most ? [...all.slice(0, most), `${all.length - most} more`] : all
  const last = shown.pop()
  if (last === undefined) return ''
  return shown.length === 0 ? last : `${shown.join(', ')} ${word} ${last}`
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
