/** White space between the tokens of one markup: an output, a tag, or a line of `{% liquid %}`. */
import type { IToken, TokenType } from 'chevrotain'
import { EndOpen, TagOpen, UnknownOpen } from '../../language/syntax/lexer.ts'
import * as T from '../../language/syntax/tokens.ts'
import { deeper, type Edits, lineEndIn } from './edit.ts'

export interface Markup {
  /** From the sign or the name that opens it to what closes it. */
  readonly tokens: readonly IToken[]
  /** Of the line in which it begins. */
  readonly indent: string
}

export function endOf({ startOffset, image }: IToken): number {
  return startOffset + image.length
}

/** Puts the white space between all tokens of a markup in order. */
export function layMarkup(text: string, { tokens, indent }: Markup, edits: Edits): void {
  const open: string[] = []
  let line = indent
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    if (before === undefined) continue
    if (isOneOf(before, OPENING)) open.push(line)
    const gap = text.slice(endOf(before), token.startOffset)
    const isClosing = isOneOf(token, CLOSING)
    const around = isClosing ? open.pop() : open.at(-1)
    const eol = lineEndIn(gap)
    if (eol !== null) line = isClosing ? (around ?? indent) : isEnd(token) ? indent : deeper(around ?? indent)
    edits.replace(endOf(before), token.startOffset, eol === null ? between(before, token, gap) : goneOn(gap, eol, line))
  }
}

/** Whether a token opens a tag, whichever. */
export function opensTag({ tokenType }: IToken): boolean {
  return tokenType === EndOpen || tokenType === UnknownOpen || (tokenType.CATEGORIES?.includes(TagOpen) ?? false)
}

function isEnd(token: IToken): boolean {
  return T.isA(token, T.TagClose) || T.isA(token, T.OutputClose)
}

const OPENING: readonly TokenType[] = [T.OpenBracket, T.OpenBrace]
const CLOSING: readonly TokenType[] = [T.CloseBracket, T.CloseBrace]
/** What is odd stands as it stood: it may be an apostrophe in a text, or a part of a word. */
const ODD: readonly TokenType[] = [T.StrayQuote, T.Stray, T.At, T.DigitName]
const NOTHING_BEFORE: readonly TokenType[] = [T.Comma, T.Colon, T.Dot, T.DotDot, T.CloseParen, T.CloseBracket]
const NOTHING_BEHIND: readonly TokenType[] = [T.Dot, T.DotDot, T.OpenParen, T.OpenBracket]
const SPACE_AROUND: readonly TokenType[] = [
  T.Pipe,
  T.Assign,
  T.Push,
  T.Comparator,
  T.OpenBrace,
  T.CloseBrace,
  T.InterpolationMid,
]
const SPACE_BEHIND: readonly TokenType[] = [T.Comma, T.Colon, T.InterpolationOpen]
const SPACE_BEFORE: readonly TokenType[] = [T.InterpolationClose, T.TagClose, T.OutputClose]

function isOneOf(token: IToken, types: readonly TokenType[]): boolean {
  return types.some((type) => T.isA(token, type))
}

/** White space in front of a line that goes on, with the remarks at the ends of the lines before it. */
function goneOn(gap: string, eol: string, indent: string): string {
  const remarks = gap
    .split('\n')
    .map((line) => line.trim())
    .filter((line, at) => at === 0 || line !== '')
    .map((line, at) => (line === '' ? '' : at === 0 ? ` ${line}` : `${indent}${line}`))
  return `${remarks.join(eol)}${eol}${indent}`
}

function between(before: IToken, token: IToken, gap: string): string {
  if (gap.trim() !== '') return gap
  if (isEnd(token)) return ' '
  if (isOneOf(before, ODD) || isOneOf(token, ODD)) return gap
  if (isOneOf(before, OPENING) && isOneOf(token, CLOSING)) return ''
  if (isOneOf(token, NOTHING_BEFORE)) return ''
  // `[` of a lookup stands at its name, that of a list behind a space.
  if (T.isA(token, T.OpenBracket) && token.tokenType.name.endsWith('of a lookup')) return ''
  if (isOneOf(before, NOTHING_BEHIND)) return ''
  if (isOneOf(before, SPACE_AROUND) || isOneOf(token, SPACE_AROUND)) return ' '
  if (isOneOf(before, SPACE_BEHIND) || isOneOf(token, SPACE_BEFORE)) return ' '
  return gap === '' && !standsApart(before) ? '' : ' '
}

/** Whether what follows stands apart: behind a word, as in `render'card'`, behind the sign that opens a markup, and behind a range. */
function standsApart(before: IToken): boolean {
  return OPENS.test(before.image) || T.isA(before, T.CloseParen)
}

const OPENS = /^\{[{%]|^\w+$/
