/** `ingot check`: reports the problems of a site. Cached findings are reported without loading the compiler. */
import { parseArgs } from 'node:util'
import type { AnalysisOptions } from '../../analysis.ts'
import { dialectOf, folderOf } from '../arguments.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { collectNeeds, printNeeds } from '../../core/diagnostics/needs.ts'
import { FindingsCache } from '../../tools/cache/findings-cache.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import { KeptTrees } from '../../core/model/kept-trees.ts'
import { StoredMemory } from '../../core/model/stored-memory.ts'
import { runSteps } from '../../core/model/steps.ts'
import { canHaveCustomChecks } from '../../tools/custom-checks/configured.ts'
import { readFolder } from '../../tools/read-folder.ts'
import { requestCaching } from '../../tools/cache/running-compilers.ts'
import { optionsFor } from '../../tools/site-options.ts'
import type { DiscoveredSite } from '../../core/source/discover.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import { UsageError } from '../../core/usage-error.ts'
import { checkSite } from './check-site.ts'
import { resolveSelection } from './selection.ts'
import { withProgress } from './progress.ts'
import { type Format, FORMATS, formatReport } from './report.ts'
import { withStandardInput } from './standard-input.ts'

/**
 * Runs the command.
 * @param args arguments after `check`
 * @returns the exit code
 * @throws UsageError
 */
export async function check(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      format: { type: 'string', default: 'text' },
      all: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      'max-warnings': { type: 'string' },
      fix: { type: 'boolean', default: false },
      stdin: { type: 'boolean', default: false },
      baseline: { type: 'string' },
      'write-baseline': { type: 'string' },
      dialect: { type: 'string', default: 'platform' },
      ext: { type: 'string', multiple: true },
      data: { type: 'string' },
      needs: { type: 'boolean', default: false },
      distributed: { type: 'string' },
      'no-custom-checks': { type: 'boolean', default: false },
      'custom-check-seconds': { type: 'string' },
    },
    allowPositionals: true,
  })
  const dialect = dialectOf(values.dialect)
  requireLiquidDialect(dialect, values)
  if (dialect === 'liquid' && values.distributed !== undefined)
    throw new UsageError(
      '`--distributed` cannot be combined with `--dialect liquid`: templates of base Liquid have no queries.',
    )
  const format = FORMATS.find((known) => known === values.format)
  if (format === undefined) throw new UsageError(`There is no format '${values.format}': use ${FORMATS.join(', ')}.`)
  const globals = values.data === undefined ? {} : await (await import('./data-globals.ts')).readGlobals(values.data)
  const selection =
    dialect === 'platform'
      ? await resolveSelection(positionals, values.stdin)
      : { root: folderOf(positionals, 'check'), paths: null }
  const onDisk = await readFolder(selection.root, dialect, extensionsOf(values.ext), positionals[0])
  const discovered = values.stdin ? await withStandardInput(onDisk, selection) : onDisk
  const options = { ...optionsFor(dialect, discovered), ...globals }
  if (values.distributed !== undefined)
    return (await import('./distributed.ts')).checkDistribution(values.distributed, discovered, options, format)
  const customChecks =
    dialect === 'liquid' || values['no-custom-checks'] || !canHaveCustomChecks(selection.root, discovered.files)
      ? null
      : (await import('./with-custom-checks.ts')).withCustomChecks(selection, values['custom-check-seconds'])
  const cache = new FindingsCache(selection.root)
  // Text from standard input is not cached, because it is not on disk.
  const known = discovered === onDisk ? await knownFindings(cache, selection.root, onDisk.files, options) : null
  const diagnose = known !== null && !values.fix ? null : (await import('../../compile.ts')).diagnose
  const records = diagnose === null ? null : cache.records(options)
  const memo = new StoredMemory(1, new KeptTrees(), records)
  const checked = await withProgress(values.quiet, async ({ walk, phase }) => {
    const checkFiles = (files: readonly SourceFile[]): readonly Diagnostic[] => {
      if (diagnose === null || (files === onDisk.files && known !== null)) return known ?? []
      const found = diagnose(files, options, memo, walk)
      if (files === onDisk.files) cache.write(files, options, found)
      return found
    }
    const checkAll = async (files: readonly SourceFile[]): Promise<readonly Diagnostic[]> =>
      customChecks === null ? checkFiles(files) : customChecks(files, () => checkFiles(files), phase)
    return checkSite(selection, discovered, checkAll, values)
  })
  if ((!values.needs || format !== 'json') && values['write-baseline'] === undefined)
    process.stdout.write(await formatReport(checked, checked.discovered, format, values.all))
  if (records !== null) runSteps(records.writeSteps(memo))
  for (const note of checked.notes) process.stderr.write(`${note}\n`)
  if (values.needs) process.stdout.write(formatNeeds(checked.allDiagnostics, checked.discovered, format))
  return checked.exitCode
}

/** Returns the findings of an earlier process, or of a running one that has the site in memory; otherwise null. */
async function knownFindings(
  cache: FindingsCache,
  root: string,
  files: readonly SourceFile[],
  options: AnalysisOptions,
): Promise<readonly Diagnostic[] | null> {
  if (cache.isMissing(files, options)) await requestCaching(root)
  return cache.read(files, options)
}

/** Returns what the templates need, as text or JSON. */
function formatNeeds(diagnostics: readonly Diagnostic[], discovered: DiscoveredSite, format: Format): string {
  const texts = writtenTexts(discovered.files)
  const found = collectNeeds(diagnostics, (path) => texts.get(path))
  return format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : `\n${printNeeds(found)}`
}

/** Rejects options that apply only to base Liquid if the dialect is another one. @throws UsageError */
function requireLiquidDialect(dialect: Dialect, options: Readonly<Record<string, unknown>>): void {
  if (dialect === 'liquid') return
  const option = ['ext', 'data'].find((each) => options[each] !== undefined) ?? (options['needs'] ? 'needs' : null)
  if (option !== null)
    throw new UsageError(`\`--${option}\` needs \`--dialect liquid\`: a site declares this in its own files.`)
}

/** Returns extensions of templates with a leading dot. */
function extensionsOf(written: readonly string[] | undefined): readonly string[] | undefined {
  return written?.map((each) => (each.startsWith('.') ? each : `.${each}`))
}
