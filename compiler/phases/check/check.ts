/** The check phase: types of every value over the whole site, and what is wrong with it. */
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { LANGUAGE, type Language } from '../../language/language.ts'
import type { Bound } from '../../core/model/bound.ts'
import type { FormatClass } from '../../core/model/effects.ts'
import type { Facts } from '../../core/model/facts.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import { runSteps, type Steps } from '../../core/model/steps.ts'
import { lineStarts, position } from '../../core/source/file.ts'
import { adviceSteps } from './advice.ts'
import { checkInput } from './check-input.ts'
import { inferSite } from './infer/site.ts'
import { settledRounds } from './settled-rounds.ts'
import { siteDiagnosticSteps } from './site-diagnostics.ts'
import { checkRounds } from './rounds.ts'
import { checkGivenNames } from './rules/given-names.ts'
import { faceOf } from './rules/face-signatures.ts'
import type { CheckedUnit, FaceSignature, Look, UnitFacts } from './rules/facts.ts'
import { runByPages } from './rules/run-by-pages.ts'
import { REFERENCES, unusedTemplates } from './rules/unused-templates.ts'

/** A template with a text of its own, in a site that may differ from the one that was checked. */
export type { Observer } from './rules/facts.ts'

export interface Checked {
  /** What surely holds of the site's templates, for the emitter. */
  readonly facts: Facts
  /**
   * Whether a page, job, form, or a mail that is sent can come to what a diagnostic of this code says of a file. A reference to
   * something absent fails only when it is followed; other errors refuse the file itself.
   */
  readonly reached: (file: string, code: string) => boolean
  /** Whether a page of the site surely comes to what the file says: its own, and those that it names without computing. */
  readonly runByPages: (file: string) => boolean
  /** What a file takes and gives that is called as a partial. */
  readonly face: (file: string) => FaceSignature | undefined
  /** What is known of each template, by file, and by `file#path` for Liquid in settings. */
  readonly known: (key: string) => UnitFacts | undefined
  /** Checks one template alone, with what is known of all others. */
  readonly look: (look: Look) => CheckedUnit
  /** Finds the rest of what is to be said, of which nothing is an error: a site may be compiled, and served, before that. */
  readonly advise: () => Steps<readonly Diagnostic[]>
}

/**
 * Checks a linked site and adds what it finds to the report. `bounds` has the names of every template: by file, and by
 * `file#path` for Liquid in settings. `memo` remembers what was found in templates around which nothing changed. `format` is the one in
 * which the host renders units by their names, where the site allows that.
 * @internal Exported for tests.
 */
export function check(
  site: Site,
  operations: Operations,
  report: Report,
  bounds: ReadonlyMap<string, Bound>,
  memo: Memo = NO_MEMO,
  format: FormatClass = 'html',
  language: Language = LANGUAGE,
): Checked {
  const checked = runSteps(checkSteps(site, operations, report, bounds, memo, format, language))
  for (const each of runSteps(checked.advise())) report.add(each)
  return checked
}

/** `check`, a template at a time, and without what `advise` finds. */
export function* checkSteps(
  site: Site,
  operations: Operations,
  report: Report,
  bounds: ReadonlyMap<string, Bound>,
  memo: Memo,
  format: FormatClass,
  language: Language,
): Steps<Checked> {
  const input = yield* checkInput(site, operations, bounds, memo, format, language)
  const { linked } = input
  yield
  const { rounds, reach } = yield* settledRounds(input)
  const misread = syntaxErrors(report, site)
  for (const { key } of input.pieces) for (const each of rounds.diagnosticsOf(key)) if (!misread(each)) report.add(each)
  yield
  const isPlatform = site.dialect === 'platform'
  if (isPlatform) for (const each of yield* siteDiagnosticSteps(input, rounds, reach)) report.add(each)
  yield
  if (site.globalsAreAll)
    for (const each of checkGivenNames(site, (file) => rounds.factsOf(file), rounds.learnt.params)) report.add(each)
  const unused = unusedTemplates(site, operations, memo)
  return {
    facts: inferSite(input, linked),
    reached: (file, code) => {
      const kind = site.byFile.get(file)?.file.kind
      if (site.openEntries) return true
      if (kind === 'partial' || kind === 'layout') return reach.reached.has(file)
      return !unused.has(file) || !REFERENCES.has(code)
    },
    runByPages: runByPages(
      site,
      (file) => rounds.callsOf(file),
      (file) => rounds.ownFacts(file).flatMap((facts) => facts.queries),
    ),
    face: (file) => {
      const [unit, facts] = [site.byFile.get(file), rounds.factsOf(file)]
      return unit === undefined || facts === undefined ? undefined : faceOf(unit, facts, rounds.learnt.params.get(file))
    },
    known: (key) => rounds.factsOf(key),
    look: (look) => rounds.look(look),
    *advise() {
      return isPlatform ? yield* adviceSteps(input, rounds, reach, linked) : []
    },
  }
}

/**
 * As `check`, for a site of which only some files have changed: they are looked at each by itself, and what the others say of them, or they
 * of the others, is not told. What holds of the templates is found for all.
 */
export function checkFiles(
  site: Site,
  operations: Operations,
  report: Report,
  bounds: ReadonlyMap<string, Bound>,
  memo: Memo,
  language: Language,
  files: ReadonlySet<string>,
): Pick<Checked, 'facts' | 'reached' | 'runByPages'> {
  const input = runSteps(checkInput(site, operations, bounds, memo, 'html', language))
  const { pieces, linked } = input
  const own = pieces.filter(({ unit }) => files.has(unit.file.path))
  const rounds = runSteps(checkRounds({ ...input, pieces: own, order: own, memo: NO_MEMO }, {}))
  rounds.once()
  const misread = syntaxErrors(report, site)
  for (const { key } of own) for (const each of rounds.diagnosticsOf(key)) if (!misread(each)) report.add(each)
  return {
    facts: inferSite(input, linked),
    reached: () => true,
    runByPages: () => false,
  }
}

/** Tells whether a finding stands on a line with a syntax error, which is the likelier cause of it. */
export function syntaxErrors(report: Report, site: Pick<Site, 'byFile'>): (diagnostic: Diagnostic) => boolean {
  const lines = new Map<string, { readonly starts: readonly number[]; readonly lines: Set<number> }>()
  for (const { severity, span } of report.all) {
    const text = severity === 'error' ? site.byFile.get(span.file)?.file.text : undefined
    if (text === undefined) continue
    let known = lines.get(span.file)
    if (known === undefined) {
      known = { starts: lineStarts(text), lines: new Set() }
      lines.set(span.file, known)
    }
    known.lines.add(position(known.starts, span.start).line)
  }
  return ({ span }) => {
    const known = lines.get(span.file)
    return known?.lines.has(position(known.starts, span.start).line) === true
  }
}
