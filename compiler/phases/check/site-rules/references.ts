/** Rules about references between files: layouts, policies, tables, unused partials and queries, redirects. */
import { withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { missingContentForLayout } from '../rules/site/missing-content-for-layout.ts'
import { missingLayout } from '../rules/site/missing-layout.ts'
import { missingPolicy } from '../rules/site/missing-policy.ts'
import { reservedRoute } from '../../../core/diagnostics/codes/site/reserved-route.ts'
import { responseHeaders } from '../../../core/diagnostics/codes/site/response-headers.ts'
import { unconvertedPartial } from '../rules/calls/unconverted-partial.ts'
import { unusedPartial } from '../rules/calls/unused-partial.ts'
import { unknownTable } from '../../../core/diagnostics/codes/queries/unknown-table.ts'
import { suggestName } from '../../../core/diagnostics/change.ts'
import { findNearest } from '../../../core/diagnostics/suggest.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derivedFromFrame } from '../../../core/model/derived.ts'
import type { ConfigSettings, NamedReference } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { concatSteps, type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { OutgoingCall, UnitFacts } from '../walk/facts.ts'
import { checkLinks, linkOf, linksOfSettings, type Link } from './links.ts'
import { literalText } from '../walk/literal-text.ts'
import { checkNesting, checkUnusedQueries, hasUnreadableTemplate } from './query-rules.ts'
import { reachSteps } from '../site/reach.ts'
import type { CheckedSite } from '../site/site-rule.ts'
import { testsOf } from '../../analyze/roots.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

const linksInSettings = derivedFromFrame(({ units }) => linksOfSettings(units))
const referencesInSettings = derivedFromFrame(findWrongReferences)

/** Reports references in settings to files and tables that do not exist. */
export function checkReferences({ site }: Pick<CheckedSite, 'site'>): readonly Diagnostic[] {
  return referencesInSettings(site)
}

/** Reports partials and queries that nothing uses, and queries that run once per iteration of a loop. */
export function* checkUses(rules: CheckedSite): Steps<readonly Diagnostic[]> {
  const { site, operations, lacksModule, reach } = rules
  const facts = yield* factsByFile(rules, reach.reached)
  const likelyFiles = yield* collectLikelyFiles(rules)
  const likelyFacts = likelyFiles === reach.reached ? facts : yield* factsByFile(rules, likelyFiles)
  yield
  return yield* concatSteps([
    () => (lacksModule ? [] : checkUnused(site, likelyFiles)),
    () => (lacksModule ? [] : checkUnusedQueries(site, operations, likelyFacts)),
    () => checkNesting(site, operations, facts),
  ])
}

/** Collects the facts of each reachable file, settings included. */
function* factsByFile(
  { siteTemplates, factsOf }: CheckedSite,
  reachedFiles: ReadonlySet<string>,
): Steps<ReadonlyMap<string, readonly UnitFacts[]>> {
  const byFile = new Map<string, UnitFacts[]>()
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    const facts = factsOf(siteTemplate.key)
    const { path, kind } = siteTemplate.unit.file
    if (facts === undefined || (kind === 'partial' && !reachedFiles.has(path))) return
    const own = byFile.get(path)
    if (own === undefined) byFile.set(path, [facts])
    else own.push(facts)
  })
  return byFile
}

/** Creates a warning for a reference to an unknown table: the rows are stored, but belong to no declared table. */
function absentTable({ name, span }: NamedReference, tables: readonly string[]): Diagnostic {
  const reason = `The site has no table \`${name}\`.`
  return { ...unknownTable(span, reason, suggestName(name, tables) ?? null, tables, name), severity: 'warning' }
}

// ---- references to other files ---------------------------------------------------------------------------------------------

