/** Moves diagnostics in files with template values to the text as the author wrote it, and reports template values that are not set. */
import type { Span } from '../../core/source/span.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { type WrittenText, writtenSpan } from '../../core/source/template-values.ts'
import type { Change, Diagnostic, Edit } from '../../core/diagnostics/diagnostic.ts'
import { checkTemplateValues } from './rules/settings/unset-template-value.ts'

/** Moves the edits of a change to the text as the author wrote it. Returns no change if an edit cannot be moved exactly. */
function moveChange(change: Change, written: ReadonlyMap<string, WrittenText>): { readonly change?: Change } {
  const edits: Edit[] = []
  for (const edit of change.edits) {
    const writtenText = written.get(edit.span.file)
    const span = writtenText === undefined ? edit.span : writtenSpan(writtenText, edit.span)
    if (span.end - span.start !== edit.span.end - edit.span.start || edit.target === 'file') return {}
    if (
      writtenText?.replacements.some(
        ({ markupStart, markupEnd }) => markupStart < span.end && span.start < markupEnd,
      ) === true
    )
      return {}
    edits.push({ ...edit, span })
  }
  return { change: { ...change, edits } }
}

/** Returns the diagnostics with their spans in the text as the author wrote it, and a warning for each template value that is not set. */
export function inWrittenText(diagnostics: readonly Diagnostic[], files: readonly SourceFile[]): readonly Diagnostic[] {
  const written = new Map<string, WrittenText>()
  for (const file of files) if (file.writtenText !== undefined) written.set(file.path, file.writtenText)
  if (written.size === 0) return diagnostics
  const moveSpan = (span: Span): Span => {
    const writtenText = written.get(span.file)
    return writtenText === undefined ? span : writtenSpan(writtenText, span)
  }
  const movedDiagnostics = diagnostics.map(({ change, ...diagnostic }) => ({
    ...diagnostic,
    ...(change === undefined ? {} : moveChange(change, written)),
    span: moveSpan(diagnostic.span),
    related: diagnostic.related.map((each) => ({ ...each, span: moveSpan(each.span) })),
    ...(diagnostic.rewritten && { rewritten: { ...diagnostic.rewritten, span: moveSpan(diagnostic.rewritten.span) } }),
  }))
  return [...movedDiagnostics, ...checkTemplateValues(written, movedDiagnostics)].sort((a, b) =>
    a.span.file === b.span.file ? a.span.start - b.span.start : a.span.file < b.span.file ? -1 : 1,
  )
}
