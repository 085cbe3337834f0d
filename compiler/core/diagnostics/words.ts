/** Joins names and numbers into the sentences of the messages. */

const LONGEST = 60

/** Names that a message goes through more than once, as an iterator cannot. */
export type NameList = readonly string[] | ReadonlySet<string>

/** A name or a piece of source in backticks, on one line, cut when it is long. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}\``
}

/** `a`, `b` and `c`; at most `most` of them, then how many more there are. Empty text for no names. */
export function listed(names: Iterable<string>, most = 8): string {
  return joined(names, 'and', most)
}

/** `a`, `b` or `c`. */
export function choice(names: Iterable<string>, most = 12): string {
  return joined(names, 'or', most)
}

function joined(names: Iterable<string>, word: string, most: number): string {
  const all = [...names].map(quoted)
  const shown = all.length > most ? [...all.slice(0, most), `${all.length - most} more`] : all
  const last = shown.pop()
  if (last === undefined) return ''
  return shown.length === 0 ? last : `${shown.join(', ')} ${word} ${last}`
}

/** `1 argument`, `3 arguments`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** With its article: `a number`, `an array`. */
export function a(noun: string): string {
  return /^(?:a|an|the|no|nil|text(?! message)|true|false|one|any)\b/.test(noun)
    ? noun
    : `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

/** The text with a capital first letter. */
export function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