function findWrongReferences(site: Site): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const { settings } of site.units) {
    if (settings.kind === 'page') {
      const { layout, layoutSpan, authorizationPolicies } = settings
      if (layout !== null && layout !== '' && layoutSpan !== null && !site.layouts.has(layout))
        diagnostics.push(withAbsentModule(site.modules, layout, missingLayout(layoutSpan, layout, site.layouts.keys())))
      for (const { name, span } of authorizationPolicies)
        if (!site.policies.has(name))
          diagnostics.push(withAbsentModule(site.modules, name, missingPolicy(span, name, site.policies.keys())))
    } else if (settings.kind === 'config') {
      diagnostics.push(...checkStudio(site, settings.studio))
    } else if (settings.kind === 'table') {
      const tables = site.data.tables.map(({ name }) => name)
      for (const { belongsTo } of settings.properties)
        if (belongsTo !== null && !tables.includes(belongsTo.name))
          diagnostics.push(withAbsentModule(site.modules, belongsTo.name, absentTable(belongsTo, tables)))
    } else if (settings.kind === 'email') {
      const { layout } = settings
      if (layout !== null && !site.layouts.has(layout.name))
        diagnostics.push(
          withAbsentModule(site.modules, layout.name, missingLayout(layout.span, layout.name, site.layouts.keys())),
        )
    }
  }
  return diagnostics
}

/** Checks the policy of the studio, and that no page has an address below its path. */
function checkStudio(site: Site, studio: ConfigSettings['studio']): readonly Diagnostic[] {
  if (studio === null) return []
  const { path, policy } = studio
  const { name, span } = policy
  const isMissing = !site.policies.has(name)
  const steps = path.slice(1).split('/')
  const hidden = site.pages.filter(({ settings: { route } }) =>
    steps.every((step, at) => {
      const segment = route.segments[at]
      return segment?.kind === 'static' && segment.text === step
    }),
  )
  return [
    ...(isMissing ? [withAbsentModule(site.modules, name, missingPolicy(span, name, site.policies.keys()))] : []),
    ...hidden.map(({ settings: { slugSpan, route } }) => reservedRoute(slugSpan, route.slug, path)),
  ]
}

/** Reports layouts that do not print the page. */
export function checkLayouts({ site, siteTemplates, factsOf, reach }: CheckedSite): readonly Diagnostic[] {
  const byFile = new Map(
    siteTemplates
      .filter((siteTemplate) => siteTemplate.inner === null)
      .map((siteTemplate) => [siteTemplate.key, siteTemplate]),
  )
  const printsPage = (file: string, seen: Set<string>): boolean => {
    const siteTemplate = byFile.get(file)
    if (siteTemplate === undefined || seen.has(file)) return false
    seen.add(file)
    if (siteTemplate.outline.reads.has('content_for_layout')) return true
    const facts = factsOf(siteTemplate.key)
    if (facts === undefined || facts.readsAll) return true
    // A partial that the layout calls may print the text.
    return facts.calls.some((call) => call.targets === null || call.targets.some((target) => printsPage(target, seen)))
  }
  const diagnostics: Diagnostic[] = []
  for (const unit of new Set(site.layouts.values())) {
    // The file may be a part of another layout, which prints the page.
    if (site.layoutParts.has(unit) && (reach.reached.has(unit.file.path) || isUnderscored(unit))) continue
    if (unit.template === null || unit.template.isBroken || printsPage(unit.file.path, new Set())) continue
    diagnostics.push(missingContentForLayout(contentSpan(unit.file, byFile.get(unit.file.path))))
  }
  return diagnostics
}

/**
 * Returns where a layout was meant to print the page: a variable with a similar name, or the name as plain text; otherwise the first line.
 */
function contentSpan({ path: file, text }: Unit['file'], siteTemplate: SiteTemplate | undefined): Span {
  for (const [name, span] of siteTemplate?.outline.reads ?? [])
    if (findNearest(name, CONTENT_NAMES) !== null) return span
  const [name = ''] = CONTENT_NAMES
  const start = text.indexOf(name)
  return start < 0 ? { file, start: 0, end: firstLineEnd(text) } : { file, start, end: start + name.length }
}

/** The variable with the content that a layout has to print. */
const CONTENT_NAMES: readonly string[] = ['content_for_layout']

function isUnderscored({ file: { name } }: Unit): boolean {
  return name[name.lastIndexOf('/') + 1] === '_'
}

/** Returns the end of the first line. */
function firstLineEnd(text: string): number {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}

// ---- unused files -----------------------------------------------------------------------------------------------------

/**
 * Collects the reachable files, the files that tests run, and the files that were probably meant by misspelled names. A misspelling is
 * reported only where the name is written.
 */
