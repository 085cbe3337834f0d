/** The phases before code is emitted: files in, diagnostics and facts out. Pure: no disk, no clock, no globals. */
import { outlineSite } from './phases/analyze/outlines.ts'
import { type Checked, checkFiles, checkSteps, type Observer, syntaxErrors } from './phases/check/check.ts'
import { templatesOf } from './phases/check/check-input.ts'
import type { SiteTemplate } from './core/model/site-template.ts'
import { gatherAbsentModules } from './phases/check/rules/absent-modules.ts'
import { wordsWritten } from './phases/check/rules/written-names.ts'
import { inWrittenText } from './phases/check/rules/written-places.ts'
import { ignoredFile } from './core/diagnostics/codes/site/ignored-file.ts'
import { type Diagnostic, Report } from './core/diagnostics/diagnostic.ts'
import { moveToDeclarations } from './core/diagnostics/misspelt-declarations.ts'
import { withoutCascades } from './core/diagnostics/cascades.ts'
import { applySuppressions } from './core/diagnostics/suppress.ts'
import { LANGUAGE, type Language } from './language/language.ts'
import { link } from './phases/link/link.ts'
import { linkOperationSteps, tableUnits } from './phases/link/operations.ts'
import type { Outline } from './core/model/outline.ts'
import type { Dialect, Syntax } from './core/model/dialect.ts'
import type { FormatClass } from './core/model/effects.ts'
import { type Memo, NO_MEMO } from './core/model/memo.ts'
import type { Operations } from './core/model/operation.ts'
import type { Site } from './core/model/site.ts'
import { runSteps, type Steps } from './core/model/steps.ts'
import type { Type } from './core/model/type.ts'
import type { Unit } from './core/model/unit.ts'
import { lintConfigOf, parse, parseConfig, parseFile, type ParseOptions } from './phases/parse/parse.ts'
import { differsOnlyInBodies } from './phases/prepare/update.ts'
import { prepareSteps } from './phases/prepare/prepare.ts'
import type { IgnoredPath } from './core/source/discover.ts'
import { type SourceFile, writtenTexts } from './core/source/file.ts'
import type { ModuleRequirements } from './core/source/manifests.ts'

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
export function* analysisSteps(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): Steps<Analysis> {
  const { checkWarnings } = yield* checkSiteSteps(files, options, memo)
  return yield* checkWarnings()
}

/** Like `analysisSteps`, but only finds the diagnostics that can refuse a site. */
export function* earlyAnalysisSteps(
  files: readonly SourceFile[],
  options: AnalysisOptions,
  memo: Memo,
): Steps<EarlyAnalysis> {
  const { buildEarlyAnalysis, checkWarnings } = yield* checkSiteSteps(files, options, memo)
  // A site may raise any check to an error.
  const isStrict = [...(lintConfigOf(files)?.checks.values() ?? [])].some(({ severity }) => severity === 'error')
  return { ...(isStrict ? yield* checkWarnings() : buildEarlyAnalysis()), checkWarnings }
}

/** A checked site whose diagnostics are not collected yet. */
interface CheckedSite extends Pick<EarlyAnalysis, 'checkWarnings'> {
  /** Returns the analysis with the diagnostics that can refuse the site. */
  readonly buildEarlyAnalysis: () => Analysis
}

