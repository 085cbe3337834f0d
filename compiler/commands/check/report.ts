/** What `check` and `build` print of what was found. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { printGithub } from '../../core/diagnostics/github.ts'
import { printJson } from '../../core/diagnostics/json.ts'
import { printDiagnostics, SEVERITIES, summary } from '../../core/diagnostics/print.ts'
import { formatCount as numberOf } from '../../core/diagnostics/words.ts'
import type { DiscoveredSite } from '../../core/source/discover.ts'
import { writtenTexts } from '../../core/source/file.ts'

export const FORMATS = ['text', 'json', 'github', 'sarif'] as const
export type Format = (typeof FORMATS)[number]

export interface Reported {
  /** What is shown. */
  readonly diagnostics: readonly Diagnostic[]
  /** What is formatCount, where that is more. */
  readonly all?: readonly Diagnostic[]
}

/**
 * The diagnostics in a format. As text the errors come first, and a code that comes up often is folded into one with the places of the
 * others; the other formats have each by itself.
 * @param all every diagnostic is whole as text too
 */
export async function report(
  { diagnostics, all: formatCount }: Reported,
  discovered: DiscoveredSite,
  format: Format,
  all = false,
): Promise<string> {
  const texts = writtenTexts(discovered.files)
  const textOf = (path: string) => texts.get(path)
  switch (format) {
    case 'json':
      return printJson(diagnostics, textOf)
    case 'github':
      return printGithub(diagnostics, textOf)
    case 'sarif':
      return (await import('./sarif.ts')).sarif(diagnostics, textOf)
    case 'text': {
      if (diagnostics.length === 0) {
        const hidden =
          formatCount === undefined || formatCount.length === 0 ? '' : `${summary(formatCount)}, none of them shown\n`
        return hidden === '' ? `No problems in ${numberOf(discovered.files.length, 'file')}.\n` : hidden
      }
      const color = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined
      return printDiagnostics(diagnostics, {
        texts: textOf,
        color,
        folded: all ? [] : SEVERITIES,
        ...(formatCount === undefined ? {} : { all: formatCount }),
        ...(process.stdout.columns ? { width: process.stdout.columns } : {}),
      })
    }
  }
}
