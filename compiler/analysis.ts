/** The phases before code is written: files in, what is wrong and what is known out. Pure: no disk, no clock, no globals. */
import { bind } from './phases/bind/bind.ts'
import { type Checked, checkFiles, checkSteps, type Observer, syntaxErrors } from './phases/check/check.ts'
import { piecesOf } from './phases/check/check-input.ts'
import type { Piece } from './phases/check/piece.ts'
import { gatherAbsentModules } from './phases/check/rules/absent-modules.ts'
import { wordsWritten } from './phases/check/rules/written-names.ts'
import { inWrittenText } from './phases/check/rules/written-places.ts'
import { ignoredFile } from './core/diagnostics/codes/site/ignored-file.ts'
import { type Diagnostic, Report } from './core/diagnostics/diagnostic.ts'
import { toldAtDeclarations } from './core/diagnostics/declared-otherwise.ts'
import { withoutFollowUps } from './core/diagnostics/follow-ups.ts'
import { applySuppressions } from './core/diagnostics/suppress.ts'
import { LANGUAGE, type Language } from './language/language.ts'
import { link } from './phases/link/link.ts'
import { linkOperationSteps, tableUnits } from './phases/link/operations.ts'
import type { Bound } from './core/model/bound.ts'
import type { Dialect, Syntax } from './core/model/dialect.ts'
import type { FormatClass } from './core/model/effects.ts'
import { type Memo, NO_MEMO } from './core/model/memo.ts'
import type { Operations } from './core/model/operation.ts'
import type { Site } from './core/model/site.ts'
import { atOnce, type Steps } from './core/model/steps.ts'
import type { Type } from './core/model/type.ts'
import type { Unit } from './core/model/unit.ts'
import { lintConfigOf, parse, parseConfig, parseFile, type ParseOptions } from './phases/parse/parse.ts'
import { isAlikeToOthers } from './phases/prepare/edited.ts'
import { prepareSteps } from './phases/prepare/prepared.ts'
import type { IgnoredPath } from './core/source/discover.ts'
import { type SourceFile, writtenTexts } from './core/source/file.ts'
import type { ModuleRequirements } from './core/source/manifests.ts'

export interface AnalysisOptions {
  readonly dialect: Dialect
  readonly syntax: Syntax
  /** With tags and filters of a host; the language alone by default. */
  readonly language?: Language
  /** Overrides `liquid_raise_mode` of the configuration, as if it were written there. */
  readonly raise?: boolean
  /** Any unit may be rendered by name: the library face. */
  readonly openEntries: boolean
  /** Reading a variable, or a key of a hash, that is not there is an error. */
  readonly strictVariables?: boolean
  /** Base Liquid refuses a filter that it does not know. */
  readonly strictFilters?: boolean
  /** The code counts the nodes that it renders and the sizes of what it assigns, for limits of the host. */
  readonly scored?: boolean
  /** What templates are given need not be plain data: dates, maps, instances of classes. */
  readonly takesHosted?: boolean
  /** What the host gives to every template, by name, with the types of the values. */
  readonly globals?: ReadonlyMap<string, Type>
  /** The globals are all that the host gives: a variable that none of them is, and nothing sets, is told, and so is all behind an error. */
  readonly globalsAreAll?: boolean
  /** Format of units that are rendered by name. */
  readonly format?: FormatClass
  /** Files that look as if they belonged to the site and do not, with the reason. */
  readonly ignored?: readonly IgnoredPath[]
  /** Modules that the site's manifests ask for. */
  readonly requiredModules?: ModuleRequirements
  /** Only these files are looked at for what is wrong, each by itself: all others were, and have not changed. */
  readonly checkedFiles?: ReadonlySet<string>
}

