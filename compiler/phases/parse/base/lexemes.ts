/** The lexer of the strict modes, with the tokens of the reference implementation. */
import type { TextSlice } from './text-slices.ts'
import { Refusal } from './reference-messages.ts'

export type LexemeKind =
  | 'id'
  | 'number'
  | 'string'
  | 'comparison'
  | 'dotdot'
  | 'dot'
  | 'comma'
  | 'colon'
  | 'pipe'
  | 'question'
  | 'dash'
  | 'open_round'
  | 'close_round'
  | 'open_square'
  | 'close_square'
  | 'end_of_string'

export interface Lexeme extends TextSlice {
  readonly kind: LexemeKind
}

const SIGNS: Readonly<Record<string, LexemeKind>> = {
  '..': 'dotdot',
  '.': 'dot',
  ',': 'comma',
  ':': 'colon',
  '|': 'pipe',
  '?': 'question',
  '-': 'dash',
  '(': 'open_round',
  ')': 'close_round',
  '[': 'open_square',
  ']': 'close_square',
}

const SPACE = /[ \t\r\n\f\v]*/y
const LEXEME =
  /(?<id>[A-Za-z_][A-Za-z0-9_-]*\??)|(?<number>-?[0-9]+(?:\.[0-9]+)?)|(?<string>'[^']*'|"[^"]*")|(?<comparison>[=!<>]=|<>|[<>])|\.\.|[.,:|?()[\]-]/y

/** Splits text into lexemes. @throws Refusal for a character that starts no lexeme */
export function tokenize({ text, at }: TextSlice): readonly Lexeme[] {
  const list: Lexeme[] = []
  for (let offset = 0; ; offset = LEXEME.lastIndex) {
    SPACE.lastIndex = offset
    SPACE.exec(text)
    const start = SPACE.lastIndex
    if (start >= text.length) return [...list, { kind: 'end_of_string', text: '', at: at + text.length }]
    LEXEME.lastIndex = start
    const match = LEXEME.exec(text)
    if (match === null) {
      const sign = String.fromCodePoint(text.codePointAt(start) ?? 0)
      throw new Refusal(`Unexpected character ${sign}`, { text: sign, at: at + start })
    }
    list.push({ kind: lexemeKind(match, list.at(-1)), text: match[0], at: at + start })
  }
}

function lexemeKind(match: RegExpExecArray, previous: Lexeme | undefined): LexemeKind {
  // After a dot, the word is a field name.
  if (match[0] === 'contains' && previous?.kind !== 'dot') return 'comparison'
  const { id, number, string } = match.groups ?? {}
  if (id !== undefined) return 'id'
  if (number !== undefined) return 'number'
  if (string !== undefined) return 'string'
  return SIGNS[match[0]] ?? 'comparison'
}

/** Formats a lexeme as the error messages of the reference implementation show it. */
export function formatLexeme({ kind, text }: Lexeme): string {
  return kind === 'end_of_string' ? `[:${kind}]` : `[:${kind}, ${JSON.stringify(text)}]`
}
