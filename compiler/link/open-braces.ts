/** Finds the bracket of a GraphQL document that nothing closes. */
import type { SourceRange } from '../model/operation.ts'

export interface OpenBrace {
  readonly bracket: string
  /** Where it stands. */
  readonly at: SourceRange
  readonly line: number
  /** The last token of the document. */
  readonly last: SourceRange
}

/** Blocks of text, texts, comments, names and numbers, and signs. */
const TOKEN = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[\w$@.]+|[^\s,]/g
const CLOSES: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' }

/** The outermost bracket that is open at the end; null where all are closed. */
export function openBrace(document: string): OpenBrace | null {
  const open: { readonly bracket: string; readonly at: number }[] = []
  let last: SourceRange = { start: 0, end: 0 }
  for (const { 0: token, index } of document.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue
    last = { start: index, end: index + token.length }
    if (token === '{' || token === '(' || token === '[') open.push({ bracket: token, at: index })
    else if (CLOSES[token] !== undefined && open.at(-1)?.bracket === CLOSES[token]) open.pop()
  }
  const [first] = open
  if (first === undefined) return null
  const line = document.slice(0, first.at).split('\n').length
  return { bracket: first.bracket, at: { start: first.at, end: first.at + 1 }, line, last }
}
