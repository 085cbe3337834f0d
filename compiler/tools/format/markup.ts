/** Formats the white space between the tokens of a single markup: an output, a tag, or a line of `{% liquid %}`. */
import type { IToken, TokenType } from 'chevrotain'
import { EndOpen, TagOpen, UnknownOpen } from '../../language/syntax/lexer.ts'
import * as T from '../../language/syntax/tokens.ts'
import { indentDeeper, type Edits, lineEndIn } from './edit.ts'

export interface Markup {
  /** All tokens, from the opening delimiter or name to the closing delimiter. */
  readonly tokens: readonly IToken[]
  /** The indentation of the line in which the markup begins. */
  readonly indent: string
}

export function endOf({ startOffset, image }: IToken): number {
  return startOffset + image.length
}

/** Formats the white space between all tokens of a markup. */
export function formatMarkup(text: string, { tokens, indent }: Markup, edits: Edits): void {
  const open: string[] = []
  let line = indent
  for (const [at, token] of tokens.entries()) {
    const tokenBefore = tokens[at - 1]
    if (tokenBefore === undefined) continue
    if (isOneOf(tokenBefore, OPENING)) open.push(line)
    const gap = text.slice(endOf(tokenBefore), token.startOffset)
    const isClosing = isOneOf(token, CLOSING)
    const enclosing = isClosing ? open.pop() : open.at(-1)
    const eol = lineEndIn(gap)
    if (eol !== null)
      line = isClosing ? (enclosing ?? indent) : isMarkupEnd(token) ? indent : indentDeeper(enclosing ?? indent)
    edits.replace(
      endOf(tokenBefore),
      token.startOffset,
      eol === null ? gapBetween(tokenBefore, token, gap) : continuationGap(gap, eol, line),
    )
  }
}

/** Returns true if a token opens a tag of any name. */
export function opensTag({ tokenType }: IToken): boolean {
  return tokenType === EndOpen || tokenType === UnknownOpen || (tokenType.CATEGORIES?.includes(TagOpen) ?? false)
}

function isMarkupEnd(token: IToken): boolean {
  return T.isA(token, T.TagClose) || T.isA(token, T.OutputClose)
}

const OPENING: readonly TokenType[] = [T.OpenBracket, T.OpenBrace]
const CLOSING: readonly TokenType[] = [T.CloseBracket, T.CloseBrace]
/** Tokens that are not expected in markup. The white space around them stays, because they may be an apostrophe, or part of a word. */
const UNEXPECTED: readonly TokenType[] = [T.StrayQuote, T.Stray, T.At, T.DigitName]
const NO_SPACE_BEFORE: readonly TokenType[] = [T.Comma, T.Colon, T.Dot, T.DotDot, T.CloseParen, T.CloseBracket]
const NO_SPACE_AFTER: readonly TokenType[] = [T.Dot, T.DotDot, T.OpenParen, T.OpenBracket]
const SPACE_AROUND: readonly TokenType[] = [
  T.Pipe,
  T.Assign,
  T.Push,
  T.Comparator,
  T.OpenBrace,
  T.CloseBrace,
  T.InterpolationMid,
]
const SPACE_AFTER: readonly TokenType[] = [T.Comma, T.Colon, T.InterpolationOpen]
const SPACE_BEFORE: readonly TokenType[] = [T.InterpolationClose, T.TagClose, T.OutputClose]

function isOneOf(token: IToken, types: readonly TokenType[]): boolean {
  return types.some((type) => T.isA(token, type))
}

/** Returns the white space before a continued line, including comments at the ends of the previous lines. */
function continuationGap(gap: string, eol: string, indent: string): string {
  const comments = gap
    .split('\n')
    .map((line) => line.trim())
    .filter((line, at) => at === 0 || line !== '')
    .map((line, at) => (line === '' ? '' : at === 0 ? ` ${line}` : `${indent}${line}`))
  return `${comments.join(eol)}${eol}${indent}`
}

function gapBetween(tokenBefore: IToken, token: IToken, gap: string): string {
  if (gap.trim() !== '') return gap
  if (isMarkupEnd(token)) return ' '
  if (isOneOf(tokenBefore, UNEXPECTED) || isOneOf(token, UNEXPECTED)) return gap
  if (isOneOf(tokenBefore, OPENING) && isOneOf(token, CLOSING)) return ''
  if (isOneOf(token, NO_SPACE_BEFORE)) return ''
  // The `[` of a lookup follows its name directly; the `[` of a list follows a space.
  if (T.isA(token, T.OpenBracket) && token.tokenType.name.endsWith('of a lookup')) return ''
  if (isOneOf(tokenBefore, NO_SPACE_AFTER)) return ''
  if (isOneOf(tokenBefore, SPACE_AROUND) || isOneOf(token, SPACE_AROUND)) return ' '
  if (isOneOf(tokenBefore, SPACE_AFTER) || isOneOf(token, SPACE_BEFORE)) return ' '
  return gap === '' && !needsSpaceAfter(tokenBefore) ? '' : ' '
}

/** Returns true if a space follows the token: after a word, as in `render'card'`, after an opening delimiter, and after a range. */
function needsSpaceAfter(tokenBefore: IToken): boolean {
  return OPENS.test(tokenBefore.image) || T.isA(tokenBefore, T.CloseParen)
}

const OPENS = /^\{[{%]|^\w+$/
