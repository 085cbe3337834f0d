/** Formats the findings of `check` and `build`. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { printGithub } from '../../core/diagnostics/github.ts'
import { printJson } from '../../core/diagnostics/json.ts'
import { printDiagnostics, SEVERITIES, summary } from '../../core/diagnostics/print.ts'
import { formatCount as numberOf } from '../../core/diagnostics/words.ts'
import { hasColors } from '../../../runtime/data/terminal-colors.ts'
import type { DiscoveredSite } from '../../core/source/discover.ts'
import { writtenTexts } from '../../core/source/file.ts'

export const FORMATS = ['text', 'json', 'github', 'sarif'] as const
export type Format = (typeof FORMATS)[number]

interface ReportInput {
  /** The findings to print. */
  readonly diagnostics: readonly Diagnostic[]
  /** The findings that the summary counts, if not all of them are printed. */
  readonly allDiagnostics?: readonly Diagnostic[]
}

/**
 * Formats diagnostics. As text, errors come first, and a frequent code is folded into one diagnostic with a list of places. Other formats
 * list each diagnostic.
 * @param all prints every diagnostic in full, as text too
 * @param to the stream that the report is for, which has colors if it is a terminal
 */
export async function formatReport(
  { diagnostics, allDiagnostics: counted }: ReportInput,
  discovered: DiscoveredSite,
  format: Format,
  all = false,
  to: NodeJS.WriteStream = process.stdout,
): Promise<string> {
  const texts = writtenTexts(discovered.files)
  const textOf = (path: string) => texts.get(path)
  switch (format) {
    case 'json':
      return printJson(diagnostics, textOf)
    case 'github':
      return printGithub(diagnostics, textOf)
    case 'sarif':
      return (await import('./sarif.ts')).formatSarif(diagnostics, textOf)
    case 'text': {
      if (diagnostics.length === 0) {
        const hidden = counted === undefined || counted.length === 0 ? '' : `${summary(counted)}, none of them shown\n`
        return hidden === '' ? `No problems in ${numberOf(discovered.files.length, 'file')}.\n` : hidden
      }
      const color = hasColors(to, process.env)
      return printDiagnostics(diagnostics, {
        findText: textOf,
        color,
        folded: all ? [] : SEVERITIES,
        ...(counted === undefined ? {} : { allDiagnostics: counted }),
        ...(to.columns ? { width: to.columns } : {}),
      })
    }
  }
}
