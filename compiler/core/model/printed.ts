/** Printed code: its text, and the source map to the templates. */
import type { Span } from '../source/span.ts'

export type CodeLanguage = 'typescript' | 'javascript'

/** A position in the printed code (0-based line and column) and its place in a template; null if it comes from none. */
export interface Mark {
  readonly line: number
  readonly column: number
  readonly span: Span | null
}

export interface Printed {
  /** The text, without a line feed at its end. */
  readonly text: string
  /** The number of lines of the text. */
  readonly lines: number
  /** The marks in text order. */
  readonly marks: readonly Mark[]
  /** The places of `export ` before statements, in text order. Each is at the beginning of its line. */
  readonly exports: readonly { readonly offset: number; readonly line: number }[]
}
