/** Keeps the diagnostics of a file without offsets in other files, so that they stay correct when those files are edited. */
import { markedSpan, unmarkedSpan } from '../source/mark.ts'
import type { Span } from '../source/span.ts'
import type { Diagnostic } from './diagnostic.ts'

/** Returns the text of a file; undefined if the file is unknown. */
export type TextOf = (file: string) => string | undefined

/** Returns a diagnostic to be kept with the results of a file: its places in other files are named by their words. */
export function withMarks(diagnostic: Diagnostic, file: string, textOf: TextOf): Diagnostic {
  return mapSpans(diagnostic, (span) => {
    const text = span.file === file ? undefined : textOf(span.file)
    return text === undefined ? span : markedSpan(span, text)
  })
}

/** Returns a diagnostic with the offsets that its places have now. */
export function withOffsets(diagnostic: Diagnostic, textOf: TextOf): Diagnostic {
  return mapSpans(diagnostic, (span) => (span.mark === undefined ? span : unmarkedSpan(span, textOf(span.file) ?? '')))
}

/** Replaces the spans of a diagnostic, of its related places and of its edits. Returns the same object if none is replaced. */
function mapSpans(diagnostic: Diagnostic, replace: (span: Span) => Span): Diagnostic {
  const span = replace(diagnostic.span)
  let isSame = span === diagnostic.span
  const placed = <Part extends { readonly span: Span }>(part: Part): Part => {
    const partSpan = replace(part.span)
    if (partSpan === part.span) return part
    isSame = false
    return { ...part, span: partSpan }
  }
  const related = diagnostic.related.map(placed)
  const edits = diagnostic.change?.edits.map(placed)
  if (isSame) return diagnostic
  const change = diagnostic.change && edits && { change: { ...diagnostic.change, edits } }
  return { ...diagnostic, span, related, ...change }
}
