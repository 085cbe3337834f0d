/** What an analysis has found, as diagnostics for the author of a site. */
import { type SiteCascades, withoutCascades } from '../core/diagnostics/cascades.ts'
import type { Diagnostic, Report } from '../core/diagnostics/diagnostic.ts'
import { applySuppressions } from '../core/diagnostics/suppress.ts'
import type { Facts } from '../core/model/facts.ts'
import type { Operations } from '../core/model/operation.ts'
import type { Outline } from '../core/model/outline.ts'
import type { Site } from '../core/model/site.ts'
import type { Steps } from '../core/model/steps.ts'
import { type SourceFile, writtenTexts } from '../core/source/file.ts'
import type { Checked } from '../phases/check/check.ts'
import { gatherAbsentModules } from '../phases/check/rules/calls/absent-module.ts'
import { inWrittenText } from '../phases/check/written-places.ts'
import { wordsWritten } from '../phases/check/walk/written-names.ts'
import type { EmittedModules } from '../phases/emit/emit-site.ts'
import { lintConfigOf } from '../phases/parse/parse.ts'
import type { AnalysisOptions } from './options.ts'

/** A site before it is checked. */
export interface PreparedSite {
  readonly site: Site
  readonly operations: Operations
  /** The outlines of the templates, by file, and by `file#path` for Liquid in settings. */
  readonly outlines: ReadonlyMap<string, Outline>
  /** The diagnostics found so far. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface Analysis extends PreparedSite {
  readonly checked: Pick<Checked, 'facts' | 'reached' | 'runByPages'> & Partial<Checked>
  /** All diagnostics, sorted by file and position. Positions refer to the texts as written. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A compiled site. */
export interface Compiled extends EmittedModules, Pick<Analysis, 'site' | 'operations' | 'diagnostics'> {
  readonly facts: Facts
}

/** A checked site whose diagnostics are not collected yet. */
export class Findings {
  readonly #files: readonly SourceFile[]
  readonly #options: AnalysisOptions
  readonly #analysis: Omit<Analysis, 'diagnostics'>
  readonly #report: Report
  readonly #cascades: SiteCascades | null
  #complete: Analysis | null = null

  /** @param cascades finds consequences in a whole site; null in a compiler that never has one */
  constructor(
    files: readonly SourceFile[],
    options: AnalysisOptions,
    analysis: Omit<Analysis, 'diagnostics'>,
    report: Report,
    cascades: SiteCascades | null,
  ) {
    this.#files = files
    this.#options = options
    this.#analysis = analysis
    this.#report = report
    this.#cascades = options.openEntries ? null : cascades
  }

  /** Returns the analysis with the diagnostics that can refuse the site. */
  *early(): Steps<Analysis> {
    // A site may raise any check to an error.
    const checks = lintConfigOf(this.#files)?.checks.values() ?? []
    if ([...checks].some(({ severity }) => severity === 'error')) return yield* this.all()
    const analysis = this.#collect(false)
    // Separately checked files have no further diagnostics.
    if (this.#options.checkedFiles !== undefined) this.#complete = analysis
    return analysis
  }

  /** Returns the analysis with all diagnostics. Those that `early` lacks do not prevent a compilation. */
  *all(): Steps<Analysis> {
    const { checkWarnings } = this.#analysis.checked
    if (this.#complete === null && checkWarnings !== undefined)
      for (const each of yield* checkWarnings()) this.#report.add(each)
    yield
    this.#complete ??= this.#collect(true)
    return this.#complete
  }

  #collect(isComplete: boolean): Analysis {
    const { openEntries, checkedFiles, requiredModules } = this.#options
    const { site, checked } = this.#analysis
    this.#report.settle(checked.reached)
    const found = gatherAbsentModules(this.#report.diagnostics, checked.runByPages, requiredModules)
    const moved = this.#cascades?.moveToDeclarations(found, this.#files, () => wordsWritten(site)) ?? found
    // With a library, or with only some files checked, it is unknown whether a suppression comment is useless.
    const isWhole = isComplete && !openEntries && checkedFiles === undefined
    const completeFiles = isWhole ? this.#files.map(({ path }) => path) : []
    const all = isWhole ? [...moved, ...(this.#cascades?.misspelledChecks(this.#files) ?? [])] : moved
    return { ...this.#analysis, diagnostics: finalizeDiagnostics(all, this.#files, this.#cascades, completeFiles) }
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
  return applySuppressions(
    moved,
    (path) => texts.get(path),
    lintConfigOf(files),
    completeFiles,
    ofSite?.customNames(files),
  )
}