export interface Analysis {
  readonly site: Site
  readonly operations: Operations
  /** The names of every template, by file, and by `file#path` for Liquid in settings. */
  readonly bounds: ReadonlyMap<string, Bound>
  readonly checked: Pick<Checked, 'facts' | 'reached' | 'runByPages'> & Partial<Checked>
  /** By file and place; places are those of the texts as they were written. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A site of which the errors are known, and not yet all that is to be said. */
export interface Judgement extends Analysis {
  /** Finds the rest: what is told of a site that is compiled all the same. */
  readonly advise: () => Steps<Analysis>
}

/** `memo` remembers from one call to the next what did not change, also where the work was left off. */
export function* analysisSteps(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): Steps<Analysis> {
  const { advise } = yield* checkedSteps(files, options, memo)
  return yield* advise()
}

/** As `analysisSteps`, as far as a site may be refused for what is found. */
export function* judgementSteps(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): Steps<Judgement> {
  const { judge, advise } = yield* checkedSteps(files, options, memo)
  // A site may say of any check that it is to be an error.
  const isStrict = [...(lintConfigOf(files)?.checks.values() ?? [])].some(({ severity }) => severity === 'error')
  return { ...(isStrict ? yield* advise() : judge()), advise }
}

/** A site that was checked, of which nothing was said yet. */
interface CheckedSite extends Pick<Judgement, 'advise'> {
  /** What a site may be refused for. */
  readonly judge: () => Analysis
}

function* checkedSteps(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): Steps<CheckedSite> {
  const report = new Report()
  const language = options.language ?? LANGUAGE
  for (const { path, message, suggestion: meant } of options.ignored ?? [])
    report.add(ignoredFile({ file: path, start: 0, end: 0 }, message, meant))
  const prepared = yield* prepareSteps(files, { ...options, ...readingOf(options) }, memo)
  const { site, operations, bounds } = prepared
  for (const each of prepared.diagnostics) report.add(each)
  const { checkedFiles } = options
  const checked: Analysis['checked'] =
    checkedFiles === undefined
      ? yield* checkSteps(site, operations, report, bounds, memo, options.format ?? 'html', language)
      : checkFiles(site, operations, report, bounds, memo, language, checkedFiles)
  // Of pieces of a site, or of some of its files, not all is known that a comment may be for.
  const whole = options.openEntries || checkedFiles !== undefined ? [] : files.map(({ path }) => path)
  const analysis = (isAll: boolean): Analysis => {
    report.settle(checked.reached)
    // From here on spans are those of the texts as they were written.
    const gathered = gatherAbsentModules(report.all, checked.runByPages, options.requiredModules)
    const placed = options.openEntries ? gathered : toldAtDeclarations(gathered, files, () => wordsWritten(site))
    return {
      site,
      operations,
      bounds,
      checked,
      diagnostics: reportedFindings(placed, files, isAll ? whole : [], !options.openEntries),
    }
  }
  let all: Analysis | null = null
  const advise = function* (): Steps<Analysis> {
    if (all !== null) return all
    if (checked.advise !== undefined) for (const each of yield* checked.advise()) report.add(each)
    yield
    all = analysis(true)
    return all
  }
  const judge = (): Analysis => {
    const judged = analysis(false)
    // Of files that are looked at by themselves there is nothing more to say.
    if (checkedFiles !== undefined) all = judged
    return judged
  }
  return { judge, advise }
}

/** How the files of a site are read. */
export function readingOf(options: AnalysisOptions): ParseOptions {
  return {
    ...options,
    readOn: options.globalsAreAll === true,
    ...(options.dialect === 'liquid' ? { interpolation: false } : {}),
  }
}

/** The site that the files make, unchecked: for who asks what there is, and not what is wrong with it. */
export function linkedSite(files: readonly SourceFile[], options: AnalysisOptions): Site {
  const report = new Report()
  const config = parseConfig(files, report, NO_MEMO)
  const units = parse(files, config, readingOf(options), report, NO_MEMO)
  const raise = options.raise ?? config.liquidRaiseMode
  return link(units, config, { ...options, raise, raiseQueries: options.raise ?? config.raiseQueries }, report, NO_MEMO)
}

/** One text of a file, in a site of which all else is as it was analysed. */
export interface FileAnalysis {
  readonly unit: Unit
  /** The site with this unit under its path. */
  readonly site: Site
  readonly operations: Operations
  readonly pieces: readonly Piece[]
  /** What the file tells by itself, and by what is known of the others; what they tell of it is not among them. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks one text of a file of an analysed site. An observer is told what the check sees. */
export function analyseFile(
  known: Analysis,
  file: SourceFile,
  options: AnalysisOptions,
  observer: Observer | null,
): FileAnalysis {
  const { checked } = known
  const report = new Report()
  const language = options.language ?? LANGUAGE
  const unit = parseFile(file, known.site.config, readingOf(options), report)
  const before = known.site.byFile.get(file.path)
  const byFile = new Map(known.site.byFile).set(file.path, unit)
  const frame = before !== undefined && isAlikeToOthers(before, unit) ? known.site.frame : {}
  const site: Site = { ...known.site, frame, byFile, layoutParts: withUnit(known.site, unit) }
  const alone = {
    ...site,
    units: [...tableUnits(known.site), unit],
    graphql: new Map(),
  }
  const inline = atOnce(linkOperationSteps(alone, report, NO_MEMO))
  const operations = { ...known.operations, inline: new Map([...known.operations.inline, ...inline.inline]) }
  const pieces = piecesOf({ units: [unit] }, bind({ ...site, units: [unit] }, NO_MEMO, language))
  const misread = syntaxErrors(report, site)
  for (const piece of pieces) {
    const found = checked.look?.({ piece, site, operations, observer }).diagnostics ?? []
    for (const each of found) if (!misread(each) && each.absent === undefined) report.add(each)
  }
  report.settle(checked.reached)
  const others = known.diagnostics.filter(({ span }) => span.file !== file.path)
  const lint = site.units.flatMap((each) => (each.file.kind === 'lint_config' ? [each.file] : []))
  const diagnostics = reportedFindings([...others, ...report.all], [file, ...lint]).filter(({ span }) => span.file === file.path)
  return { unit, site, operations, pieces, diagnostics }
}

/**
 * What is surely wrong with a file, before anything is known of the site as a whole: errors that it and the files that it names tell by
 * themselves. `files` are those, itself among them.
 */
export function* earlyErrorSteps(
  { path }: SourceFile,
  files: readonly SourceFile[],
  options: AnalysisOptions,
  memo: Memo,
): Steps<readonly Diagnostic[]> {
  const { diagnostics } = yield* judgementSteps(files, { ...options, checkedFiles: new Set([path]) }, memo)
  return diagnostics.filter(({ severity, span }) => severity === 'error' && span.file === path)
}

/** Files beside layouts that are only called as partials: a new reading of one is one, too. */
function withUnit({ layoutParts, byFile }: Site, unit: Unit): Site['layoutParts'] {
  const before = byFile.get(unit.file.path)
  return before !== undefined && layoutParts.has(before) ? new Set([...layoutParts, unit]) : layoutParts
}

/**
 * What is told of these findings: without those that follow from others or that the author does not want, at the places that were written.
 * `whole`: the files of which all findings are there.
 */
export function reportedFindings(
  found: readonly Diagnostic[],
  files: readonly SourceFile[],
  whole: Iterable<string> = [],
  isSite = true,
): readonly Diagnostic[] {
  const moved = inWrittenText(withoutFollowUps(found, isSite), files)
  const texts = writtenTexts(files)
  return applySuppressions(moved, (path) => texts.get(path), lintConfigOf(files), whole)
}
