/**
 * `ingot check --distributed COLUMN`: reports where each statement of a site runs if its tables are distributed over several databases.
 */
import type { AnalysisOptions } from '../../analysis.ts'
import { compile } from '../../compile.ts'
import { classifyStatements, LayoutError, printDistribution } from '../../tools/distribution/report.ts'
import type { DiscoveredSite } from '../../core/source/discover.ts'
import { writtenTexts } from '../../core/source/file.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Format } from './report.ts'

/** Prints the class of each statement. @returns 1 if a statement is impossible */
export function checkDistribution(
  column: string,
  discovered: DiscoveredSite,
  options: AnalysisOptions,
  format: Format,
): number {
  if (format !== 'text' && format !== 'json')
    throw new UsageError('`--distributed` prints text or JSON: use `--format json`.')
  const compiledSite = compile(discovered.files, { ...options, keepGoing: false })
  const texts = writtenTexts(discovered.files)
  try {
    const found = classifyStatements(column, compiledSite.operations, (path) => texts.get(path))
    process.stdout.write(format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : printDistribution(found))
    const errors = compiledSite.diagnostics.filter(({ severity }) => severity === 'error').length
    if (errors > 0) process.stderr.write('The report omits statements with errors: see `ingot check`.\n')
    return found.counts.impossible > 0 ? 1 : 0
  } catch (error) {
    if (error instanceof LayoutError) throw new UsageError(error.message)
    throw error
  }
}
