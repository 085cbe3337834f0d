/** `ingot check --distributed COLUMN`: where each statement of a site runs when its tables are spread over several databases. */
import type { AnalysisOptions } from '../../analysis.ts'
import { compile } from '../../compile.ts'
import { distributionOf, NoLayout, printDistribution } from '../../tools/distribution/report.ts'
import type { DiscoveredSite } from '../../core/source/discover.ts'
import { writtenTexts } from '../../core/source/file.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Format } from './report.ts'

/**
 * Says of each statement where it runs when the site is distributed.
 * @returns 1 when one of them is impossible
 */
export function distribution(
  column: string,
  discovered: DiscoveredSite,
  options: AnalysisOptions,
  format: Format,
): number {
  if (format !== 'text' && format !== 'json')
    throw new UsageError('`--distributed` is written as text or as JSON: `--format json`.')
  const compiled = compile(discovered.files, { ...options, keepGoing: false })
  const texts = writtenTexts(discovered.files)
  try {
    const found = distributionOf(column, compiled.operations, (path) => texts.get(path))
    process.stdout.write(format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : printDistribution(found))
    const errors = compiled.diagnostics.filter(({ severity }) => severity === 'error').length
    if (errors > 0)
      process.stderr.write('The site has errors, and statements with errors are left out: see `ingot check`.\n')
    return found.counts.impossible > 0 ? 1 : 0
  } catch (error) {
    if (error instanceof NoLayout) throw new UsageError(error.message)
    throw error
  }
}
