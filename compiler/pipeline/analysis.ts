/** The phases before code is emitted: files in, diagnostics and facts out. Pure: no disk, no clock, no globals. */
import { type Checked, checkFiles, checkSteps } from '../phases/check/check.ts'
import type { CheckFeatures, IncrementalCheck } from '../phases/check/features.ts'
import { gatherAbsentModules } from '../phases/check/rules/calls/absent-module.ts'
import { wordsWritten } from '../phases/check/walk/written-names.ts'
import { inWrittenText } from '../phases/check/written-places.ts'
import { ignoredFile } from '../phases/check/rules/site/ignored-file.ts'
import { type Diagnostic, Report } from '../core/diagnostics/diagnostic.ts'
import { type SiteCascades, withoutCascades } from '../core/diagnostics/cascades.ts'
import { applySuppressions } from '../core/diagnostics/suppress.ts'
import { LANGUAGE, type Language } from '../language/language.ts'
import type { Outline } from '../core/model/outline.ts'
import type { Dialect, Syntax } from '../core/model/dialect.ts'
import type { FormatClass } from '../core/model/effects.ts'
import type { Memo } from '../core/model/memo.ts'
import type { Operations } from '../core/model/operation.ts'
import type { Site } from '../core/model/site.ts'
import type { Steps } from '../core/model/steps.ts'
import type { Type } from '../core/model/type.ts'
import { lintConfigOf, type ParseOptions } from '../phases/parse/parse.ts'
import type { PrepareFeatures } from '../phases/prepare/update.ts'
import { prepareSteps } from '../phases/prepare/prepare.ts'
import type { IgnoredPath } from '../core/source/discover.ts'
import { type SourceFile, writtenTexts } from '../core/source/file.ts'
import type { ModuleRequirements } from '../core/source/manifests.ts'

export interface AnalysisOptions {
  readonly dialect: Dialect
  readonly syntax: Syntax
  /** The language with a host's tags and filters; the built-in language by default. */
  readonly language?: Language
  /** Whether errors end the render. Overrides `liquid_raise_mode` of the configuration. */
  readonly raise?: boolean
  /** Whether any unit can be rendered by name. True in the library. */
  readonly openEntries: boolean
  /** Reading a missing variable or hash key is an error. */
  readonly strictVariables?: boolean
  /** Base Liquid rejects unknown filters. */
  readonly strictFilters?: boolean
  /** The emitted code counts rendered nodes and the sizes of assigned values, for limits of the host. */
  readonly scored?: boolean
  /** Whether templates may receive dates, maps and class instances, not only plain data. */
  readonly takesHosted?: boolean
  /** Global variables of the host, by name, with their types. */
  readonly globals?: ReadonlyMap<string, Type>
  /** The globals are complete. A variable that is neither a global nor set is reported, and checks continue after errors. */
  readonly globalsAreAll?: boolean
  /** Output format of units that are rendered by name. */
  readonly format?: FormatClass
  /** Files that look like part of the site but are not, with the reason. */
  readonly ignored?: readonly IgnoredPath[]
  /** The names of partials that request tests run. */
  readonly testRuns?: readonly string[]
  /** Modules that the site's manifests require. */
  readonly requiredModules?: ModuleRequirements
  /** Checks only these files, each separately. All other files were checked before and have not changed. */
  readonly checkedFiles?: ReadonlySet<string>
}

/** The parts of the analysis that a compiler can leave out. */
export interface AnalysisFeatures extends PrepareFeatures, CheckFeatures {
  readonly queries: PrepareFeatures['queries'] & CheckFeatures['queries']
  /** Finds what follows from other diagnostics of a whole site. Null in a compiler for libraries, which are never a whole site. */
  readonly siteCascades: SiteCascades | null
  readonly incremental: (NonNullable<PrepareFeatures['incremental']> & IncrementalCheck) | null
}