function* collectLikelyFiles(rules: CheckedSite): Steps<ReadonlySet<string>> {
  const { site, reach, siteTemplates, factsOf } = rules
  const suggested = new Set<string>(site.testRuns.flatMap((name) => site.partials.get(name)?.file.path ?? []))
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    for (const call of factsOf(siteTemplate.key)?.calls ?? []) for (const file of call.suggested) suggested.add(file)
  })
  if (suggested.size === 0) return reach.reached
  const calls = callsByFile(rules)
  const { reached } = yield* reachSteps(site, suggested, (file) => calls.get(file) ?? [])
  return new Set([...reach.reached, ...reached])
}

function callsByFile({ siteTemplates, factsOf }: CheckedSite): ReadonlyMap<string, readonly OutgoingCall[]> {
  const calls = new Map<string, OutgoingCall[]>()
  for (const siteTemplate of siteTemplates) {
    const { path } = siteTemplate.unit.file
    const own = calls.get(path)
    const found = factsOf(siteTemplate.key)?.calls ?? []
    if (own === undefined) calls.set(path, [...found])
    else own.push(...found)
  }
  return calls
}

const VALUE_CALLS: ReadonlySet<OutgoingCall['kind']> = new Set(['function', 'background'])

/** Reports Markdown partials that are printed without being converted. */
export function* checkUnconverted(rules: CheckedSite): Steps<readonly Diagnostic[]> {
  const { site, roots } = rules
  const markdownPartials = site.units.flatMap(({ file, settings }) => {
    const span = settings.kind === 'partial' ? settings.converterAt : null
    return span === null ? [] : [{ file, at: span }]
  })
  if (markdownPartials.length === 0 || site.openEntries) return []
  const tests = testsOf(site)
  const convertingPages = new Set(
    site.pages.filter((page) => page.settings.converter === 'markdown').map((page) => page.file.path),
  )
  const calls = callsByFile(rules)
  // The output of a test is not shown.
  const entries = [...roots].filter((root) => !convertingPages.has(root) && !tests.has(root))
  // Skips calls whose output is dropped, as for `function`, and calls with computed names, because they may never run some of their
  // targets.
  const printingCalls = (file: string) =>
    (calls.get(file) ?? []).filter(({ kind, open, targets }) => !VALUE_CALLS.has(kind) && !open && targets !== null)
  const { reached } = yield* reachSteps(site, new Set(entries), printingCalls)
  return markdownPartials.flatMap(({ file, at }) => (reached.has(file.path) ? [unconvertedPartial(at)] : []))
}

function checkUnused(site: Site, likelyFiles: ReadonlySet<string>): readonly Diagnostic[] {
  // A template that could not be parsed may contain the call.
  if (hasUnreadableTemplate(site)) return []
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  for (const [name, unit] of site.partials) {
    const { kind, path, module, override } = unit.file
    // Other sites may use the partials of a module.
    if (kind !== 'partial' || likelyFiles.has(path) || module !== null || override || seen.has(path)) continue
    seen.add(path)
    diagnostics.push(unusedPartial({ file: path, start: 0, end: 0 }, name))
  }
  return diagnostics
}

// ---- headers and redirects --------------------------------------------------------------------------------------------

/** Reports headers that are wrong. */
export function checkAnswers({ siteTemplates, factsOf }: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const { key } of siteTemplates) {
    for (const { note } of factsOf(key)?.notes ?? []) {
      if (note.kind === 'headers') {
        const text = literalText(note.value)
        const reason = text === null ? null : headersProblem(text)
        if (reason !== null) diagnostics.push(responseHeaders(note.value.span, reason))
      }
    }
  }
  return diagnostics
}

/** Reports redirects to addresses that no page handles, in settings and in templates. */
export function checkRedirects({ site, siteTemplates, factsOf, memo }: CheckedSite): readonly Diagnostic[] {
  const links: Link[] = [...linksInSettings(site)]
  for (const { key } of siteTemplates) {
    for (const { note } of factsOf(key)?.notes ?? []) {
      const link = note.kind === 'link' ? linkOf(note.path) : null
      if (note.kind === 'link' && link !== null)
        links.push({ ...link, method: 'get', span: note.path.span, sent: true })
    }
  }
  return checkLinks(site, links, memo)
}

function headersProblem(text: string): string | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the text is not valid JSON'
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'the JSON is not an object'
}
