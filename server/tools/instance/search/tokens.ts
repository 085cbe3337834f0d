/** Splits the text of a search into tokens. */

/** Thrown for an invalid search. The message contains the reason and the position. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
}

export type Token =
  /** A word without quotes, in lower case, because names and keywords are case-insensitive. */
  | { readonly kind: 'word'; readonly text: string; readonly at: number }
  /** A name in double quotes, which is therefore not a keyword. */
  | { readonly kind: 'name'; readonly text: string; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly at: number }

const SPACE = /\s+/y
const WORD = /[a-z_][\w$]*/iy
const NAME = /"((?:[^"]|"")+)"/y
const TEXT = /'((?:[^']|'')*)'/y
const NUMBER = /-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?/iy
const SIGN = /<=|>=|<>|!=|[=<>(),*;]/y

/**
 * Returns the tokens of a text, followed by an end token.
 * @throws SearchError at an invalid character
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const start = at
    const take = (match: RegExpExecArray, token: Token | null): void => {
      at += match[0].length
      if (token !== null) tokens.push(token)
    }
    const space = next(SPACE)
    const word = next(WORD)
    const name = next(NAME)
    const quoted = next(TEXT)
    const number = next(NUMBER)
    const sign = next(SIGN)
    if (space !== null) take(space, null)
    else if (word !== null) take(word, { kind: 'word', text: word[0].toLowerCase(), at: start })
    else if (name !== null) take(name, { kind: 'name', text: (name[1] ?? '').replaceAll('""', '"'), at: start })
    else if (quoted !== null) take(quoted, { kind: 'text', text: (quoted[1] ?? '').replaceAll("''", "'"), at: start })
    else if (number !== null) take(number, { kind: 'number', value: Number(number[0]), at: start })
    else if (sign !== null) take(sign, { kind: 'sign', text: sign[0], at: start })
    else if (text[at] === "'" || text[at] === '"')
      throw new SearchError(`the quote at character ${at + 1} is not closed`)
    else throw new SearchError(`unexpected '${text[at]}' at character ${at + 1}`)
  }
  tokens.push({ kind: 'end', at: text.length })
  return tokens
}
