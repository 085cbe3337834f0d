/** `unknown-parameter`: a page reads a parameter that its route does not have and that no link or form sends. */
import { suggestReplacement } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { PageSettings, RouteSegment } from '../../../../core/model/settings.ts'
import type { Site } from '../../../../core/model/site.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { SourceFile } from '../../../../core/source/file.ts'
import { type TemplateNames, namesOf } from '../../site/template-names.ts'
import { derived } from '../../../../core/model/derived.ts'
import { distance, findLikelyTypo } from '../../../../core/diagnostics/suggest.ts'
import { timesWritten } from '../../walk/written-names.ts'
import { wordCounter } from '../../../../core/model/word-counter.ts'

export const unknownParameter = message(
  'unknown-parameter',
  'error',
  'UnknownParameter',
  /** `route` and `slug`: of the page; null if another file reads the parameter, or the route has no parameters. */
  (name: string, route: string | null, suggestion: string | null, slug: Span | null) => ({
    subject: { kind: 'parameter', name, of: route },
    text:
      route === null
        ? `No link or form of this site sends a parameter ${quote(name)}.`
        : `The route ${quote(route)} has no parameter ${quote(name)}, and no link or form of this site sends it.`,
    ...(suggestReplacement(name, suggestion) ?? {
      hint: `Add ${quote(`:${name}`)} to the slug, or remove this parameter.`,
    }),
    related: relatedAt(slug, 'the route of this page'),
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '---\nslug: posts/:post_id\n---\n{{ context.params.post_di }}' },
    right: { 'app/views/pages/index.liquid': '---\nslug: posts/:post_id\n---\n{{ context.params.post_id }}' },
  },
)

/** Parameters that the service adds to every request or that its forms send. */
const IMPLICIT_PARAMETER =
  /^(?:slug[23]?|slugs|format|controller|action|utf8|authenticity_token|_method|form|form_id|page_id|resource_id|parent_resource_(?:id|class)|return_to|language|locale)$/

interface ParameterRead {
  readonly name: string
  readonly span: Span
  readonly isGuarded: boolean
}

/**
 * Reports parameters that a page reads and neither its route nor an input or address in the site supplies, and parameters of other files
 * whose names are misspelt.
 */
export function checkParameters({ site, siteTemplates }: CheckedSite): readonly Diagnostic[] {
  const reads = new Map<SiteTemplate, readonly ParameterRead[]>()
  for (const siteTemplate of siteTemplates) {
    const own = readsOf(namesOf(siteTemplate))
    if (own.length > 0) reads.set(siteTemplate, own)
  }
  if (reads.size === 0) return []
  const routeNames = new Set(site.pages.flatMap(({ settings }) => routeParameters(settings.route.segments)))
  const misspelt = new Set<PageSettings>()
  const { supplied, sentNames } = givenNames(site, siteTemplates)
  const counts = countReads([...reads.values()].flat())
  const knownNames = [...new Set([...supplied.keys(), ...routeNames])]
    .filter((name) => counts.has(name) || sentNames.has(name))
    .toSorted()
  const diagnostics: Diagnostic[] = []
  for (const [siteTemplate, own] of reads) {
    const { settings } = siteTemplate.unit
    const page = siteTemplate.inner === null && settings.kind === 'page' ? settings : null
    const unknownNames =
      page === null
        ? new Map<string, string | null>()
        : findUnknownNames(page, own, namesOf(siteTemplate), { supplied, sentNames })
    for (const { name, span } of own) {
      const meantName = unknownNames.get(name)
      if (page !== null && meantName !== undefined) {
        const route = `/${page.route.slug.replace(/^\//, '')}`
        if (meantName === null || !isNear(name, meantName) || !isRouteSlip(site, name, meantName))
          diagnostics.push(unknownParameter(span, name, route, meantName, page.slugSpan))
        else if (!misspelt.has(page)) diagnostics.push(unknownParameter(page.slugSpan, name, route, null, span))
        misspelt.add(page)
        continue
      }
      if (routeNames.has(name) || supplied.has(name) || IMPLICIT_PARAMETER.test(name) || (counts.get(name) ?? 0) > 1)
        continue
      const slip = findLikelyTypo(
        name,
        page === null ? knownNames : [...knownNames, ...routeParameters(page.route.segments)],
      )
      if (slip !== null) diagnostics.push({ ...unknownParameter(span, name, null, slip, null), severity: 'warning' })
    }
  }
  return diagnostics
}

/**
 * Returns whether the route's spelling is the wrong one of the two: other routes have the name that is read, or the site writes that name
 * more often.
 */
