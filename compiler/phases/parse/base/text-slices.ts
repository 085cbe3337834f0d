/** Slices of a template's text, and the regular expressions with which the reference implementation splits markup. */

/** A slice of the text, and its offset. */
export interface TextSlice {
  readonly text: string
  readonly at: number
}

// White space and word characters as Ruby defines them. JavaScript's classes contain more characters.
const SPACE = '[ \\t\\r\\n\\f\\v]'
const QUOTED = `(?:"[^"]*"|'[^']*')`
/** A quoted text, or a run of characters without white space, commas and pipes. The run may contain quoted texts. */
const FRAGMENT = `(?:${QUOTED}|(?:[^ \\t\\r\\n\\f\\v,|'"]|${QUOTED})+)`

/** Builds a regular expression from a pattern written with `QUOTED`, `FRAGMENT` and Ruby's `\s`. */
export function pattern(source: string, flags = ''): RegExp {
  const expanded = source
    .replaceAll('FRAGMENT', () => FRAGMENT)
    .replaceAll('QUOTED', () => QUOTED)
    .replaceAll('\\s', () => SPACE)
  return new RegExp(expanded, `d${flags}`)
}

/**
 * Returns the groups of the first match, or null without a match. A group that matched nothing is undefined. Group 0 is the whole match.
 */
export function matchGroups({ text, at }: TextSlice, expression: RegExp): readonly (TextSlice | undefined)[] | null {
  const match = expression.exec(text)
  return match === null ? null : groups(match, at)
}

/** Returns the groups of every match of a global regular expression. */
export function matchAllGroups(
  { text, at }: TextSlice,
  expression: RegExp,
): readonly (readonly (TextSlice | undefined)[])[] {
  return Array.from(text.matchAll(expression), (match) => groups(match, at))
}

function groups(match: RegExpExecArray | RegExpMatchArray, at: number): readonly (TextSlice | undefined)[] {
  return Array.from(match, (text: string | undefined, index) => {
    const start = match.indices?.[index]?.[0]
    return text === undefined || start === undefined ? undefined : { text, at: at + start }
  })
}

/** Trims white space at both ends. */
export function trimSlice({ text, at }: TextSlice): TextSlice {
  const from = /^[ \t\r\n\f\v]*/.exec(text)?.[0].length ?? 0
  let to = text.length
  while (to > from && ' \t\r\n\f\v\0'.includes(text.charAt(to - 1))) to--
  return { text: text.slice(from, to), at: at + from }
}

export function subSlice({ text, at }: TextSlice, from: number, to: number): TextSlice {
  return { text: text.slice(from, to), at: at + from }
}
