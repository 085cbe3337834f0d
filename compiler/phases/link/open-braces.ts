/** Finds the bracket of a GraphQL document that nothing closes. */
import type { SourceRange } from '../../core/model/operation.ts'

export interface OpenBrace {
  readonly bracket: string
  /** Where it stands. */
  readonly at: SourceRange
  readonly line: number
  /** The token behind which it should be closed. */
  readonly last: SourceRange
}

/** Blocks of text, texts, comments, names and numbers, and signs. */
const TOKEN = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[\w$@.]+|[^\s,]/g
const CLOSES: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' }

/** The outermost bracket that is open at the end, or where another one is closed; null where all are closed in their order. */
export function openBrace(document: string): OpenBrace | null {
  const open: { readonly bracket: string; readonly at: number }[] = []
  let last: SourceRange = { start: 0, end: 0 }
  let lastOfLine = last
  let beforeLast = last
  for (const { 0: token, index } of document.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue
    const closes = CLOSES[token]
    const innermost = open.at(-1)
    if (document.slice(last.end, index).includes('\n')) lastOfLine = last
    // Arguments hold no further ones, and a brace stands behind a colon there.
    const begins = token === '(' || (token === '{' && follows(document, beforeLast, last))
    if (begins && innermost?.bracket === '(') {
      const place = placed(document, innermost.at)
      return { ...innermost, ...place, last: lastOfLine.start > innermost.at ? lastOfLine : last }
    }
    if (closes !== undefined && innermost?.bracket === closes) open.pop()
    // A bracket further out is closed: the innermost one is not.
    else if (closes !== undefined && innermost !== undefined && open.at(-2)?.bracket === closes)
      return { ...innermost, ...placed(document, innermost.at), last: endOfItsLine(document, innermost.at) ?? last }
    beforeLast = last
    last = { start: index, end: index + token.length }
    if (token === '{' || token === '(' || token === '[') open.push({ bracket: token, at: index })
  }
  const [first] = open
  return first === undefined ? null : { ...first, ...placed(document, first.at), last }
}

/** The last token of a bracket's line, where the next line is no further in: all of the brackets were to be closed there. */
function endOfItsLine(document: string, at: number): SourceRange | null {
  const begin = document.lastIndexOf('\n', at) + 1
  const end = document.indexOf('\n', at)
  const line = document.slice(begin, end)
  const next = /^(\s*)\S/.exec(document.slice(end + 1))?.[1] ?? ''
  const indent = line.length - line.trimStart().length
  if (end < 0 || next.slice(next.lastIndexOf('\n') + 1).length > indent) return null
  const tokens = [...line.matchAll(TOKEN)].filter(({ 0: token }) => !token.startsWith('#'))
  const last = tokens.at(-1)
  return last === undefined ? null : { start: begin + last.index, end: begin + last.index + last[0].length }
}

/** Whether a value of an argument ends there: a name alone is one that lacks its colon. */
function follows(document: string, before: SourceRange, last: SourceRange): boolean {
  const text = document.slice(last.start, last.end)
  if (text === ':' || text === '=') return false
  return document[before.start] === ':' || !/^[A-Za-z_]/.test(text)
}

function placed(document: string, at: number): Pick<OpenBrace, 'at' | 'line'> {
  return { at: { start: at, end: at + 1 }, line: document.slice(0, at).split('\n').length }
}
