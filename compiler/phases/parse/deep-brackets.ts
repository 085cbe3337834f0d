/** Limits how deep brackets nest. Deeper content is not parsed, because the recursive parser would overflow its stack. */
import type { IToken } from 'chevrotain'
import { endOf, type SyntaxNote } from '../../language/syntax/grammar-base.ts'
import * as T from '../../language/syntax/tokens.ts'

/** Maximum depth of nested brackets in one markup. */
export const MAX_BRACKET_DEPTH = 100

/**
 * Removes tokens nested deeper than the limit, and adds a note for each such markup. A placeholder name replaces each removed value, so
 * that the surrounding markup still parses.
 */
export function withoutDeepBrackets(
  tokens: IToken[],
  noteAt: (start: number, end: number) => SyntaxNote,
): { readonly tokens: IToken[]; readonly notes: readonly SyntaxNote[] } {
  let keptTokens: IToken[] | null = null
  const notes: SyntaxNote[] = []
  let depth = 0
  let isNoted = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const opens = T.isA(token, T.OpenBracket) || T.isA(token, T.OpenBrace) || T.isA(token, T.OpenParen)
    // Fast path: nearly all tokens are outside of brackets.
    if (depth === 0 && !opens && !isNoted) {
      keptTokens?.push(token)
      continue
    }
    const isCloser = isClosingBracket(token)
    if (T.isA(token, T.TagClose) || T.isA(token, T.OutputClose)) {
      depth = 0
      isNoted = false
    } else if (opens) {
      if (++depth === MAX_BRACKET_DEPTH + 1) {
        keptTokens ??= tokens.slice(0, at)
        if (!isNoted) notes.push(noteAt(token.startOffset, endOf(token)))
        isNoted = true
        const previous = tokens[at - 1]
        if (previous !== undefined && !endsValue(previous)) keptTokens.push(placeholderToken(token))
      }
    }
    if (depth <= MAX_BRACKET_DEPTH) keptTokens?.push(token)
    if (isCloser) depth = Math.max(depth - 1, 0)
  }
  return { tokens: keptTokens ?? tokens, notes }
}

/** Returns true if a value can end with this token, so that a bracket after it is a lookup in this value. */
function endsValue(token: IToken): boolean {
  return T.isA(token, T.Name) || isClosingBracket(token)
}

function isClosingBracket(token: IToken): boolean {
  return T.isA(token, T.CloseBracket) || T.isA(token, T.CloseBrace) || T.isA(token, T.CloseParen)
}

function placeholderToken(token: IToken): IToken {
  return { ...token, tokenType: T.Nil, tokenTypeIdx: T.Nil.tokenTypeIdx ?? 0, image: 'nil' }
}