export interface Analysis {
  readonly site: Site
  readonly operations: Operations
  /** The outlines of all templates, by file, and by `file#path` for Liquid in settings. */
  readonly outlines: ReadonlyMap<string, Outline>
  readonly checked: Pick<Checked, 'facts' | 'reached' | 'runByPages'> & Partial<Checked>
  /** All diagnostics, sorted by file and position. Positions refer to the texts as written. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A site whose errors are known, but not yet all of its warnings. */
interface EarlyAnalysis extends Analysis {
  /** Finds the remaining diagnostics, which do not prevent compilation. */
  readonly checkWarnings: () => Steps<Analysis>
}

/** Analyses a site step by step. `memo` keeps results between calls, even after an interruption. */
export function* analysisSteps(
  files: readonly SourceFile[],
  options: AnalysisOptions,
  features: AnalysisFeatures,
  memo: Memo,
): Steps<Analysis> {
  const { checkWarnings } = yield* checkSiteSteps(files, options, features, memo)
  return yield* checkWarnings()
}

/** Like `analysisSteps`, but only finds the diagnostics that can refuse a site. */
export function* earlyAnalysisSteps(
  files: readonly SourceFile[],
  options: AnalysisOptions,
  features: AnalysisFeatures,
  memo: Memo,
): Steps<EarlyAnalysis> {
  const { buildEarlyAnalysis, checkWarnings } = yield* checkSiteSteps(files, options, features, memo)
  // A site may raise any check to an error.
  const isStrict = [...(lintConfigOf(files)?.checks.values() ?? [])].some(({ severity }) => severity === 'error')
  return { ...(isStrict ? yield* checkWarnings() : buildEarlyAnalysis()), checkWarnings }
}

/** A checked site whose diagnostics are not collected yet. */
interface CheckedFiles extends Pick<EarlyAnalysis, 'checkWarnings'> {
  /** Returns the analysis with the diagnostics that can refuse the site. */
  readonly buildEarlyAnalysis: () => Analysis
}

function* checkSiteSteps(
  files: readonly SourceFile[],
  options: AnalysisOptions,
  features: AnalysisFeatures,
  memo: Memo,
): Steps<CheckedFiles> {
  const report = new Report()
  const { format = 'html', language = LANGUAGE } = options
  for (const { path, message, suggestion: meantName } of options.ignored ?? [])
    report.add(ignoredFile({ file: path, start: 0, end: 0 }, message, meantName))
  const prepared = yield* prepareSteps(files, { ...options, ...parseOptionsOf(options) }, features, memo)
  const { site, operations, outlines } = prepared
  for (const diagnostic of prepared.diagnostics) report.add(diagnostic)
  const { checkedFiles } = options
  const settings = { memo, format, language, features }
  const checked: Analysis['checked'] =
    checkedFiles === undefined
      ? yield* checkSteps(site, operations, report, outlines, settings)
      : checkFiles(site, operations, report, outlines, settings, checkedFiles)
  // With a library, or with only some files checked, it is unknown whether a suppression comment is useless.
  const completeFiles = options.openEntries || checkedFiles !== undefined ? [] : files.map(({ path }) => path)
  const buildAnalysis = (isComplete: boolean): Analysis => {
    report.settle(checked.reached)
    // From here on, spans refer to the texts as written.
    const withAbsentModules = gatherAbsentModules(report.diagnostics, checked.runByPages, options.requiredModules)
    const ofSite = options.openEntries ? null : features.siteCascades
    const diagnostics =
      ofSite === null
        ? withAbsentModules
        : ofSite.moveToDeclarations(withAbsentModules, files, () => wordsWritten(site))
    return {
      site,
      operations,
      outlines,
      checked,
      diagnostics: finalizeDiagnostics(diagnostics, files, ofSite, isComplete ? completeFiles : []),
    }
  }
  let completeAnalysis: Analysis | null = null
  const checkWarnings = function* (): Steps<Analysis> {
    if (completeAnalysis !== null) return completeAnalysis
    if (checked.checkWarnings !== undefined) for (const each of yield* checked.checkWarnings()) report.add(each)
    yield
    completeAnalysis = buildAnalysis(true)
    return completeAnalysis
  }
  const buildEarlyAnalysis = (): Analysis => {
    const earlyAnalysis = buildAnalysis(false)
    // Separately checked files have no further diagnostics.
    if (checkedFiles !== undefined) completeAnalysis = earlyAnalysis
    return earlyAnalysis
  }
  return { buildEarlyAnalysis: buildEarlyAnalysis, checkWarnings }
}

/** Returns the parse options for a site. */
export function parseOptionsOf(options: AnalysisOptions): ParseOptions {
  return {
    ...options,
    readOn: options.globalsAreAll === true,
    ...(options.dialect === 'liquid' ? { interpolation: false } : {}),
  }
}

/**
 * Converts findings to reported diagnostics. Removes consequences of other findings and suppressed ones, and maps spans to the texts as
 * written.
 * @param ofSite finds consequences in a whole site; null for templates that a program renders by name
 * @param completeFiles files whose findings are complete
 */
export function finalizeDiagnostics(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
  ofSite: SiteCascades | null,
  completeFiles: Iterable<string> = [],
): readonly Diagnostic[] {
  const moved = inWrittenText(withoutCascades(diagnostics, ofSite), files)
  const texts = writtenTexts(files)
  return applySuppressions(moved, (path) => texts.get(path), lintConfigOf(files), completeFiles)
}
