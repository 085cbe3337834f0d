/**
 * Analyses a change of several files, given the results for the old site. It checks the changed files and the files that use them.
 * Diagnostics that need the whole site (unused names, taint tracking) are left to a full analysis.
 */
import { type Analysis, finalizeDiagnostics } from './pipeline/findings.ts'
import type { AnalysisOptions } from './pipeline/options.ts'
import { prepareSteps } from './pipeline/pipeline.ts'
import { ALL_FEATURES } from './pipeline/all-features.ts'
import { syntaxErrors } from './phases/check/check.ts'
import { templatesOf } from './phases/check/check-input.ts'
import { typeKey } from './language/types/type-key.ts'
import type { SiteTemplate } from './core/model/site-template.ts'
import { isSameForCallers } from './phases/check/site/caller-facts.ts'
import type { RecheckRequest, UnitFacts } from './phases/check/walk/facts.ts'
import { type Diagnostic, Report } from './core/diagnostics/diagnostic.ts'
import type { Memo } from './core/model/memo.ts'
import type { Operation, Operations } from './core/model/operation.ts'
import type { Site } from './core/model/site.ts'
import { runSteps } from './core/model/steps.ts'
import type { SourceFile } from './core/source/file.ts'

export interface ChangeAnalysis {
  /** Diagnostics of the checked files, and new parse and link diagnostics of other files. */
  readonly diagnostics: readonly Diagnostic[]
  /** The changed files, and the files that use them. */
  readonly checkedFiles: ReadonlySet<string>
  /** The number of files that use a changed file but were not checked, because there are too many. */
  readonly uncheckedCount: number
}

/** Maximum number of unchanged files to check. */
const MAX_OTHERS = 40

/** A linked site before it is checked. */
interface LinkedSite {
  readonly site: Site
  readonly operations: Operations
  readonly siteTemplates: readonly SiteTemplate[]
  readonly report: Report
}

/**
 * Analyses a change.
 * @param oldAnalysis the analysis of the old site
 * @param oldFiles all files of the old site
 * @param newFiles all files of the new site
 */
export function analyseChange(
  oldAnalysis: Analysis,
  oldFiles: readonly SourceFile[],
  newFiles: readonly SourceFile[],
  options: AnalysisOptions,
  memo: Memo,
): ChangeAnalysis {
  const oldFilesByPath = new Map(oldFiles.map((file) => [file.path, file]))
  const newPaths = new Set(newFiles.map(({ path }) => path))
  const changedPaths = new Set([
    ...newFiles.filter((file) => oldFilesByPath.get(file.path) !== file).map(({ path }) => path),
    ...oldFiles.filter(({ path }) => !newPaths.has(path)).map(({ path }) => path),
  ])
  const oldDiagnosticKeys = memo.once(
    'told before',
    '',
    [oldAnalysis],
    () => new Set(linkSite(oldFiles, options, memo).report.diagnostics.map(diagnosticKey)),
  )
  const newSite = linkSite(newFiles, options, memo)
  const { report, site } = newSite
  const checker = new ChangeChecker(oldAnalysis, newSite)
  checker.check(changedPaths)
  // A removed file has changed for all of its callers.
  for (const path of changedPaths) if (!site.byFile.has(path)) checker.changedInterfaces.add(path)
  const uncheckedCount = checker.checkUsers(changedQueries(oldAnalysis.operations, newSite.operations))
  for (const diagnostic of checker.diagnostics) report.add(diagnostic)
  report.settle((file, code) => oldAnalysis.checked.reached(file, code) || checker.calledFiles().has(file))
  const isReported = (each: Diagnostic): boolean =>
    each.absent === undefined &&
    (checker.checkedFiles.has(each.span.file) || !oldDiagnosticKeys.has(diagnosticKey(each)))
  const reported = report.diagnostics.filter(isReported)
  const files = new Set(reported.map(({ span }) => span.file))
  const texts = newFiles.filter(({ path, kind }) => files.has(path) || kind === 'lint_config')
  return {
    diagnostics: finalizeDiagnostics(reported, texts, ALL_FEATURES.siteCascades),
    checkedFiles: checker.checkedFiles,
    uncheckedCount: uncheckedCount,
  }
}

function linkSite(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): LinkedSite {
  const report = new Report()
  const { site, operations, outlines, diagnostics } = runSteps(prepareSteps(files, options, ALL_FEATURES, memo))
  for (const diagnostic of diagnostics) report.add(diagnostic)
  return { site, operations, siteTemplates: templatesOf(site, outlines), report }
}

