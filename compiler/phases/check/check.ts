/** The check phase: infers the types of all values in a site, and reports errors and warnings. */
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { withOffsets } from '../../core/diagnostics/places-elsewhere.ts'
import type { Outline } from '../../core/model/outline.ts'
import type { Facts } from '../../core/model/facts.ts'
import { Memory } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import type { Steps } from '../../core/model/steps.ts'
import { lineStarts, position } from '../../core/source/file.ts'
import { checkInput, type CheckSettings, linkEffects } from './check-input.ts'
import { inferSite } from '../analyze/site.ts'
import { startFixpoint } from './fixpoint.ts'
import { checkGivenNames } from './rules/values/undefined-variable.ts'
import {
  type CheckedUnit,
  type PartialSignature,
  type RecheckRequest,
  type UnitFacts,
  docParams,
} from './walk/facts.ts'
import type { CheckedSite, SiteRule } from './site/site-rule.ts'
import { runByPages } from './site/run-by-pages.ts'
import { keepNames } from './site/template-names.ts'
import { REFERENCES, unusedTemplates } from './site/unused-templates.ts'
import type { UnitParameter } from '../../core/model/signature.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import type { Unit } from '../../core/model/unit.ts'
import { docType } from '../../language/types/from-doc.ts'

/** Receives the results of the check of one template. The template's text may be newer than the text in the checked site. */
export type { Observer } from './walk/facts.ts'

export interface Checked {
  /** Facts that are certain about the site's templates, for the emitter. */
  readonly facts: Facts
  /**
   * Returns whether a page, job, form or sent mail can reach the fault that a diagnostic with this code reports in a file. A reference to
   * something absent fails only when it is followed; other errors reject the file itself.
   */
  readonly reached: (file: string, code: string) => boolean
  /** Returns whether a page of the site certainly runs the file: it is a page, or pages call it by literal names. */
  readonly runByPages: (file: string) => boolean
  /** Returns the parameters and the result of a file that is called as a partial; undefined if the file is unknown. */
  readonly signature: (file: string) => PartialSignature | undefined
  /** Returns the facts of a template, by file, or by `file#path` for Liquid in settings; undefined if it is unknown. */
  readonly factsOf: (key: string) => UnitFacts | undefined
  /** Checks one template alone, with the known facts of all other templates. */
  readonly recheck: (request: RecheckRequest) => CheckedUnit
  /** Collects the remaining diagnostics, which are warnings and below. A site can be compiled and served before they are known. */
  readonly checkWarnings: () => Steps<readonly Diagnostic[]>
}

/**
 * Checks a linked site, one template per step, and adds what it finds to the report, without the diagnostics of `checkWarnings`.
 * @param outlines the names of every template: by file, and by `file#path` for Liquid in settings
 */
export function* checkSteps(
  site: Site,
  operations: Operations,
  report: Report,
  outlines: ReadonlyMap<string, Outline>,
  settings: CheckSettings,
): Steps<Checked> {
  const { queries, siteRules, siteWarnings } = settings.features
  const linkedEffects = linkEffects(site, outlines, settings)
  yield
  const input = checkInput(site, operations, outlines, linkedEffects, settings)
  yield
  const rounds = startFixpoint(input)
  yield
  const reach = yield* rounds.steps()
  const misread = syntaxErrors(report, site)
  const placed = placedIn(site)
  for (const { key } of input.siteTemplates)
    for (const diagnostic of rounds.diagnosticsOf(key).map(placed)) if (!misread(diagnostic)) report.add(diagnostic)
  yield
  const isPlatform = site.dialect === 'platform'
  const checkedSite: CheckedSite = {
    ...input,
    reach,
    lacksModule: rounds.names.lacksModule,
    factsOf: (key) => rounds.factsOf(key),
    ownFacts: (file) => rounds.ownFacts(file),
    callsOf: (file) => rounds.callsOf(file),
  }
  if (isPlatform) {
    yield { doing: 'Checking the site as a whole' }
    for (const each of yield* runRules([keepNames, ...siteRules], checkedSite)) report.add(placed(each))
  }
  yield
  if (site.globalsAreAll)
    for (const diagnostic of checkGivenNames(site, (file) => rounds.factsOf(file), rounds.passedTypes))
      report.add(diagnostic)
  const unused = unusedTemplates(site, queries.sent(operations, settings.memo))
  return {
    facts: inferSite(input, linkedEffects),
    reached: (file, code) => {
      const kind = site.byFile.get(file)?.file.kind
      if (site.openEntries) return true
      if (kind === 'partial' || kind === 'layout') return reach.reached.has(file)
      return !unused.has(file) || !REFERENCES.has(code)
    },
    runByPages: runByPages(checkedSite),
    signature: (file) => {
      const [unit, facts] = [site.byFile.get(file), rounds.factsOf(file)]
      return unit === undefined || facts === undefined
        ? undefined
        : signatureOf(unit, facts, rounds.passedTypes.get(file))
    },
    factsOf: (key) => rounds.factsOf(key),
    recheck: (request) => {
      const { facts, diagnostics } = rounds.recheck(request)
      return { facts, diagnostics: diagnostics.map(placedIn(request.site)) }
    },
    *checkWarnings() {
      if (!isPlatform) return []
      yield { doing: 'Looking for warnings' }
      return (yield* runRules(siteWarnings, checkedSite)).map(placed)
    },
  }
}