function* checkSiteSteps(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): Steps<CheckedSite> {
  const report = new Report()
  const language = options.language ?? LANGUAGE
  for (const { path, message, suggestion: meantName } of options.ignored ?? [])
    report.add(ignoredFile({ file: path, start: 0, end: 0 }, message, meantName))
  const prepared = yield* prepareSteps(files, { ...options, ...parseOptionsOf(options) }, memo)
  const { site, operations, outlines } = prepared
  for (const diagnostic of prepared.diagnostics) report.add(diagnostic)
  const { checkedFiles } = options
  const checked: Analysis['checked'] =
    checkedFiles === undefined
      ? yield* checkSteps(site, operations, report, outlines, memo, options.format ?? 'html', language)
      : checkFiles(site, operations, report, outlines, memo, language, checkedFiles)
  // With a library, or with only some files checked, it is unknown whether a suppression comment is useless.
  const completeFiles = options.openEntries || checkedFiles !== undefined ? [] : files.map(({ path }) => path)
  const buildAnalysis = (isComplete: boolean): Analysis => {
    report.settle(checked.reached)
    // From here on, spans refer to the texts as written.
    const withAbsentModules = gatherAbsentModules(report.diagnostics, checked.runByPages, options.requiredModules)
    const diagnostics = options.openEntries
      ? withAbsentModules
      : moveToDeclarations(withAbsentModules, files, () => wordsWritten(site))
    return {
      site,
      operations,
      outlines,
      checked,
      diagnostics: finalizeDiagnostics(diagnostics, files, isComplete ? completeFiles : [], !options.openEntries),
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

/** Links the site without checking it, for callers that need its contents but not its diagnostics. */
export function linkSite(files: readonly SourceFile[], options: AnalysisOptions): Site {
  const report = new Report()
  const config = parseConfig(files, report, NO_MEMO)
  const units = parse(files, config, parseOptionsOf(options), report, NO_MEMO)
  const raise = options.raise ?? config.liquidRaiseMode
  return link(units, config, { ...options, raise, raiseQueries: options.raise ?? config.raiseQueries }, report, NO_MEMO)
}

/** The analysis of one file's text, in a site that is otherwise unchanged. */
export interface FileAnalysis {
  readonly unit: Unit
  /** The site that contains this unit. */
  readonly site: Site
  readonly operations: Operations
  readonly siteTemplates: readonly SiteTemplate[]
  /** The diagnostics of this file, based on the last results for all other files. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks a new text of a file in an analysed site. The observer receives what the checker infers. */
export function analyseFile(
  siteAnalysis: Analysis,
  file: SourceFile,
  options: AnalysisOptions,
  observer: Observer | null,
): FileAnalysis {
  const { checked } = siteAnalysis
  const report = new Report()
  const language = options.language ?? LANGUAGE
  const unit = parseFile(file, siteAnalysis.site.config, parseOptionsOf(options), report)
  const oldUnit = siteAnalysis.site.byFile.get(file.path)
  const byFile = new Map(siteAnalysis.site.byFile).set(file.path, unit)
  const structureVersion =
    oldUnit !== undefined && differsOnlyInBodies(oldUnit, unit) ? siteAnalysis.site.structureVersion : {}
  const site: Site = {
    ...siteAnalysis.site,
    structureVersion,
    byFile,
    layoutParts: replaceLayoutPart(siteAnalysis.site, unit),
  }
  const siteOfFile = {
    ...site,
    units: [...tableUnits(siteAnalysis.site), unit],
    graphql: new Map(),
  }
  const inline = runSteps(linkOperationSteps(siteOfFile, report, NO_MEMO))
  const operations = {
    ...siteAnalysis.operations,
    inline: new Map([...siteAnalysis.operations.inline, ...inline.inline]),
  }
  const siteTemplates = templatesOf({ units: [unit] }, outlineSite({ ...site, units: [unit] }, NO_MEMO, language))
  const followsSyntaxError = syntaxErrors(report, site)
  for (const siteTemplate of siteTemplates) {
    const fileDiagnostics = checked.recheck?.({ siteTemplate, site, operations, observer }).diagnostics ?? []
    for (const diagnostic of fileDiagnostics)
      if (!followsSyntaxError(diagnostic) && diagnostic.absent === undefined) report.add(diagnostic)
  }
  report.settle(checked.reached)
  const otherDiagnostics = siteAnalysis.diagnostics.filter(({ span }) => span.file !== file.path)
  const lintFiles = site.units.flatMap((each) => (each.file.kind === 'lint_config' ? [each.file] : []))
  const diagnostics = finalizeDiagnostics([...otherDiagnostics, ...report.diagnostics], [file, ...lintFiles]).filter(
    ({ span }) => span.file === file.path,
  )
  return { unit, site, operations, siteTemplates, diagnostics }
}

/**
 * Finds some errors of a file before the whole site is analysed: those that depend only on the file and on the files that it names.
 * `files`: these files.
 */
export function* earlyErrorSteps(
  { path }: SourceFile,
  files: readonly SourceFile[],
  options: AnalysisOptions,
  memo: Memo,
): Steps<readonly Diagnostic[]> {
  const { diagnostics } = yield* earlyAnalysisSteps(files, { ...options, checkedFiles: new Set([path]) }, memo)
  return diagnostics.filter(({ severity, span }) => severity === 'error' && span.file === path)
}

/** Returns the layout files that are only called as partials, with the new unit instead of the old one. */
function replaceLayoutPart({ layoutParts, byFile }: Site, unit: Unit): Site['layoutParts'] {
  const oldUnit = byFile.get(unit.file.path)
  return oldUnit !== undefined && layoutParts.has(oldUnit) ? new Set([...layoutParts, unit]) : layoutParts
}

/**
 * Converts findings to reported diagnostics. Removes consequences of other findings and suppressed ones, and maps spans to the texts as
 * written. `whole`: files whose findings are complete.
 */
export function finalizeDiagnostics(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
  completeFiles: Iterable<string> = [],
  isSite = true,
): readonly Diagnostic[] {
  const moved = inWrittenText(withoutCascades(diagnostics, isSite), files)
  const texts = writtenTexts(files)
  return applySuppressions(moved, (path) => texts.get(path), lintConfigOf(files), completeFiles)
}