/** Checks templates one after the other. Each check uses the facts from earlier checks. */
class ChangeChecker {
  readonly #oldChecked: Analysis['checked']
  readonly #linked: LinkedSite
  readonly #followsSyntaxError: (diagnostic: Diagnostic) => boolean
  /** New facts of the checked templates, by key. */
  readonly #facts = new Map<string, UnitFacts>()
  readonly checkedFiles = new Set<string>()
  readonly diagnostics: Diagnostic[] = []
  /** Files whose interface has changed and whose callers are not checked yet. */
  changedInterfaces = new Set<string>()
  #called: ReadonlySet<string> | null = null
  /** Number of checked files that have not changed. */
  #unchangedCount = 0

  constructor({ checked }: Analysis, newSite: LinkedSite) {
    this.#oldChecked = checked
    this.#linked = newSite
    this.#followsSyntaxError = syntaxErrors(newSite.report, newSite.site)
  }

  check(paths: ReadonlySet<string>): void {
    for (const path of paths) this.checkedFiles.add(path)
    const { site, operations, siteTemplates } = this.#linked
    const checkInput = { site, operations, observer: null, facts: this.#facts }
    for (const siteTemplate of siteTemplates) {
      const { path } = siteTemplate.unit.file
      const result = paths.has(path)
        ? this.#oldChecked.recheck?.({ ...checkInput, siteTemplate } satisfies RecheckRequest)
        : undefined
      if (result === undefined) continue
      const oldFacts = this.#factsOf(siteTemplate.key)
      this.#facts.set(siteTemplate.key, result.facts)
      if (oldFacts === undefined || !isSameForCallers(oldFacts, result.facts)) this.changedInterfaces.add(path)
      for (const diagnostic of result.diagnostics)
        if (!this.#followsSyntaxError(diagnostic)) this.diagnostics.push(diagnostic)
    }
  }

  /** Checks the users of changed files, and repeats this for users whose interface changes. @returns the number of users left out */
  checkUsers(queries: ReadonlySet<string>): number {
    let uncheckedCount = 0
    let changedQueryNames = queries
    while (this.changedInterfaces.size > 0 || changedQueryNames.size > 0) {
      const users = this.#usersOf(this.changedInterfaces, changedQueryNames)
      const checkedUsers = users.slice(0, Math.max(0, MAX_OTHERS - this.#unchangedCount))
      uncheckedCount += users.length - checkedUsers.length
      this.#unchangedCount += checkedUsers.length
      this.changedInterfaces = new Set()
      changedQueryNames = new Set()
      this.check(new Set(checkedUsers))
    }
    return uncheckedCount
  }

  /** Returns the files that checked templates call. */
  calledFiles(): ReadonlySet<string> {
    this.#called ??= new Set(
      [...this.#facts.values()].flatMap(({ calls }) => calls.flatMap(({ targets }) => targets ?? [])),
    )
    return this.#called
  }

  #usersOf(files: ReadonlySet<string>, queries: ReadonlySet<string>): readonly string[] {
    const users = new Set<string>()
    for (const { key, unit } of this.#linked.siteTemplates) {
      const { path } = unit.file
      const facts = this.checkedFiles.has(path) ? undefined : this.#factsOf(key)
      const calls = facts?.calls.some(({ targets }) => targets?.some((each) => files.has(each)) === true)
      if (calls === true || facts?.queries.some(({ names }) => names.some((name) => queries.has(name))) === true)
        users.add(path)
    }
    return [...users]
  }

  #factsOf(key: string): UnitFacts | undefined {
    return this.#facts.get(key) ?? this.#oldChecked.factsOf?.(key)
  }
}

/** Returns the names of stored queries whose variables or results have changed. */
function changedQueries(before: Operations, after: Operations): ReadonlySet<string> {
  const isSame = (oldOperation: Operation | undefined, now: Operation | undefined): boolean =>
    oldOperation === now ||
    (oldOperation !== undefined && now !== undefined && operationShape(oldOperation) === operationShape(now))
  const names = new Set([...before.storedOperations.keys(), ...after.storedOperations.keys()])
  return new Set(
    [...names].filter((name) => !isSame(before.storedOperations.get(name), after.storedOperations.get(name))),
  )
}

function operationShape({ variables, result }: Operation): string {
  return [...variables.map(({ name, type, required }) => `${name} ${type} ${required}`), typeKey(result)].join('\n')
}

function diagnosticKey({ code, span, message }: Diagnostic): string {
  return [code, span.file, message].join('\0')
}
