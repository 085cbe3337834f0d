/** Applies quick fixes of diagnostics, like an editor, and checks the result. */
import type { Diagnostic } from '../../../compiler/core/diagnostics/diagnostic.ts'
import { type QuickFix, findQuickFix, applyEdits } from '../../../compiler/core/diagnostics/quick-fix.ts'
import { compile } from '../../../compiler/compile.ts'
import { filesFromTexts } from '../../../compiler/core/source/from-texts.ts'
import type { Files } from './check.ts'

/** Returns the diagnostics that `ingot check` reports for a site. */
export function diagnosticsOf(files: Files): readonly Diagnostic[] {
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const
  return compile(filesFromTexts(files, false), options).diagnostics
}

export function fixFor(diagnostic: Diagnostic, files: Files): QuickFix | null {
  return findQuickFix(diagnostic, (file) => files[file])
}

/** Returns the files with a fix applied. */
export function applyFix(files: Files, { edits }: Pick<QuickFix, 'edits'>): Files {
  const after: Record<string, string> = { ...files }
  for (const file of new Set(edits.map((edit) => edit.file)))
    after[file] = applyEdits(
      after[file] ?? '',
      edits.filter((edit) => edit.file === file),
    )
  return after
}

/** Returns `code: message` of all errors and warnings. */
export function formatProblems(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ severity }) => severity !== 'info').map(({ code, message }) => `${code}: ${message}`)
}
