/** Moves diagnostics of files with template values to the text that the author wrote, and reports missing values. */
import type { Span } from '../../../core/source/span.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { type WrittenText, writtenSpan } from '../../../core/source/template-values.ts'
import { neededTemplateValue } from '../../../core/diagnostics/codes/settings/needed-template-value.ts'
import { unsetTemplateValue } from '../../../core/diagnostics/codes/settings/unset-template-value.ts'
import type { Change, Diagnostic, Edit } from '../../../core/diagnostics/diagnostic.ts'

/** An edit that touches a value is none of what the author wrote. */
function movedChange(change: Change, written: ReadonlyMap<string, WrittenText>): { readonly change?: Change } {
  const edits: Edit[] = []
  for (const edit of change.edits) {
    const known = written.get(edit.span.file)
    const span = known === undefined ? edit.span : writtenSpan(known, edit.span)
    if (span.end - span.start !== edit.span.end - edit.span.start || edit.target === 'file') return {}
    if (
      known?.replacements.some(({ markupStart, markupEnd }) => markupStart < span.end && span.start < markupEnd) ===
      true
    )
      return {}
    edits.push({ ...edit, span })
  }
  return { change: { ...change, edits } }
}

/** Places of the texts as they were written, in place of those of the texts that were read; a warning for each key without a value. */
export function inWrittenText(diagnostics: readonly Diagnostic[], files: readonly SourceFile[]): readonly Diagnostic[] {
  const written = new Map<string, WrittenText>()
  for (const file of files) if (file.written !== undefined) written.set(file.path, file.written)
  if (written.size === 0) return diagnostics
  const movedSpan = (span: Span): Span => {
    const known = written.get(span.file)
    return known === undefined ? span : writtenSpan(known, span)
  }
  const movedDiagnostics = diagnostics.map(({ change, ...diagnostic }) => ({
    ...diagnostic,
    ...(change === undefined ? {} : movedChange(change, written)),
    span: movedSpan(diagnostic.span),
    related: diagnostic.related.map((each) => ({ ...each, span: movedSpan(each.span) })),
    ...(diagnostic.rewritten === undefined ? {} : { rewritten: movedSpan(diagnostic.rewritten) }),
  }))
  const needed = new Set(
    movedDiagnostics
      .filter(({ code }) => code === neededTemplateValue.code)
      .map(({ span: { file, start } }) => `${file}\0${start}`),
  )
  const unset = [...written].flatMap(([file, known]) =>
    known.unset
      .filter(({ markupStart: from }) => !needed.has(`${file}\0${from}`))
      .map(({ key, markupStart: from, markupEnd: to }) => unsetTemplateValue({ file, start: from, end: to }, key)),
  )
  return [...movedDiagnostics, ...unset].sort((a, b) =>
    a.span.file === b.span.file ? a.span.start - b.span.start : a.span.file < b.span.file ? -1 : 1,
  )
}
