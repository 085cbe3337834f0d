/** Pieces of a template's text, and the patterns with which the reference cuts markup into such pieces. */

/** A part of the text, and where it begins. */
export interface Piece {
  readonly text: string
  readonly at: number
}

// Ruby's white space and word characters: those of JavaScript know more signs.
const SPACE = '[ \\t\\r\\n\\f\\v]'
const QUOTED = `(?:"[^"]*"|'[^']*')`
/** A quoted text, or a run of characters without white space, commas, pipes and quotes, in which quoted texts may stand. */
const FRAGMENT = `(?:${QUOTED}|(?:[^ \\t\\r\\n\\f\\v,|'"]|${QUOTED})+)`

/** A pattern written with `QUOTED`, `FRAGMENT` and Ruby's `\s`. */
export function pattern(source: string, flags = ''): RegExp {
  const whole = source
    .replaceAll('FRAGMENT', () => FRAGMENT)
    .replaceAll('QUOTED', () => QUOTED)
    .replaceAll('\\s', () => SPACE)
  return new RegExp(whole, `d${flags}`)
}

/** The groups of the first match, undefined for one that took no part; null without a match. Group 0 is the whole. */
export function groupsOf({ text, at }: Piece, expression: RegExp): readonly (Piece | undefined)[] | null {
  const found = expression.exec(text)
  return found === null ? null : groups(found, at)
}

/** The same for every match of a global pattern. */
export function scan({ text, at }: Piece, expression: RegExp): readonly (readonly (Piece | undefined)[])[] {
  return Array.from(text.matchAll(expression), (found) => groups(found, at))
}

function groups(found: RegExpExecArray | RegExpMatchArray, at: number): readonly (Piece | undefined)[] {
  return Array.from(found, (text: string | undefined, index) => {
    const start = found.indices?.[index]?.[0]
    return text === undefined || start === undefined ? undefined : { text, at: at + start }
  })
}

/** Without the white space around it. */
export function stripped({ text, at }: Piece): Piece {
  const from = /^[ \t\r\n\f\v]*/.exec(text)?.[0].length ?? 0
  let to = text.length
  while (to > from && ' \t\r\n\f\v\0'.includes(text.charAt(to - 1))) to--
  return { text: text.slice(from, to), at: at + from }
}

export function part({ text, at }: Piece, from: number, to: number): Piece {
  return { text: text.slice(from, to), at: at + from }
}
