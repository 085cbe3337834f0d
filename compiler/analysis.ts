/** The analysis with all features, of a site and of one edited file. */
import { type Diagnostic, Report } from './core/diagnostics/diagnostic.ts'
import { type Memo, Memory } from './core/model/memo.ts'
import type { Operations } from './core/model/operation.ts'
import type { Site } from './core/model/site.ts'
import { structureStamp } from './core/model/stamps.ts'
import type { SiteTemplate } from './core/model/site-template.ts'
import { runSteps, type Steps } from './core/model/steps.ts'
import type { Unit } from './core/model/unit.ts'
import type { SourceFile } from './core/source/file.ts'
import { LANGUAGE } from './language/language.ts'
import { outlineSite } from './phases/analyze/outlines.ts'
import { type Observer, syntaxErrors } from './phases/check/check.ts'
import { templatesOf } from './phases/check/check-input.ts'
import { link } from './phases/link/link.ts'
import { linkOperationSteps, tableUnits } from './phases/link/operations.ts'
import { parse, parseConfig, parseFile } from './phases/parse/parse.ts'
import { ALL_FEATURES } from './pipeline/all-features.ts'
import * as pipeline from './pipeline/compile.ts'
import { type Analysis, finalizeDiagnostics } from './pipeline/findings.ts'
import { type AnalysisOptions, parseOptionsOf } from './pipeline/options.ts'
import { findingSteps } from './pipeline/pipeline.ts'

export type { Analysis } from './pipeline/findings.ts'
export type { AnalysisOptions } from './pipeline/options.ts'

/** Analyses a site step by step. `memo` keeps results between calls, even after an interruption. */
export function analysisSteps(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): Steps<Analysis> {
  return pipeline.analysisSteps(files, options, ALL_FEATURES, memo)
}

/** Links the site without checking it, for callers that need its contents but not its diagnostics. */
export function linkSite(files: readonly SourceFile[], options: AnalysisOptions): Site {
  const report = new Report()
  const memo = new Memory(1)
  const config = parseConfig(files, report, memo)
  const units = parse(files, config, parseOptionsOf(options), report, memo)
  const raise = options.raise ?? config.liquidRaiseMode
  return link(units, config, { ...options, raise, raiseQueries: options.raise ?? config.raiseQueries }, report, memo)
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
    oldUnit !== undefined && structureStamp(oldUnit) === structureStamp(unit) ? siteAnalysis.site.structureVersion : {}
  const site: Site = {
    ...siteAnalysis.site,
    structureVersion,
    byFile,
    layoutParts: replaceLayoutPart(siteAnalysis.site, unit),
  }
  const siteOfFile = {
    ...site,
    units: [...tableUnits(siteAnalysis.site), unit],
    graphql: new Map([...site.graphql].flatMap(([name, each]) => (each.file.path === file.path ? [[name, unit]] : []))),
  }
  const { storedOperations, inline } = siteAnalysis.operations
  const others = [...storedOperations.values(), ...inline.values()].filter(({ span }) => span.file !== file.path)
  const own = runSteps(linkOperationSteps(siteOfFile, report, new Memory(1), others))
  const operations = {
    ...siteAnalysis.operations,
    storedOperations: new Map([...storedOperations, ...own.storedOperations]),
    inline: new Map([...inline, ...own.inline]),
  }
  const siteTemplates = templatesOf({ units: [unit] }, outlineSite({ ...site, units: [unit] }, new Memory(1), language))
  const followsSyntaxError = syntaxErrors(report, site)
  for (const siteTemplate of siteTemplates) {
    const fileDiagnostics = checked.recheck?.({ siteTemplate, site, operations, observer }).diagnostics ?? []
    for (const diagnostic of fileDiagnostics)
      if (!followsSyntaxError(diagnostic) && diagnostic.absent === undefined) report.add(diagnostic)
  }
  report.settle(checked.reached)
  const otherDiagnostics = siteAnalysis.diagnostics.filter(({ span }) => span.file !== file.path)
  const lintFiles = site.units.flatMap((each) => (each.file.kind === 'lint_config' ? [each.file] : []))
  const diagnostics = finalizeDiagnostics(
    [...otherDiagnostics, ...report.diagnostics],
    [file, ...lintFiles],
    ALL_FEATURES.siteCascades,
  ).filter(({ span }) => span.file === file.path)
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
  const alone = { ...options, checkedFiles: new Set([path]) }
  const findings = yield* findingSteps(files, alone, ALL_FEATURES, memo)
  const { diagnostics } = yield* findings.early()
  return diagnostics.filter(({ severity, span }) => severity === 'error' && span.file === path)
}

/** Returns the layout files that are only called as partials, with the new unit instead of the old one. */
function replaceLayoutPart({ layoutParts, byFile }: Site, unit: Unit): Site['layoutParts'] {
  const oldUnit = byFile.get(unit.file.path)
  return oldUnit !== undefined && layoutParts.has(oldUnit) ? new Set([...layoutParts, unit]) : layoutParts
}
