/** Prepares a site for checking: parses, links and binds its files. */
import { outlineSteps } from '../analyze/outlines.ts'
import { Report } from '../../core/diagnostics/diagnostic.ts'
import type { LinkedFiles, PreparedSite, PrepareFeatures, PrepareOptions } from './update.ts'
import { LANGUAGE } from '../../language/language.ts'
import { link } from '../link/link.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Steps } from '../../core/model/steps.ts'
import { parseConfig, parseSteps } from '../parse/parse.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** Prepares a site in steps. `memo` keeps earlier results, so that an edit repeats only the affected work. */
export function* prepareSteps(
  files: readonly SourceFile[],
  options: PrepareOptions,
  features: PrepareFeatures,
  memo: Memo,
): Steps<PreparedSite> {
  const { incremental } = features
  if (memo === NO_MEMO || incremental === null) return yield* prepareFiles(files, options, features, memo)
  const cache = memo.once('prepared site', '', optionsKey(options), (): { site: LinkedFiles | null } => ({
    site: null,
  }))
  const updated = (cache.site === null ? null : incremental.siteAfterEdits(cache.site, files, options, memo)) ?? null
  cache.site = updated ?? (yield* prepareFiles(files, options, features, memo))
  return cache.site
}

/** Returns the options that affect the result, as a cache key. */
function optionsKey(options: PrepareOptions): readonly unknown[] {
  const { dialect, syntax, interpolation, readOn, language, raise, openEntries, scored } = options
  const { strictVariables, strictFilters, takesHosted, globals, globalsAreAll, testRuns = [] } = options
  const parseOptions = [dialect, syntax, interpolation, readOn, language]
  return [
    ...parseOptions,
    raise,
    openEntries,
    scored,
    strictVariables,
    strictFilters,
    takesHosted,
    globals,
    globalsAreAll,
    testRuns.join('\n'),
  ]
}

function* prepareFiles(
  files: readonly SourceFile[],
  options: PrepareOptions,
  { queries }: PrepareFeatures,
  memo: Memo,
): Steps<LinkedFiles> {
  const report = new Report()
  const config = parseConfig(files, report, memo)
  const configDiagnostics = [...report.diagnostics]
  const parsed = yield* parseSteps(files, config, options, memo)
  for (const { diagnostics } of parsed) for (const diagnostic of diagnostics) report.add(diagnostic)
  const parseCount = report.diagnostics.length
  yield { doing: 'Linking the files' }
  const raise = options.raise ?? config.liquidRaiseMode
  const raiseQueries = options.raise ?? config.raiseQueries
  const units = parsed.map(({ unit }) => unit)
  const site = link(units, config, { ...options, raise, raiseQueries }, report, memo)
  yield
  const operations = yield* queries.link(site, report, memo)
  yield
  const outlines = yield* outlineSteps(site, memo, options.language ?? LANGUAGE)
  return {
    ...{ files, parsed, site, operations, outlines },
    ...{ diagnostics: report.diagnostics, configDiagnostics, linkDiagnostics: report.diagnostics.slice(parseCount) },
  }
}
