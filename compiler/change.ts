/**
 * Analyses a change of several files, given the results for the old site. It checks the changed files and the files that use them.
 * Diagnostics that need the whole site (unused names, taint tracking) are left to a full analysis.
 */
import { type Analysis, type AnalysisOptions, parseOptionsOf, finalizeDiagnostics } from './analysis.ts'
import { syntaxErrors } from './phases/check/check.ts'
import { piecesOf } from './phases/check/check-input.ts'
import { typeKey } from './language/types/type-key.ts'
import type { Piece } from './phases/check/piece.ts'
import { sameFace } from './phases/check/rules/dependencies.ts'
import type { Look, UnitFacts } from './phases/check/rules/facts.ts'
import { type Diagnostic, Report } from './core/diagnostics/diagnostic.ts'
import type { Memo } from './core/model/memo.ts'
import type { Operation, Operations } from './core/model/operation.ts'
import type { Site } from './core/model/site.ts'
import { runSteps } from './core/model/steps.ts'
import { prepareSteps } from './phases/prepare/prepare.ts'
import type { SourceFile } from './core/source/file.ts'

export interface ChangeAnalysis {
  /** Diagnostics of the checked files, and new parse and link diagnostics of others. */
  readonly diagnostics: readonly Diagnostic[]
  /** The changed files, and the files that use them. */
  readonly checkedFiles: ReadonlySet<string>
  /** The number of users that were not checked because there are too many. */
  readonly uncheckedCount: number
}

/** Maximum number of unchanged files to check. */
const MAX_OTHERS = 40

/** A linked site before it is checked. */
interface LinkedSite {
  readonly site: Site
  readonly operations: Operations
  readonly pieces: readonly Piece[]
  readonly report: Report
}

/**
 * Analyses a change.
 * @param known the analysis of the old site
 * @param before all files of the old site
 * @param after all files of the new site
 */
export function analyseChange(
  known: Analysis,
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  options: AnalysisOptions,
  memo: Memo,
): ChangeAnalysis {
  const old = new Map(before.map((file) => [file.path, file]))
  const paths = new Set(after.map(({ path }) => path))
  const changed = new Set([
    ...after.filter((file) => old.get(file.path) !== file).map(({ path }) => path),
    ...before.filter(({ path }) => !paths.has(path)).map(({ path }) => path),
  ])
  const toldBefore = memo.once(
    'told before',
    '',
    [known],
    () => new Set(linkSite(before, options, memo).report.all.map(diagnosticKey)),
  )
  const now = linkSite(after, options, memo)
  const { report, site } = now
  const looks = new ChangeChecker(known, now)
  looks.check(changed)
  // A removed file has changed for all of its callers.
  for (const path of changed) if (!site.byFile.has(path)) looks.faces.add(path)
  const left = looks.checkUsers(changedQueries(known.operations, now.operations))
  for (const each of looks.found) report.add(each)
  report.settle((file, code) => known.checked.reached(file, code) || looks.calledFiles().has(file))
  const isTold = (each: Diagnostic): boolean =>
    each.absent === undefined && (looks.looked.has(each.span.file) || !toldBefore.has(diagnosticKey(each)))
  const told = report.all.filter(isTold)
  const files = new Set(told.map(({ span }) => span.file))
  const texts = after.filter(({ path, kind }) => files.has(path) || kind === 'lint_config')
  return { diagnostics: finalizeDiagnostics(told, texts), checkedFiles: looks.looked, uncheckedCount: left }
}

function linkSite(files: readonly SourceFile[], options: AnalysisOptions, memo: Memo): LinkedSite {
  const report = new Report()
  const { site, operations, bounds, diagnostics } = runSteps(
    prepareSteps(files, { ...options, ...parseOptionsOf(options) }, memo),
  )
  for (const each of diagnostics) report.add(each)
  return { site, operations, pieces: piecesOf(site, bounds), report }
}

/** Checks templates one after the other. Each check uses the facts of those before. */
class ChangeChecker {
  readonly #known: Analysis['checked']
  readonly #linked: LinkedSite
  readonly #misread: (diagnostic: Diagnostic) => boolean
  /** New facts of the checked templates, by key. */
  readonly #facts = new Map<string, UnitFacts>()
  readonly looked = new Set<string>()
  readonly found: Diagnostic[] = []
  /** Files whose interface has changed and whose callers are not checked yet. */
  faces = new Set<string>()
  #called: ReadonlySet<string> | null = null
  /** Number of checked files that have not changed. */
  #others = 0

  constructor({ checked }: Analysis, now: LinkedSite) {
    this.#known = checked
    this.#linked = now
    this.#misread = syntaxErrors(now.report, now.site)
  }

  check(paths: ReadonlySet<string>): void {
    for (const path of paths) this.looked.add(path)
    const { site, operations, pieces } = this.#linked
    const given = { site, operations, observer: null, facts: this.#facts }
    for (const piece of pieces) {
      const { path } = piece.unit.file
      const seen = paths.has(path) ? this.#known.look?.({ ...given, piece } satisfies Look) : undefined
      if (seen === undefined) continue
      const before = this.#factsOf(piece.key)
      this.#facts.set(piece.key, seen.facts)
      if (before === undefined || !sameFace(before, seen.facts)) this.faces.add(path)
      for (const each of seen.diagnostics) if (!this.#misread(each)) this.found.push(each)
    }
  }

  /** Checks the users of changed files, and repeats this for users whose interface changes. @returns the number of users left out */
  checkUsers(queries: ReadonlySet<string>): number {
    let left = 0
    let used = queries
    while (this.faces.size > 0 || used.size > 0) {
      const users = this.#usersOf(this.faces, used)
      const next = users.slice(0, Math.max(0, MAX_OTHERS - this.#others))
      left += users.length - next.length
      this.#others += next.length
      this.faces = new Set()
      used = new Set()
      this.check(new Set(next))
    }
    return left
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
    for (const { key, unit } of this.#linked.pieces) {
      const { path } = unit.file
      const facts = this.looked.has(path) ? undefined : this.#factsOf(key)
      const calls = facts?.calls.some(({ targets }) => targets?.some((each) => files.has(each)) === true)
      if (calls === true || facts?.queries.some(({ names }) => names.some((name) => queries.has(name))) === true)
        users.add(path)
    }
    return [...users]
  }

  #factsOf(key: string): UnitFacts | undefined {
    return this.#facts.get(key) ?? this.#known.known?.(key)
  }
}

/** Returns the names of stored queries whose variables or results have changed. */
function changedQueries(before: Operations, after: Operations): ReadonlySet<string> {
  const isSame = (old: Operation | undefined, now: Operation | undefined): boolean =>
    old === now || (old !== undefined && now !== undefined && operationShape(old) === operationShape(now))
  const names = new Set([...before.stored.keys(), ...after.stored.keys()])
  return new Set([...names].filter((name) => !isSame(before.stored.get(name), after.stored.get(name))))
}

function operationShape({ variables, result }: Operation): string {
  return [...variables.map(({ name, type, required }) => `${name} ${type} ${required}`), typeKey(result)].join('\n')
}

function diagnosticKey({ code, span, message }: Diagnostic): string {
  return [code, span.file, message].join('\0')
}
