/** Formats diagnostics as GitHub workflow commands, which GitHub shows next to the lines of a pull request. */
import type { Diagnostic, Severity } from './diagnostic.ts'
import { lineRangeFinder, type FileTextLookup } from './line-range.ts'

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/** Returns one command per line; an empty text if there are no diagnostics. */
export function printGithub(diagnostics: readonly Diagnostic[], findText: FileTextLookup): string {
  const lineRangeOf = lineRangeFinder(findText)
  return diagnostics
    .map((diagnostic) => {
      const { line, column, endLine, endColumn } = lineRangeOf(diagnostic.span)
      const properties = [
        `file=${escapeProperty(diagnostic.span.file)}`,
        `line=${line}`,
        `endLine=${endLine}`,
        // GitHub accepts columns only for single-line ranges, and its end column is inclusive.
        ...(line === endLine ? [`col=${column}`, `endColumn=${Math.max(endColumn - 1, column)}`] : []),
        `title=${escapeProperty(diagnostic.code)}`,
      ]
      const text = diagnostic.hint === undefined ? diagnostic.message : `${diagnostic.message}\n${diagnostic.hint}`
      return `::${COMMANDS[diagnostic.severity]} ${properties.join(',')}::${escapeData(text)}\n`
    })
    .join('')
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
