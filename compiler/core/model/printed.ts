/** Printed code: its text, and where the places of templates stand in it. */
import type { Span } from '../source/span.ts'

export type CodeLanguage = 'typescript' | 'javascript'

/** A printed place (0-based line and column) and the template's place that it comes from: null where what follows comes from none. */
export interface Mark {
  readonly line: number
  readonly column: number
  readonly span: Span | null
}

export interface Printed {
  /** Ends without a line feed. */
  readonly text: string
  /** How many lines the text has. */
  readonly lines: number
  /** In the order of the text. */
  readonly marks: readonly Mark[]
  /** The words `export ` before statements, in the order of the text. Each begins its line. */
  readonly exports: readonly { readonly offset: number; readonly line: number }[]
}
