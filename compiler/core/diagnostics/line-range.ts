/** Converts spans to lines and columns, for output to users and to other programs. */
import { lineStarts, position } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import { getOrMake } from '../source/groups.ts'

/** Returns the text of a file by its path; undefined if the file could not be read. */
export type FileTextLookup = (file: string) => string | undefined

/** A 1-based range. Columns count UTF-16 units. The end is exclusive. */
export interface LineRange {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Returns a function that converts spans to line ranges. It caches the line table of each file. Without a text, the range is at 1:1. */
export function lineRangeFinder(findText: FileTextLookup): (span: Span) => LineRange {
  const tables = new Map<string, { readonly starts: readonly number[]; readonly length: number }>()
  return (span) => {
    const table = getOrMake(tables, span.file, () => {
      const text = findText(span.file) ?? ''
      return { starts: lineStarts(text), length: text.length }
    })
    const start = Math.min(span.start, table.length)
    const startPosition = position(table.starts, start)
    const endPosition = position(table.starts, Math.min(Math.max(span.end, start), table.length))
    return {
      line: startPosition.line,
      column: startPosition.column,
      endLine: endPosition.line,
      endColumn: endPosition.column,
    }
  }
}
