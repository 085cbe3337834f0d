/** Lines and columns of spans. Only what is shown to people and handed to other programs has them. */
import { lineStarts, position } from '../source/file.ts'
import type { Span } from '../source/span.ts'

/** The text of a file by its path; undefined for one that could not be read. */
export type TextOf = (file: string) => string | undefined

/** 1-based; columns count UTF-16 units, and the end stands behind the last one. */
export interface LineRange {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** Gives a function that finds the lines of spans and makes each file's line table once. Spans in files without a text are at the beginning. */
export function lineRangeFinder(textOf: TextOf): (span: Span) => LineRange {
  const tables = new Map<string, { readonly starts: readonly number[]; readonly length: number }>()
  return (span) => {
    let table = tables.get(span.file)
    if (table === undefined) {
      const text = textOf(span.file) ?? ''
      table = { starts: lineStarts(text), length: text.length }
      tables.set(span.file, table)
    }
    const start = Math.min(span.start, table.length)
    const from = position(table.starts, start)
    const to = position(table.starts, Math.min(Math.max(span.end, start), table.length))
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
  }
}
