/** Finds the bracket of a GraphQL document that is never closed. */
import type { SourceRange } from '../../core/model/operation.ts'

export interface OpenBrace {
  readonly bracket: string
  /** The position of the bracket. */
  readonly position: SourceRange
  readonly line: number
  /** The token after which the bracket should be closed. */
  readonly lastToken: SourceRange
}

/** Matches block strings, strings, comments, names, numbers and punctuators. */
const TOKEN = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[\w$@.]+|[^\s,]/g
const CLOSES: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' }

/**
 * Returns the outermost bracket that is still open at the end of the document, or the bracket that is open where a different kind is
 * closed. Null if all brackets are closed in order.
 */
export function findOpenBrace(document: string): OpenBrace | null {
  const open: { readonly bracket: string; readonly offset: number }[] = []
  let last: SourceRange = { start: 0, end: 0 }
  let lastOfLine = last
  let beforeLast = last
  for (const { 0: token, index } of document.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue
    const closes = CLOSES[token]
    const innermost = open.at(-1)
    if (document.slice(last.end, index).includes('\n')) lastOfLine = last
    // Arguments contain no parentheses, and a brace inside them follows a colon.
    const begins = token === '(' || (token === '{' && endsArgument(document, beforeLast, last))
    if (begins && innermost?.bracket === '(') {
      const place = withLine(document, innermost.offset)
      return { ...innermost, ...place, lastToken: lastOfLine.start > innermost.offset ? lastOfLine : last }
    }
    if (closes !== undefined && innermost?.bracket === closes) open.pop()
    // The token closes an outer bracket, so the innermost one is unclosed.
    else if (closes !== undefined && innermost !== undefined && open.at(-2)?.bracket === closes)
      return {
        ...innermost,
        ...withLine(document, innermost.offset),
        lastToken: lastTokenOfLine(document, innermost.offset) ?? last,
      }
    beforeLast = last
    last = { start: index, end: index + token.length }
    if (token === '{' || token === '(' || token === '[') open.push({ bracket: token, offset: index })
  }
  const [first] = open
  return first === undefined ? null : { ...first, ...withLine(document, first.offset), lastToken: last }
}

/**
 * Returns the last token of a bracket's line if the next line is not indented deeper. The bracket is expected to close after this token.
 */
function lastTokenOfLine(document: string, bracketStart: number): SourceRange | null {
  const begin = document.lastIndexOf('\n', bracketStart) + 1
  const end = document.indexOf('\n', bracketStart)
  const line = document.slice(begin, end)
  const next = /^(\s*)\S/.exec(document.slice(end + 1))?.[1] ?? ''
  const indent = line.length - line.trimStart().length
  if (end < 0 || next.slice(next.lastIndexOf('\n') + 1).length > indent) return null
  const tokens = [...line.matchAll(TOKEN)].filter(({ 0: token }) => !token.startsWith('#'))
  const last = tokens.at(-1)
  return last === undefined ? null : { start: begin + last.index, end: begin + last.index + last[0].length }
}

/** Returns true if an argument's value ends at the token. A single name is not a value, because it lacks its colon. */
function endsArgument(document: string, tokenBefore: SourceRange, last: SourceRange): boolean {
  const text = document.slice(last.start, last.end)
  if (text === ':' || text === '=') return false
  return document[tokenBefore.start] === ':' || !/^[A-Za-z_]/.test(text)
}

function withLine(document: string, offset: number): Pick<OpenBrace, 'position' | 'line'> {
  return { position: { start: offset, end: offset + 1 }, line: document.slice(0, offset).split('\n').length }
}
