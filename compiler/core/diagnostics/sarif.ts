/** Formats diagnostics as a SARIF 2.1.0 log, for code scanners and editors. */
import type { Span } from '../source/span.ts'
import type { DiagnosticCode, Diagnostic, Example, Severity } from './diagnostic.ts'
import { lineRangeFinder, type FileTextLookup } from './line-range.ts'
import { findQuickFix } from './quick-fix.ts'

interface SarifOptions {
  readonly findText: FileTextLookup
  /** All diagnostic codes. Those that occur become the rules of the log. */
  readonly codes: Iterable<Pick<DiagnosticCode<never>, 'code' | 'severity' | 'check' | 'examples'>>
  /** The version of the compiler. */
  readonly version: string
}

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' }

/** Returns the log as text that ends with a line feed. Paths are relative to the root of the site, which the log calls `SITE`. */
export function printSarif(diagnostics: readonly Diagnostic[], options: SarifOptions): string {
  const lineRangeOf = lineRangeFinder(options.findText)
  const usedCodes = new Set(diagnostics.map((diagnostic) => diagnostic.code))
  const codes = [...options.codes].filter(({ code }) => usedCodes.has(code))
  const indexes = new Map(codes.map(({ code }, index) => [code, index]))

  const location = (span: Span) => {
    const { line, column, endLine, endColumn } = lineRangeOf(span)
    return {
      physicalLocation: {
        artifactLocation: { uri: span.file.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'SITE' },
        region: { startLine: line, startColumn: column, endLine, endColumn },
      },
    }
  }
  const fixesOf = (diagnostic: Diagnostic) => {
    const fix = findQuickFix(diagnostic, options.findText)
    if (fix === null) return {}
    const artifactChanges = fix.edits.map(({ text, ...span }) => {
      const { artifactLocation, region } = location(span).physicalLocation
      return { artifactLocation, replacements: [{ deletedRegion: region, insertedContent: { text } }] }
    })
    return { fixes: [{ description: { text: fix.title }, artifactChanges }] }
  }
  const result = (diagnostic: Diagnostic) => {
    const index = indexes.get(diagnostic.code)
    const hint = diagnostic.hint === undefined ? '' : `\n${diagnostic.hint}`
    return {
      ruleId: diagnostic.code,
      ...(index === undefined ? {} : { ruleIndex: index }),
      level: LEVELS[diagnostic.severity],
      message: { text: diagnostic.message + hint },
      locations: [location(diagnostic.span)],
      ...fixesOf(diagnostic),
      ...(diagnostic.related.length === 0
        ? {}
        : {
            relatedLocations: diagnostic.related.map((related, id) => ({
              id,
              message: { text: related.message },
              ...location(related.span),
            })),
          }),
    }
  }
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Ingot', version: options.version, rules: codes.map(makeRule) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map(result),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function makeRule({
  code,
  severity,
  check,
  examples,
}: Pick<DiagnosticCode<never>, 'code' | 'severity' | 'check' | 'examples'>) {
  const words = code.replaceAll('-', ' ')
  const wrong = formatExample(examples.wrong)
  const right = formatExample(examples.right)
  return {
    id: code,
    name: code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: words },
    help: {
      text: `Wrong:\n${wrong}\n\nRight:\n${right}`,
      markdown: `Wrong:\n\n\`\`\`liquid\n${wrong}\n\`\`\`\n\nRight:\n\n\`\`\`liquid\n${right}\n\`\`\``,
    },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { check },
  }
}

function formatExample(example: Example): string {
  if (typeof example === 'string') return example
  return Object.entries(example)
    .map(([path, text]) => `${path}\n${text}`)
    .join('\n\n')
}
