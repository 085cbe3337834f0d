/** Prepares a site for checking: parses, links and binds its files. */
import { bindSteps } from '../bind/bind.ts'
import { Report } from '../../core/diagnostics/diagnostic.ts'
import { updateAfterEdits, type LinkedFiles, type PreparedSite, type PrepareOptions } from './update.ts'
import { LANGUAGE } from '../../language/language.ts'
import { link } from '../link/link.ts'
import { linkOperationSteps } from '../link/operations.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Steps } from '../../core/model/steps.ts'
import { parseConfig, parseSteps } from '../parse/parse.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** `memo` keeps earlier results, so that an edit only repeats the work it affects. */
export function* prepareSteps(files: readonly SourceFile[], options: PrepareOptions, memo: Memo): Steps<PreparedSite> {
  if (memo === NO_MEMO) return yield* prepareFiles(files, options, memo)
  const last = memo.once('prepared site', '', optionsKey(options), (): { kept: LinkedFiles | null } => ({ kept: null }))
  const kept = (last.kept === null ? null : updateAfterEdits(last.kept, files, options, memo)) ?? null
  last.kept = kept ?? (yield* prepareFiles(files, options, memo))
  return last.kept
}

/** Returns the options that the results depend on. */
function optionsKey(options: PrepareOptions): readonly unknown[] {
  const { dialect, syntax, interpolation, readOn, language, raise, openEntries, scored } = options
  const { strictVariables, strictFilters, takesHosted, globals, globalsAreAll } = options
  const reading = [dialect, syntax, interpolation, readOn, language]
  return [...reading, raise, openEntries, scored, strictVariables, strictFilters, takesHosted, globals, globalsAreAll]
}

function* prepareFiles(files: readonly SourceFile[], options: PrepareOptions, memo: Memo): Steps<LinkedFiles> {
  const report = new Report()
  const config = parseConfig(files, report, memo)
  const ofConfig = [...report.all]
  const parsed = yield* parseSteps(files, config, options, memo)
  for (const { diagnostics } of parsed) for (const each of diagnostics) report.add(each)
  const read = report.all.length
  yield { doing: 'Linking the files' }
  const raise = options.raise ?? config.liquidRaiseMode
  const raiseQueries = options.raise ?? config.raiseQueries
  const units = parsed.map(({ unit }) => unit)
  const site = link(units, config, { ...options, raise, raiseQueries }, report, memo)
  yield
  const operations = yield* linkOperationSteps(site, report, memo)
  yield
  const bounds = yield* bindSteps(site, memo, options.language ?? LANGUAGE)
  return {
    ...{ files, parsed, site, operations, bounds },
    ...{ diagnostics: report.all, ofConfig, ofLinks: report.all.slice(read) },
  }
}
