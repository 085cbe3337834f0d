/** Explains parser errors in terms of the language. */
import type { IRecognitionException, IToken } from 'chevrotain'
import { assignSyntax } from '../../core/diagnostics/codes/syntax/assign-syntax.ts'
import { brokenInterpolation } from '../../core/diagnostics/codes/syntax/broken-interpolation.ts'
import { loopRange } from '../../core/diagnostics/codes/syntax/loop-range.ts'
import { outputInLiteral } from '../../core/diagnostics/codes/syntax/output-in-literal.ts'
import { syntaxError } from '../../core/diagnostics/codes/syntax/syntax-error.ts'
import { tagMarkup } from '../../core/diagnostics/codes/syntax/tag-markup.ts'
import { trailingComma } from '../../core/diagnostics/codes/syntax/trailing-comma.ts'
import { unclosedString } from '../../core/diagnostics/codes/syntax/unclosed-string.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { LANGUAGE, type Language } from '../../language/language.ts'
import type { Span } from '../../core/source/span.ts'
import { endOf } from '../../language/syntax/grammar-base.ts'
import { openedName, OutputOpen, TagOpen } from '../../language/syntax/lexer.ts'
import * as T from '../../language/syntax/tokens.ts'
import { invalidLettersDiagnostic } from './notes.ts'

/** Converts a parser error to a diagnostic; null if another message covers it. */
export function explainError(
  error: IRecognitionException,
  text: string,
  tokens: readonly IToken[],
  spanAt: (start: number, end: number) => Span,
  language: Language = LANGUAGE,
): Diagnostic | null {
  const at = Number.isNaN(error.token.startOffset) ? text.length : error.token.startOffset
  const token = error.token
  const index = tokens.indexOf(token)
  const tokenBefore = index > 0 ? tokens[index - 1] : undefined
  const open = openerBefore(tokens, index < 0 ? tokens.length : index)
  // A literal that is incomplete at the end of a line is reported there, not on the next line.
  const tokenOnLineBefore =
    tokenBefore !== undefined && isNextLine(text, tokenBefore, at) && isInBrackets(tokens, open, index)
      ? tokenBefore
      : null
  const span = Number.isNaN(token.startOffset)
    ? spanAt(Math.max(0, at - 1), at)
    : tokenOnLineBefore === null
      ? spanAt(at, Math.max(at + 1, Math.min(endOf(token), lineEnd(text, at))))
      : spanAt(tokenOnLineBefore.startOffset, endOf(tokenOnLineBefore))
  if (token.image === "'" || token.image === '"') return unclosedString(span, token.image)
  // A quote without its partner was skipped and reported where a value was expected.
  if (tokenBefore?.tokenType === T.StrayQuote) return null
  const letterDiagnostic = invalidLettersDiagnostic(span, (start, end) =>
    text.slice(start - span.start + at, end - span.start + at),
  )
  if (letterDiagnostic !== null) return letterDiagnostic
  if (isInInterpolation(tokens, index < 0 ? tokens.length : index))
    return brokenInterpolation(span, firstLine(token.image))
  if (
    tokenBefore !== undefined &&
    tokenBefore.tokenType === T.Comma &&
    (T.isA(token, T.CloseBrace) || T.isA(token, T.CloseBracket))
  )
    return trailingComma(spanAt(tokenBefore.startOffset, endOf(tokenBefore)), token.image)
  if (T.isA(token, T.OpenBrace) && text.startsWith('{{', at - 1)) {
    const close = text.indexOf('}}', at)
    return outputInLiteral(
      spanAt(at - 1, close < 0 ? at + 1 : close + 2),
      close < 0 ? '{{' : text.slice(at + 1, close).trim(),
    )
  }
  if (open === undefined || T.isA(open, OutputOpen)) {
    const closes = T.isA(token, T.OutputClose) || T.isA(token, T.TagClose)
    return syntaxError(span, closes ? 'the end of the output' : firstLine(token.image), 'a value')
  }
  const name = openedName(open.image)
  if ((name === 'for' || name === 'tablerow') && text.slice(open.startOffset, at).includes('(')) {
    const range = /^\([^)%\n]*\)?/.exec(text.slice(text.lastIndexOf('(', at)))?.[0] ?? '('
    return loopRange(span, firstLine(range.trimEnd()))
  }
  const tag = language.tagsByName.get(name)
  if (name === 'assign') {
    const isEnd = T.isA(token, T.TagClose)
    // A comma without a key after it means that the value is incomplete.
    const isIncomplete = tokenOnLineBefore !== null && T.isA(tokenOnLineBefore, T.Comma) && T.isA(token, T.OpenBrace)
    const bracket = isEnd || isIncomplete ? openBracket(tokens, open, index) : null
    if (bracket === null || tokenBefore === undefined) return assignSyntax(span, isEnd ? '' : firstLine(token.image))
    return assignSyntax(spanAt(tokenBefore.startOffset, endOf(tokenBefore)), '', bracket)
  }
  return tagMarkup(
    T.isA(token, T.TagClose) ? spanAt(open.startOffset, Math.max(endOf(open), at)) : span,
    name,
    tag?.usage ?? `{% ${name} %}`,
  )
}

/** Returns true if there is a line end between a token and an offset. */
function isNextLine(text: string, tokenBefore: IToken, at: number): boolean {
  return text.slice(endOf(tokenBefore), at).includes('\n')
}

/** Returns true if a bracket is open before a token. */
function isInBrackets(tokens: readonly IToken[], open: IToken | undefined, index: number): boolean {
  return open !== undefined && openBracket(tokens, open, index) !== null
}

/** Returns true if the token is inside the braces of a double-quoted text. */
function isInInterpolation(tokens: readonly IToken[], index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at]
    if (token === undefined) return false
    if (T.isA(token, T.InterpolationOpen) || T.isA(token, T.InterpolationMid)) return true
    if (T.isA(token, T.InterpolationClose) || T.isA(token, T.TagClose) || T.isA(token, T.OutputClose)) return false
  }
  return false
}

function openerBefore(tokens: readonly IToken[], index: number): IToken | undefined {
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at]
    if (token === undefined) return undefined
    if (T.isA(token, TagOpen) || T.isA(token, OutputOpen)) return token
    if (token.tokenType.CATEGORIES?.includes(TagOpen)) return token
  }
  return undefined
}

/** Returns the innermost bracket that is open at the end of the tag; null for none. */
function openBracket(tokens: readonly IToken[], open: IToken, end: number): string | null {
  const brackets: string[] = []
  for (const token of tokens.slice(tokens.indexOf(open), end < 0 ? tokens.length : end)) {
    if (T.isA(token, T.OpenBracket) || T.isA(token, T.OpenBrace)) brackets.push(token.image)
    else if (T.isA(token, T.CloseBracket) || T.isA(token, T.CloseBrace)) brackets.pop()
  }
  return brackets.at(-1) ?? null
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 40 ? `${line.slice(0, 40)}…` : line
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : Math.max(end, at + 1)
}
