/** Brackets inside brackets beyond a limit: what stands in them is not read, because a parser that goes down ends its stack. */
import type { IToken } from 'chevrotain'
import { endOf, type SyntaxNote } from '../../language/syntax/grammar-base.ts'
import * as T from '../../language/syntax/tokens.ts'

/** Brackets of any kind inside each other in one markup. */
export const MOST_BRACKETS = 100

/**
 * The tokens without what stands deeper than the limit, and a note for each markup that goes deeper. Where a value stood, a
 * name stands in its place, so that the markup around it reads as it would.
 */
export function withoutDeepBrackets(
  tokens: IToken[],
  noteAt: (start: number, end: number) => SyntaxNote,
): { readonly tokens: IToken[]; readonly notes: readonly SyntaxNote[] } {
  let kept: IToken[] | null = null
  const notes: SyntaxNote[] = []
  let depth = 0
  let isNoted = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const opens = T.isA(token, T.OpenBracket) || T.isA(token, T.OpenBrace) || T.isA(token, T.OpenParen)
    // Nearly all tokens stand in no bracket.
    if (depth === 0 && !opens && !isNoted) {
      kept?.push(token)
      continue
    }
    const isCloser = closes(token)
    if (T.isA(token, T.TagClose) || T.isA(token, T.OutputClose)) {
      depth = 0
      isNoted = false
    } else if (opens) {
      if (++depth === MOST_BRACKETS + 1) {
        kept ??= tokens.slice(0, at)
        if (!isNoted) notes.push(noteAt(token.startOffset, endOf(token)))
        isNoted = true
        const before = tokens[at - 1]
        if (before !== undefined && !endsValue(before)) kept.push(standIn(token))
      }
    }
    if (depth <= MOST_BRACKETS) kept?.push(token)
    if (isCloser) depth = Math.max(depth - 1, 0)
  }
  return { tokens: kept ?? tokens, notes }
}

/** Whether a bracket behind the token looks something up in the value that ends there. */
function endsValue(token: IToken): boolean {
  return T.isA(token, T.Name) || closes(token)
}

function closes(token: IToken): boolean {
  return T.isA(token, T.CloseBracket) || T.isA(token, T.CloseBrace) || T.isA(token, T.CloseParen)
}

function standIn(token: IToken): IToken {
  return { ...token, tokenType: T.Nil, tokenTypeIdx: T.Nil.tokenTypeIdx ?? 0, image: 'nil' }
}
