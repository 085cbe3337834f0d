/** Diagnostics as workflow commands: GitHub shows them beside the lines of a pull request. */
import type { Diagnostic, Severity } from './diagnostic.ts'
import { lineRangeFinder, type TextOf } from './line-range.ts'

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/** One command a line; empty text for no diagnostics. */
export function printGithub(diagnostics: readonly Diagnostic[], textOf: TextOf): string {
  const lineRangeOf = lineRangeFinder(textOf)
  return diagnostics
    .map((diagnostic) => {
      const { line, column, endLine, endColumn } = lineRangeOf(diagnostic.span)
      const properties = [
        `file=${property(diagnostic.span.file)}`,
        `line=${line}`,
        `endLine=${endLine}`,
        // GitHub takes columns only for what stands on one line, and its last column is the last character's.
        ...(line === endLine ? [`col=${column}`, `endColumn=${Math.max(endColumn - 1, column)}`] : []),
        `title=${property(diagnostic.code)}`,
      ]
      const text = diagnostic.hint === undefined ? diagnostic.message : `${diagnostic.message}\n${diagnostic.hint}`
      return `::${COMMANDS[diagnostic.severity]} ${properties.join(',')}::${data(text)}\n`
    })
    .join('')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