function isRouteSlip(site: Site, read: string, part: string): boolean {
  const times = (name: string) =>
    site.pages.filter(({ settings }) => routeParameters(settings.route.segments).includes(name)).length
  return times(part) === 1 && (times(read) > 0 || timesWritten(part, site) < timesWritten(read, site))
}

/** Returns the reads of `context.params` with a literal key. */
const readsOf = derived(({ context }: TemplateNames): readonly ParameterRead[] =>
  context.flatMap(({ path: [part, name], spans: [, span], isGuarded }) =>
    part === 'params' && typeof name === 'string' && span !== undefined ? [{ name, span, isGuarded }] : [],
  ),
)

/**
 * Returns the parameters that a page reads and its route lacks, each with the intended parameter of the route, or null. The intended
 * parameter has a similar spelling, or is the only one that the page never reads. A GET request has no body that could supply the
 * parameters.
 */
function findUnknownNames(
  { method, route }: PageSettings,
  reads: readonly ParameterRead[],
  { context, passesContext }: TemplateNames,
  { supplied, sentNames }: GivenNames,
): ReadonlyMap<string, string | null> {
  const unknownNames = new Map<string, string | null>()
  const own = routeParameters(route.segments)
  if (method !== 'get' || own.length === 0) return unknownNames
  const readsAll = passesContext || context.some(({ path }) => path[0] === 'params' && typeof path[1] !== 'string')
  const unread = readsAll ? [] : own.filter((name) => !reads.some((read) => read.name === name))
  for (const { name, isGuarded } of reads) {
    if (own.includes(name) || IMPLICIT_PARAMETER.test(name)) continue
    // If the route's only parameter is never read, and no address or input has this name, equal keys in other places do not count as a
    // source.
    const names = new Set(reads.map((each) => each.name))
    const isOnly = unread.length === 1 && own.length === 1 && !sentNames.has(name) && names.size === 1
    if (supplied.has(name) && !isOnly && !unread.some((part) => isNear(name, part))) continue
    const meantName = own.find((part) => isNear(name, part)) ?? null
    if (meantName !== null) unknownNames.set(name, meantName)
    else if (unread.length === own.length && !isGuarded)
      unknownNames.set(name, unread.length === 1 ? (unread[0] ?? null) : null)
  }
  return unknownNames
}

function isNear(name: string, other: string): boolean {
  const isSlip = findLikelyTypo(name, [other]) !== null || findLikelyTypo(other, [name]) !== null
  return isSlip || (Math.min(name.length, other.length) >= 2 && other.length <= 3 && distance(name, other, 1) <= 1)
}

function routeParameters(segments: readonly RouteSegment[]): readonly string[] {
  return segments.flatMap((segment) =>
    segment.kind === 'optional' ? routeParameters(segment.segments) : segment.kind === 'static' ? [] : [segment.name],
  )
}

/** Matches names of inputs, parameters in addresses, keys of hashes and names of arguments. */
const SUPPLIED_NAME = /\bname\s*=\s*["']?([\w-]+)|[?&]([\w-]+)=|["']?\b([\w-]+)["']?\s*:(?!:)|\bset\(\s*['"](\w+)/g

/** Matches names of inputs and parameters in addresses. */
const SENT_NAME = /\bname\s*=\s*["']?([\w-]+)|[?&]([\w-]+)=/g

/** Number of occurrences by word. */
type Words = ReadonlyMap<string, number>

interface GivenNames {
  /** All names that may come with a request. */
  readonly supplied: Words
  /** Names of inputs and parameters in addresses. */
  readonly sentNames: Words
}

const suppliedNames = wordCounter(({ unit }: SiteTemplate) => namesGivenIn(unit.file).supplied)
const sentNames = wordCounter(({ unit }: SiteTemplate) => namesGivenIn(unit.file).sent)

function givenNames({ structureVersion }: Site, siteTemplates: readonly SiteTemplate[]): GivenNames {
  return {
    supplied: suppliedNames(structureVersion, siteTemplates).counts,
    sentNames: sentNames(structureVersion, siteTemplates).counts,
  }
}

const namesGivenIn = derived(({ text }: SourceFile) => {
  const supplied = new Set<string>()
  const sentNames = new Set<string>()
  for (const [, input, query, key, appended] of text.matchAll(SUPPLIED_NAME)) {
    const name = input ?? query ?? key ?? appended
    if (name !== undefined) supplied.add(name)
  }
  for (const [, input, query] of text.matchAll(SENT_NAME)) sentNames.add(input ?? query ?? '')
  return { supplied: [...supplied], sent: [...sentNames] }
})

function countReads(reads: readonly ParameterRead[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of reads) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