/** Runs rules in their order, and returns what they report. */
function* runRules(rules: readonly SiteRule[], site: CheckedSite): Steps<readonly Diagnostic[]> {
  const found: (readonly Diagnostic[])[] = []
  for (const rule of rules) {
    let result = rule(site)
    while ('visit' in result) {
      const { doing, count, visit, finish } = result
      for (let at = 0; at < count; at++) {
        visit(at)
        yield doing === null ? undefined : { doing, share: { doneCount: at + 1, total: count, things: 'template' } }
      }
      result = finish()
    }
    found.push(result)
    yield
  }
  return found.flat()
}

/**
 * Checks only some files of a site, each separately. Diagnostics that depend on how files use each other are not reported. Facts are
 * inferred for all templates.
 */
export function checkFiles(
  site: Site,
  operations: Operations,
  report: Report,
  outlines: ReadonlyMap<string, Outline>,
  settings: CheckSettings,
  files: ReadonlySet<string>,
): Pick<Checked, 'facts' | 'reached' | 'runByPages'> {
  const linkedEffects = linkEffects(site, outlines, { ...settings, format: 'html' })
  const input = checkInput(site, operations, outlines, linkedEffects, settings)
  const { siteTemplates } = input
  const own = siteTemplates.filter(({ unit }) => files.has(unit.file.path))
  // What is cached for a version of the structure concerns all templates of the site. These are only some of them.
  const rounds = startFixpoint({
    ...input,
    site: { ...site, structureVersion: {} },
    siteTemplates: own,
    order: own,
    memo: new Memory(1),
  })
  rounds.checkAlone()
  const misread = syntaxErrors(report, site)
  for (const { key } of own)
    for (const diagnostic of rounds.diagnosticsOf(key).map(placedIn(site)))
      if (!misread(diagnostic)) report.add(diagnostic)
  return {
    facts: inferSite(input, linkedEffects),
    reached: () => true,
    runByPages: () => false,
  }
}

/** Returns a function that returns diagnostics with the offsets that their places have in a site. */
function placedIn({ byFile }: Pick<Site, 'byFile'>): (diagnostic: Diagnostic) => Diagnostic {
  return (diagnostic) => withOffsets(diagnostic, (file) => byFile.get(file)?.file.text)
}

/** Returns a test for diagnostics on a line with a syntax error, which is their more likely cause. */
export function syntaxErrors(report: Report, site: Pick<Site, 'byFile'>): (diagnostic: Diagnostic) => boolean {
  const lines = new Map<string, { readonly starts: readonly number[]; readonly lines: Set<number> }>()
  for (const { severity, span } of report.diagnostics) {
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

/** Returns the signature of a partial; undefined for a unit without a template. `passed`: the argument types joined over all callers. */
function signatureOf(
  { template }: Unit,
  { inputs, result }: UnitFacts,
  passedTypes: ReadonlyMap<string, Type> | undefined,
): PartialSignature | undefined {
  if (template === null) return undefined
  const declaredParams = new Map(docParams(template).map((param) => [param.name, param]))
  const declared = [...declaredParams.values()].map(({ name, type, required }): UnitParameter => {
    const documentedType = type === null ? null : docType(type)
    return { name, type: passedTypes?.get(name) ?? documentedType ?? UNKNOWN, required, declared: true }
  })
  const inferred = [...inputs].flatMap(([name, { required }]): readonly UnitParameter[] =>
    declaredParams.has(name) ? [] : [{ name, type: passedTypes?.get(name) ?? UNKNOWN, required, declared: false }],
  )
  return { parameters: [...declared, ...inferred], result }
}
