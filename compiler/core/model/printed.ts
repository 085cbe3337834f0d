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

/**
 * Packs marks for storage: line, column, start and end of each, with -1 as the start if a mark has no place. A module has hundreds of marks,
 * and one list of numbers is stored several times faster than as many objects. Marks with places in other files stay as they are.
 */
export function packMarks(marks: readonly Mark[], file: string | null): Int32Array | readonly Mark[] {
  const packed = new Int32Array(4 * marks.length)
  let at = 0
  for (const { line, column, span } of marks) {
    if (span !== null && (span.file !== file || span.mark !== undefined)) return marks
    packed[at++] = line
    packed[at++] = column
    packed[at++] = span?.start ?? -1
    packed[at++] = span?.end ?? -1
  }
  return packed
}

/** Returns marks that were packed with the same file. */
export function unpackMarks(packed: Int32Array | readonly Mark[], file: string | null): readonly Mark[] {
  if (!(packed instanceof Int32Array)) return packed
  const marks: Mark[] = []
  for (let at = 0; at < packed.length; at += 4) {
    const [line = 0, column = 0, start = -1, end = -1] = packed.subarray(at, at + 4)
    marks.push({ line, column, span: file === null || start < 0 ? null : { file, start, end } })
  }
  return marks
}
